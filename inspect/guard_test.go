package inspect

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const secret = "abcdefghijklmnopqrstuvwxyz"

// attempt is one request and what becomes of it.
type attempt struct {
	name   string
	method string
	path   string
	host   string
	header map[string]string
	local  string // the address that has accepted the connection
	status int
}

func (a attempt) try(t *testing.T, h http.Handler) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(or(a.method, http.MethodGet), or(a.path, "/"), nil)
	r.Host = or(a.host, "localhost:8080")
	for name, value := range a.header {
		r.Header.Set(name, value)
	}
	if a.local != "" {
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.ParseIP(a.local), Port: 8080})))
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	require.Equal(t, a.status, w.Code, "%s: %s", a.name, w.Body)
	requireHardened(t, w.Header())
	return w
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// requireHardened looks for what keeps the page alone, also on refusals.
func requireHardened(t *testing.T, h http.Header) {
	t.Helper()
	require.Contains(t, h.Get("Content-Security-Policy"), "default-src 'self';")
	require.NotContains(t, h.Get("Content-Security-Policy"), "unsafe")
	require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
	require.Equal(t, "no-store", h.Get("Cache-Control"))
	require.Empty(t, h.Get("Access-Control-Allow-Origin"))
}

func TestOnlyRequestsForThisServerAreAnswered(t *testing.T) {
	c := patient(newWorld(t, 1, 1))
	c.Hosts = []string{"debug.example"}
	h := New(c)
	for _, a := range []attempt{
		{name: "localhost", host: "localhost", status: 200},
		{name: "localhost in capitals", host: "LocalHost:1", status: 200},
		{name: "127.0.0.1", host: "127.0.0.1:8080", status: 200},
		{name: "any loopback address", host: "127.1.2.3:8080", status: 200},
		{name: "the loopback address of IPv6", host: "[::1]:8080", status: 200},
		{name: "without a port", host: "[::1]", status: 200},
		{name: "a name that was added", host: "debug.example:99", status: 200},
		{name: "the address that has accepted", host: "192.0.2.7:8080", local: "192.0.2.7", status: 200},
		{name: "another address", host: "192.0.2.8:8080", local: "192.0.2.7", status: 403},
		{name: "an address and no connection", host: "192.0.2.8:8080", status: 403},
		{name: "a name that leads here", host: "evil.example:8080", status: 403},
		{name: "a name that looks local", host: "localhost.evil.example", status: 403},
		{name: "a name that begins like an address", host: "127.0.0.1.evil.example", status: 403},
		{name: "every address", host: "0.0.0.0:8080", status: 403},
		{name: "two hosts", host: "localhost@evil.example", status: 403},
	} {
		a.try(t, h)
	}
}

func TestNoOtherSiteGetsAnAnswer(t *testing.T) {
	h := New(patient(newWorld(t, 1, 1)))
	site := func(value string) map[string]string { return map[string]string{"Sec-Fetch-Site": value} }
	origin := func(value string) map[string]string { return map[string]string{"Origin": value} }
	for _, a := range []attempt{
		{name: "typed", header: site("none"), status: 200},
		{name: "the page itself", header: site("same-origin"), status: 200},
		{name: "another port of this machine", header: site("same-site"), status: 403},
		{name: "another site", header: site("cross-site"), status: 403},
		{name: "something new", header: site("other"), status: 403},
		{name: "the page itself by origin", header: origin("http://localhost:8080"), status: 200},
		{name: "another origin", header: origin("http://evil.example"), status: 403},
		{name: "another port by origin", header: origin("http://localhost:9090"), status: 403},
		{name: "an origin that is hidden", header: origin("null"), status: 403},
		{name: "an origin that is none", header: origin("%zz"), status: 403},
	} {
		a.try(t, h)
		a.path = "/api/v1/timeline"
		a.try(t, h)
	}
}

