package inspect

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strings"
)

// authorize admits a request that knows the token. The address with ?token= exchanges it for a cookie, so that it stays
// neither in the address bar nor in the history of the browser for long.
func (g guard) authorize(w http.ResponseWriter, r *http.Request) bool {
	if given := r.URL.Query().Get("token"); given != "" && r.Method == http.MethodGet {
		if !equal(given, g.token) {
			refuse(w, http.StatusUnauthorized, "the token is wrong")
			return false
		}
		http.SetCookie(w, &http.Cookie{
			Name: g.cookie(), Value: g.token, Path: "/",
			HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil,
		})
		w.Header().Set("Location", "./") // relative: a proxy may have put a path before it
		w.WriteHeader(http.StatusSeeOther)
		return false
	}
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && equal(bearer, g.token) {
		return true
	}
	for _, c := range r.CookiesNamed(g.cookie()) {
		if equal(c.Value, g.token) {
			return true
		}
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	refuse(w, http.StatusUnauthorized, "a token is needed: open the address with ?token= that the program has printed, or send Authorization: Bearer TOKEN")
	return false
}

// cookie is the name of the cookie. It depends on the token, because the ports of one host share their cookies.
func (g guard) cookie() string {
	sum := sha256.Sum256([]byte(g.token))
	return "selvage_inspect_" + hex.EncodeToString(sum[:4])
}

// equal takes a time that does not depend on where the texts differ.
func equal(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
