package fibers

import (
	"crypto/tls"
	"crypto/x509"
	"net"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
)

// identity is how a server proves who it is: { cert =, key = }, both as PEM.
func (o options) identity() *tls.Config {
	pair, err := tls.X509KeyPair([]byte(o.text("cert")), []byte(o.text("key")))
	if err != nil {
		o.L.ArgError(o.arg, "want { cert =, key = }, both as PEM: "+err.Error())
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}}
}

// trust is whom a client believes: { name =, ca = } say what the server is called, if not as
// its address, and who vouches for it, as PEM.
func (o options) trust(address string) *tls.Config {
	cfg := new(tls.Config)
	if base := o.host.cfg.ClientTLS; base != nil {
		cfg = base.Clone()
	}
	if cfg.ServerName = o.text("name"); cfg.ServerName == "" {
		cfg.ServerName, _, _ = net.SplitHostPort(address) // Dial has understood it, or has failed
	}
	if ca := o.text("ca"); ca != "" {
		cfg.RootCAs = x509.NewCertPool()
		if !cfg.RootCAs.AppendCertsFromPEM([]byte(ca)) {
			o.L.ArgError(o.arg, "ca: no certificate in PEM")
		}
	}
	return cfg
}

// dial is net.dial("host:port" [, timeout or { timeout =, tls = true or { name =, ca = } }]).
func (h *Host) dial(L *glua.LState) int {
	address, o, c := L.CheckString(1), h.optional(L, 2), h.self(L)
	deadline, secret := o.timeout(), (*tls.Config)(nil)
	switch v := o.of.RawGetString("tls"); v {
	case glua.LNil, glua.LFalse:
	case glua.LTrue:
		secret = options{h, L, 2, L.NewTable()}.trust(address)
	default:
		secret = options{h, L, 2, o.table("tls")}.trust(address)
	}
	opened, err := dialBy(h.network(L, "net.dial"), c, address, secret, deadline)
	return h.pushConn(L, c, opened, err)
}

func dialBy(world *fiberio.World, c *carrier, address string, secret *tls.Config, deadline fiber.Time) (*fiberio.Conn, error) {
	opened, err := world.Dial(c.fiber, "tcp", address, deadline)
	if err == nil && secret != nil {
		err = opened.StartTLS(c.fiber, secret, deadline)
	}
	return opened, err
}

// acceptTLS is conn:accept_tls{ cert =, key =, timeout = }, for a connection that has come.
func (h *Host) acceptTLS(L *glua.LState) int {
	conn, c, o := h.checkConn(L), h.self(L), options{h, L, 2, L.CheckTable(2)}
	return h.ended(L, c, conn.AcceptTLS(c.fiber, o.identity(), o.timeout()))
}
