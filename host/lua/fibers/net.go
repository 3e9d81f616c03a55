package fibers

import (
	"errors"
	"maps"
	"net"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
)

// network has the library net.
type network struct {
	*external
	listeners *typeOf[*fiberio.Listener]
	conns     *typeOf[*conn]
}

// conn is a connection. Programs read it as a stream.
type conn struct {
	*fiberio.Conn
	*stream
}

func openNet(x *external) {
	n := &network{external: x}
	n.module("net", functions{"listen": n.listen, "dial": n.dial, "lookup": n.lookup})
	n.listeners = newType(x.env, typeSpec[*fiberio.Listener]{library: "net", kind: "listener", self: "l", show: listenerAddr, methods: n.listenerMethods})
	n.conns = newType(x.env, typeSpec[*conn]{library: "net", kind: "conn", self: "c", show: remoteAddr, methods: n.connMethods})
}

func listenerAddr(l *fiberio.Listener) string { return l.Addr().String() }
func localAddr(c *conn) string                { return c.LocalAddr().String() }
func remoteAddr(c *conn) string               { return c.RemoteAddr().String() }

// listen is net.listen("host:port" [, timeout]).
func (n *network) listen(L *glua.LState) int {
	address, c := L.CheckString(1), n.begin(L)
	deadline := c.deadline(2)
	l, err := n.network(L, "net.listen").Listen(c.fiber, "tcp", address, deadline)
	if c.timedOut(err) {
		return 2
	}
	return push(L, n.listeners.wrap(l))
}

// lookup is net.lookup("host" [, timeout]): a list of addresses.
func (n *network) lookup(L *glua.LState) int {
	name, c := L.CheckString(1), n.begin(L)
	deadline := c.deadline(2)
	addresses, err := n.network(L, "net.lookup").LookupHost(c.fiber, name, deadline)
	return c.result(err, listOf(L, addresses, func(a string) string { return a }))
}

func (n *network) pushConn(c call, opened *fiberio.Conn, err error) int {
	if c.timedOut(err) {
		return 2
	}
	return push(c.L, n.conns.wrap(&conn{opened, n.newStream(opened, opened.RemoteAddr().String())}))
}

// A closed listener ends a loop: that is a result, not an error. close may be called again.
func (n *network) listenerMethods(t *typeOf[*fiberio.Listener]) functions {
	return functions{
		// l:accept([timeout]) waits for a client.
		"accept": func(L *glua.LState) int {
			c, l := t.op(L)
			opened, err := l.Accept(c.fiber, c.deadline(2))
			if errors.Is(err, net.ErrClosed) {
				_ = c.back(err)
				return push(L, glua.LNil, glua.LString("closed"))
			}
			return n.pushConn(c, opened, err)
		},
		"iter":  func(L *glua.LState) int { return n.acceptAll(L, t.receiver(L)) },
		"addr":  t.string(listenerAddr),
		"close": func(L *glua.LState) int { _ = t.receiver(L).Close(); return 0 },
	}
}

// acceptAll is for c in l:iter(). The loop ends when the listener is closed.
func (n *network) acceptAll(L *glua.LState, l *fiberio.Listener) int {
	return push(L, L.NewClosure(func(L *glua.LState) int {
		c := n.begin(L)
		opened, err := l.Accept(c.fiber, fiber.Never)
		if errors.Is(err, net.ErrClosed) {
			_ = c.back(err)
			return push(L, glua.LNil)
		}
		return n.pushConn(c, opened, err)
	}, L.Get(1)))
}

// close may be called again.
func (n *network) connMethods(t *typeOf[*conn]) functions {
	methods := streamMethods(t, func(c *conn) *stream { return c.stream })
	maps.Copy(methods, functions{
		// c:write(s [, timeout]) sends all of s; after a timeout a part may have been sent.
		"write": func(L *glua.LState) int {
			c, to := t.op(L)
			s, deadline := L.CheckString(2), c.deadline(3)
			_, err := to.WriteString(c.fiber, s, deadline)
			return c.ended(err)
		},
		// c:accept_tls{ cert =, key =, timeout = } starts TLS with a client that was accepted.
		"accept_tls": func(L *glua.LState) int {
			c, with := t.op(L)
			L.CheckTable(2)
			o := n.options(L, 2, 0, "cert", "key", "timeout")
			return c.ended(with.AcceptTLS(c.fiber, o.identity(), o.timeout()))
		},
		"close": func(L *glua.LState) int { _ = t.receiver(L).Close(); return 0 },
		// c:close_write() ends the output; reading continues.
		"close_write": func(L *glua.LState) int { t.check(L, t.receiver(L).CloseWrite()); return 0 },
		"local_addr":  t.string(localAddr),
		"remote_addr": t.string(remoteAddr),
	})
	return methods
}
