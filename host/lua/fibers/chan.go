package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// channel carries Lua values. nil is a value like any other.
type channel = wait.Chan[glua.LValue]

// maxCapacity protects the host from a wrong number that would allocate all its memory.
const maxCapacity = 1 << 30

func newChan(_ *env, L *glua.LState) *channel {
	return wait.NewChan[glua.LValue](int(integer(L, 1, "capacity", L.OptNumber(1, 0), 0, maxCapacity)))
}

func chanMethods(t *typeOf[*channel]) functions {
	return functions{
		// ch:send(v [, timeout]) waits for a receiver, or for room in the buffer.
		"send": func(L *glua.LState) int {
			c, ch := t.op(L)
			v := L.Get(2)
			if L.Get(3).Type() == glua.LTBool {
				L.ArgError(3, "timeout: number of seconds expected, got the second result of a call like inp:recv(); "+
					"wrap the call to send its first result only: out:send((inp:recv()))")
			}
			deadline := c.deadline(3)
			t.watch.begin()
			err := stackful.SendUntil(c.fiber, ch, v, deadline)
			t.watch.sent(ch, true, err)
			return c.ended(err)
		},
		// ch:recv([timeout]) waits for a value, or for the end of the channel.
		"recv": func(L *glua.LState) int {
			c, ch := t.op(L)
			deadline := c.deadline(2)
			t.watch.begin()
			v, ok, err := stackful.RecvUntil(c.fiber, ch, deadline)
			t.watch.received(ch, statusOf(ok), err)
			if c.timedOut(err) {
				return 2
			}
			return pushReceived(L, v, ok)
		},
		// ch:try_send(v) and ch:try_recv() do not wait.
		"try_send": func(L *glua.LState) int {
			c, ch := t.op(L)
			t.watch.begin()
			ok, err := stackful.TrySend(c.fiber, ch, L.Get(2))
			t.watch.sent(ch, ok, err)
			return c.tried(ok, err)
		},
		"try_recv": func(L *glua.LState) int {
			c, ch := t.op(L)
			t.watch.begin()
			v, status, err := stackful.TryRecv(c.fiber, ch)
			t.watch.received(ch, status, err)
			c.check(err)
			return pushStatus(L, v, status)
		},
		// ch:close() ends the channel behind the values in its buffer.
		"close": func(L *glua.LState) int {
			c, ch := t.op(L)
			t.watch.begin()
			return c.done(t.watch.closed(ch, stackful.Close(c.fiber, ch)))
		},
		// ch:cap() is the size of the buffer; #ch is the number of values in it.
		"cap":  t.number((*channel).Cap),
		"iter": func(L *glua.LState) int { return iterateChan(t.env, L, t.receiver(L)) },
	}
}

func chanLength(t *typeOf[*channel]) functions {
	return functions{"__len": t.number((*channel).Len)}
}

// iterateChan is ch:iter(). The loop ends when the channel is closed and empty, and at a nil,
// which a for loop cannot tell from the end.
func iterateChan(e *env, L *glua.LState, ch *channel) int {
	return push(L, L.NewClosure(func(L *glua.LState) int {
		c := e.begin(L)
		e.watch.begin()
		v, ok, err := stackful.Recv(c.fiber, ch)
		e.watch.received(ch, statusOf(ok), err)
		c.check(err)
		return pushReceived(L, v, ok)
	}, L.Get(1)))
}

// pushReceived pushes a value that was received and true, or nil and false at the end.
func pushReceived(L *glua.LState, v glua.LValue, ok bool) int {
	if !ok {
		v = glua.LNil
	}
	return push(L, v, glua.LBool(ok))
}

// pushStatus is pushReceived for an attempt, which may also find nothing.
func pushStatus(L *glua.LState, v glua.LValue, status wait.Status) int {
	if status == wait.Empty {
		return push(L, glua.LNil, glua.LString("empty"))
	}
	return pushReceived(L, v, status == wait.Received)
}
