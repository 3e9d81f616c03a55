package inspect

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// ControlHeader must be in each request that changes something. A page of another site cannot send it, because
// a browser would ask for permission first, which is never given.
const ControlHeader = "X-Selvage-Inspect"

// guard decides which requests are answered at all.
type guard struct {
	token string
	hosts []string
}

// admit answers a request that is refused, and returns false then.
func (g guard) admit(w http.ResponseWriter, r *http.Request) bool {
	harden(w.Header())
	switch {
	case !g.knows(r):
		refuse(w, http.StatusForbidden, "the Host header names neither localhost nor the address of this server; ask by its address, or add the name to Config.Hosts")
	case !sameSite(r):
		refuse(w, http.StatusForbidden, "the request comes from another site")
	case r.Method == http.MethodPost && r.Header.Get(ControlHeader) == "":
		refuse(w, http.StatusForbidden, "a request that changes something needs the header "+ControlHeader+": 1")
	case g.token != "":
		return g.authorize(w, r)
	default:
		return true
	}
	return false
}

// harden sets the headers that let a browser load nothing but what this server has, and only into this page.
func harden(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// knows tells whether the Host header names this server. A name that another site owns and has made to lead
// here does not.
func (g guard) knows(r *http.Request) bool {
	host := hostOf(r.Host)
	if host == "localhost" || slices.Contains(g.hosts, host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.IsLoopback() || ip.Unmap() == localAddr(r))
}

// localAddr is the address that has accepted the connection of a request; the zero Addr if it is not known.
func localAddr(r *http.Request) netip.Addr {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return addr.AddrPort().Addr().Unmap().WithZone("")
}

// hostOf is a host without its port and brackets.
func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		hostport = host
	}
	return strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]"))
}

// sameSite tells whether a request comes from a page of this server, or from no page. Browsers say so by
// Sec-Fetch-Site, and older ones by Origin.
func sameSite(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	if site != "" && site != "same-origin" && (site != "none" || r.Method == http.MethodPost) {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}