func TestARequestThatChangesSomethingNeedsMore(t *testing.T) {
	const cancel = "/api/v1/fibers/f0.1/cancel"
	for _, control := range []bool{false, true} {
		w := newWorld(t, 1, 4)
		c := patient(w)
		c.Control = control
		h := New(c)
		allowed := map[bool]int{false: 403, true: 200}[control]
		post := func(header ...string) attempt {
			a := attempt{name: strings.Join(header, " "), method: http.MethodPost, path: cancel, header: map[string]string{}, status: 403}
			for i := 0; i < len(header); i += 2 {
				a.header[header[i]] = header[i+1]
			}
			return a
		}
		ok := func(a attempt) attempt { a.status = allowed; return a }
		serve(t, h, func() {
			for _, a := range []attempt{
				post(),
				post("Origin", "http://localhost:8080"),
				post("Sec-Fetch-Site", "same-origin"),
				post(ControlHeader, "1", "Sec-Fetch-Site", "none"),
				post(ControlHeader, "1", "Sec-Fetch-Site", "cross-site"),
				post(ControlHeader, "1", "Origin", "http://evil.example"),
				ok(post(ControlHeader, "1")),
				ok(post(ControlHeader, "1", "Sec-Fetch-Site", "same-origin", "Origin", "http://localhost:8080")),
				{name: "by GET", path: cancel, status: map[bool]int{false: 404, true: 404}[control]},
				{name: "PUT", method: http.MethodPut, path: cancel, status: 405},
				{name: "OPTIONS, before a request of another site", method: http.MethodOptions, path: cancel, status: 405},
			} {
				a.try(t, h)
			}
		})
	}
}

func TestATokenIsNeededIfThereIsOne(t *testing.T) {
	c := patient(newWorld(t, 1, 1))
	c.Token = secret
	h := New(c)
	bearer := func(token string) map[string]string { return map[string]string{"Authorization": "Bearer " + token} }
	for _, a := range []attempt{
		{name: "none", status: 401},
		{name: "none for data", path: "/api/v1/timeline", status: 401},
		{name: "a wrong one", header: bearer(secret + "x"), status: 401},
		{name: "an empty one", header: bearer(""), status: 401},
		{name: "without its kind", header: map[string]string{"Authorization": secret}, status: 401},
		{name: "a wrong one in the address", path: "/?token=x", status: 401},
		{name: "the right one", header: bearer(secret), status: 200},
		{name: "the right one, another host", host: "evil.example", header: bearer(secret), status: 403},
		{name: "a cookie of another name", header: map[string]string{"Cookie": "token=" + secret}, status: 401},
		{name: "a cookie of the wrong value", header: map[string]string{"Cookie": h.guard.cookie() + "=x"}, status: 401},
		{name: "the cookie", header: map[string]string{"Cookie": h.guard.cookie() + "=" + secret}, status: 200},
	} {
		a.try(t, h)
	}
}

func TestTheAddressWithTheTokenIsExchangedForACookie(t *testing.T) {
	c := patient(newWorld(t, 1, 1))
	c.Token = secret
	h := New(c)
	w := attempt{path: "/?token=" + secret, status: http.StatusSeeOther}.try(t, h)
	require.Equal(t, "./", w.Header().Get("Location"))
	cookie := w.Result().Cookies()[0]
	require.True(t, cookie.HttpOnly)
	require.Equal(t, http.SameSiteStrictMode, cookie.SameSite)
	attempt{header: map[string]string{"Cookie": cookie.Name + "=" + cookie.Value}, status: 200}.try(t, h)

	c.Token = secret + "2"
	require.NotEqual(t, cookie.Name, New(c).guard.cookie(), "two inspectors of one machine keep their cookies apart")
}

func TestALargeBodyIsNotRead(t *testing.T) {
	c := patient(newWorld(t, 1, 4))
	c.Control = true
	h := New(c)
	body := strings.NewReader(strings.Repeat("x", 1<<20))
	r := httptest.NewRequest(http.MethodPost, "http://localhost/api/v1/fibers/f0.1/pause", body)
	r.Header.Set(ControlHeader, "1")
	serve(t, h, func() { h.ServeHTTP(httptest.NewRecorder(), r) })
	require.Greater(t, body.Len(), 1<<20-2*maxBody)
}
