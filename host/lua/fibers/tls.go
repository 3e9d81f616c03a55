package fibers

import (
	"crypto/tls"
	"crypto/x509"
	"net"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// identity is the certificate of a server: { cert =, key = }, both as PEM.
func (o options) identity() *tls.Config {
	pair, err := tls.X509KeyPair([]byte(o.text("cert")), []byte(o.text("key")))
	if err != nil {
		o.L.ArgError(o.arg, "want { cert =, key = }, both as PEM: "+err.Error())
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}}
}

// trust is the configuration of a client: { name =, ca = }. name is the server's name in its
// certificate if it is not the host of the address; ca are the root certificates as PEM if they
// are not those of the Config.
func (o options) trust(address string) *tls.Config {
	cfg := new(tls.Config)
	if base := o.env.cfg.ClientTLS; base != nil {
		cfg = base.Clone()
	}
	if cfg.ServerName = o.text("name"); cfg.ServerName == "" {
		cfg.ServerName, _, _ = net.SplitHostPort(address) // Dial reports a bad address
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
func (n *network) dial(L *glua.LState) int {
	address, o, c := L.CheckString(1), n.timeoutOr(L, 2, "timeout", "tls"), n.begin(L)
	deadline, secure := o.timeout(), (*tls.Config)(nil)
	switch o.get("tls") {
	case glua.LNil, glua.LFalse:
	case glua.LTrue:
		secure = options{env: n.env}.trust(address)
	default:
		secure = o.within("tls", "name", "ca").trust(address)
	}
	opened, err := dialBy(n.network(L, "net.dial"), c.fiber, address, secure, deadline)
	return n.pushConn(c, opened, err)
}

func dialBy(world *fiberio.World, f *stackful.Fiber, address string, secure *tls.Config, deadline fiber.Time) (*fiberio.Conn, error) {
	opened, err := world.Dial(f, "tcp", address, deadline)
	if err == nil && secure != nil {
		err = opened.StartTLS(f, secure, deadline)
	}
	return opened, err
}
