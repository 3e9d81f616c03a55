package fibers

import (
	"errors"
	"net"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
)

// listener and conn are fiberio's as Lua programs hold them.
type listener struct {
	*fiberio.Listener
	host *Host
}

type conn struct {
	*fiberio.Conn
	*stream
	host *Host
}

func (l *listener) home() *Host { return l.host }
func (c *conn) home() *Host     { return c.host }

func (h *Host) openNet() {
	h.library("net", map[string]glua.LGFunction{"listen": h.listen, "dial": h.dial, "lookup": h.lookup})
	h.types.listener = h.newType("net.listener", map[string]glua.LGFunction{
		"accept": h.accept, "iter": h.acceptAll, "addr": h.listenerAddr, "close": h.closeListener,
	})
	h.types.conn = h.newType("net.conn", map[string]glua.LGFunction{
		"read":  func(L *glua.LState) int { return h.readStream(L, h.checkConn(L).stream) },
		"lines": func(L *glua.LState) int { return h.streamLines(L, h.checkConn(L).stream) },
		"write": h.writeConn, "close": h.closeConn, "close_write": h.closeWrite, "accept_tls": h.acceptTLS,
		"local_addr": h.localAddr, "remote_addr": h.remoteAddr,
	})
	h.nameType(h.types.listener, "listener", func(L *glua.LState) string { return h.checkListener(L).Addr().String() })
	h.nameType(h.types.conn, "conn", func(L *glua.LState) string { return h.checkConn(L).RemoteAddr().String() })
}

func (h *Host) checkListener(L *glua.LState) *listener {
	return receiver[*listener](h, L, "listener", "l")
}

func (h *Host) checkConn(L *glua.LState) *conn { return receiver[*conn](h, L, "conn", "c") }

// listen is net.listen("host:port" [, timeout]).
func (h *Host) listen(L *glua.LState) int {
	address, c, deadline := L.CheckString(1), h.self(L), h.deadline(L, 2)
	l, err := h.network(L, "net.listen").Listen(c.fiber, "tcp", address, deadline)
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	L.Push(object(&listener{l, h}, h.types.listener))
	return 1
}

func (h *Host) pushConn(L *glua.LState, c *carrier, opened *fiberio.Conn, err error) int {
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	made := &conn{opened, h.newStream(opened, opened.RemoteAddr().String()), h}
	L.Push(object(made, h.types.conn))
	return 1
}

// lookup is net.lookup("host" [, timeout]), a table of addresses.
func (h *Host) lookup(L *glua.LState) int {
	name, c, deadline := L.CheckString(1), h.self(L), h.deadline(L, 2)
	addresses, err := h.network(L, "net.lookup").LookupHost(c.fiber, name, deadline)
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	list := L.NewTable()
	for _, a := range addresses {
		list.Append(glua.LString(a))
	}
	L.Push(list)
	return 1
}

// accept is l:accept([timeout]). That the listener is closed is the end of a loop, and no
// error.
func (h *Host) accept(L *glua.LState) int {
	l, c, deadline := h.checkListener(L), h.self(L), h.deadline(L, 2)
	opened, err := l.Accept(c.fiber, deadline)
	if errors.Is(err, net.ErrClosed) {
		_ = c.back(err)
		L.Push(glua.LNil)
		L.Push(glua.LString("closed"))
		return 2
	}
	return h.pushConn(L, c, opened, err)
}

// acceptAll is for c in l:iter(): until the listener is closed.
func (h *Host) acceptAll(L *glua.LState) int {
	l := h.checkListener(L)
	L.Push(L.NewFunction(func(L *glua.LState) int {
		c := h.self(L)
		opened, err := l.Accept(c.fiber, fiber.Never)
		if errors.Is(err, net.ErrClosed) {
			_ = c.back(err)
			L.Push(glua.LNil)
			return 1
		}
		return h.pushConn(L, c, opened, err)
	}))
	return 1
}

func (h *Host) listenerAddr(L *glua.LState) int {
	L.Push(glua.LString(h.checkListener(L).Addr().String()))
	return 1
}

// closeListener may be called again: what it wants is so already.
func (h *Host) closeListener(L *glua.LState) int {
	_ = h.checkListener(L).Close()
	return 0
}

// writeConn is conn:write(s [, timeout]).
func (h *Host) writeConn(L *glua.LState) int {
	conn, c, s, deadline := h.checkConn(L), h.self(L), L.CheckString(2), h.deadline(L, 3)
	_, err := conn.WriteString(c.fiber, s, deadline)
	return h.ended(L, c, err)
}

// closeConn may be called again: what it wants is so already.
func (h *Host) closeConn(L *glua.LState) int {
	_ = h.checkConn(L).Close()
	return 0
}

func (h *Host) closeWrite(L *glua.LState) int {
	h.check(L, h.checkConn(L).CloseWrite())
	return 0
}

func (h *Host) localAddr(L *glua.LState) int {
	L.Push(glua.LString(h.checkConn(L).LocalAddr().String()))
	return 1
}

func (h *Host) remoteAddr(L *glua.LState) int {
	L.Push(glua.LString(h.checkConn(L).RemoteAddr().String()))
	return 1
}
