package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// channel carries Lua values. nil is a value like any other.
type channel struct {
	*wait.Chan[glua.LValue]
	host *Host
}

func (h *Host) chanMethods() map[string]glua.LGFunction {
	return map[string]glua.LGFunction{
		"send": h.send, "recv": h.recv, "try_send": h.trySend, "try_recv": h.tryRecv,
		"close": h.closeChan, "cap": h.chanCap, "iter": h.iter,
	}
}

func (h *Host) openChan() {
	L := h.state.Base()
	h.types.channel = h.newType("fiber.chan", h.chanMethods())
	h.types.channel.RawSetString("__len", L.NewFunction(func(L *glua.LState) int {
		L.Push(glua.LNumber(h.checkChan(L).Len()))
		return 1
	}))
	h.nameType(h.types.channel, "chan", func(L *glua.LState) string { return h.checkChan(L).Name() })
}

// maxCapacity keeps a slip of a program from being a request for all memory.
const maxCapacity = 1 << 30

func (h *Host) newChan(L *glua.LState) int {
	n := integer(L, 1, "capacity", L.OptNumber(1, 0), 0, maxCapacity)
	ch := &channel{wait.NewChan[glua.LValue](int(n)), h}
	ch.SetName(h.objectName(L))
	L.Push(object(ch, h.types.channel))
	return 1
}

func (h *Host) checkChan(L *glua.LState) *channel { return receiver[*channel](h, L, "chan", "ch") }

func (h *Host) send(L *glua.LState) int {
	ch, c, v := h.checkChan(L), h.self(L), L.Get(2)
	if L.Get(3).Type() == glua.LTBool {
		L.ArgError(3, "timeout: number of seconds expected, got the second result of a call like inp:recv(); "+
			"wrap the call to send its first result only: out:send((inp:recv()))")
	}
	deadline := h.deadline(L, 3)
	return h.ended(L, c, stackful.SendUntil(c.fiber, ch.Chan, v, deadline))
}

func (h *Host) recv(L *glua.LState) int {
	ch, c := h.checkChan(L), h.self(L)
	deadline := h.deadline(L, 2)
	v, ok, err := stackful.RecvUntil(c.fiber, ch.Chan, deadline)
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	return pushReceived(L, v, ok)
}

func pushReceived(L *glua.LState, v glua.LValue, ok bool) int {
	if !ok {
		v = glua.LNil
	}
	L.Push(v)
	L.Push(glua.LBool(ok))
	return 2
}

func (h *Host) trySend(L *glua.LState) int {
	ch, c, v := h.checkChan(L), h.self(L), L.Get(2)
	ok, err := stackful.TrySend(c.fiber, ch.Chan, v)
	return h.tried(L, c, ok, err)
}

func (h *Host) tryRecv(L *glua.LState) int {
	ch, c := h.checkChan(L), h.self(L)
	v, status, err := stackful.TryRecv(c.fiber, ch.Chan)
	h.check(L, c.back(err))
	if status == wait.Empty {
		L.Push(glua.LNil)
		L.Push(glua.LString("empty"))
		return 2
	}
	return pushReceived(L, v, status == wait.Received)
}

func (h *Host) closeChan(L *glua.LState) int {
	ch, c := h.checkChan(L), h.self(L)
	h.check(L, c.back(stackful.Close(c.fiber, ch.Chan)))
	return 0
}

func (h *Host) chanCap(L *glua.LState) int {
	L.Push(glua.LNumber(h.checkChan(L).Cap()))
	return 1
}

// iter is for v in ch:iter(). It ends when the channel is closed and drained, or at a
// nil, which a for loop cannot tell from the end.
func (h *Host) iter(L *glua.LState) int {
	ch := h.checkChan(L)
	L.Push(L.NewFunction(func(L *glua.LState) int {
		c := h.self(L)
		v, ok, err := stackful.Recv(c.fiber, ch.Chan)
		h.check(L, c.back(err))
		return pushReceived(L, v, ok)
	}))
	return 1
}
