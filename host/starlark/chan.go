package starlark

import (
	"errors"
	"fmt"

	gostar "go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// queue is a channel of Starlark values, which are frozen.
type queue = wait.Chan[gostar.Value]

// channel is a channel as programs hold it. A for loop receives from it until it is closed and empty.
type channel struct {
	object[*queue]
	host *Host
}

// maxCapacity protects the host from a wrong number that would allocate all its memory.
const maxCapacity = 1 << 30

func newChanKind() *kind[*queue] {
	return &kind[*queue]{
		name: "chan", show: (*queue).Name,
		methods: map[string]func(*call, *queue) (gostar.Value, error){
			"send": send, "recv": recv, "try_send": trySend, "try_recv": tryRecv, "close": closeChan, "cap": capacity,
		},
	}
}

// newChan is fiber.chan(capacity=0, name="").
func newChan(c *call) (gostar.Value, error) {
	var size int
	var name string
	if err := c.unpack("capacity?", &size, "name?", &name); err != nil {
		return nil, err
	}
	if size < 0 || size > maxCapacity {
		return nil, fmt.Errorf("chan: capacity %d: want 0 to %d", size, maxCapacity)
	}
	ch := wait.NewChan[gostar.Value](size)
	ch.SetName(c.named(name))
	return &channel{object[*queue]{ch, c.host.kinds.channel}, c.host}, nil
}

// send is ch.send(v, timeout=None): True, or fiber.TIMEOUT.
func send(c *call, ch *queue) (gostar.Value, error) {
	var v gostar.Value
	var limit timeout
	if err := c.unpack("v", &v, "timeout?", &limit); err != nil {
		return nil, err
	}
	if err := c.share(v, nil); err != nil {
		return nil, err
	}
	deadline, err := c.deadline(limit)
	if err != nil {
		return nil, err
	}
	return c.ended(gostar.True, stackful.SendUntil(c.fiber, ch, v, deadline))
}

// ended is the result of a wait that may time out.
func (c *call) ended(v gostar.Value, err error) (gostar.Value, error) {
	if c.fiber.Stopped(err) == nil && errors.Is(err, stackful.ErrTimeout) {
		return timedOut, nil
	}
	return v, err
}

// recv is ch.recv(timeout=None): a value, fiber.CLOSED or fiber.TIMEOUT.
func recv(c *call, ch *queue) (gostar.Value, error) {
	var limit timeout
	if err := c.unpack("timeout?", &limit); err != nil {
		return nil, err
	}
	deadline, err := c.deadline(limit)
	if err != nil {
		return nil, err
	}
	v, ok, err := stackful.RecvUntil(c.fiber, ch, deadline)
	return c.ended(received(v, ok), err)
}

func received(v gostar.Value, ok bool) gostar.Value {
	if !ok {
		return ended
	}
	return v
}

// trySend is ch.try_send(v): whether it was sent.
func trySend(c *call, ch *queue) (gostar.Value, error) {
	var v gostar.Value
	if err := c.unpack("v", &v); err != nil {
		return nil, err
	}
	if err := c.share(v, nil); err != nil {
		return nil, err
	}
	ok, err := stackful.TrySend(c.fiber, ch, v)
	return gostar.Bool(ok), err
}

// tryRecv is ch.try_recv(): a value, fiber.EMPTY or fiber.CLOSED.
func tryRecv(c *call, ch *queue) (gostar.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	v, status, err := stackful.TryRecv(c.fiber, ch)
	if status == wait.Empty {
		return empty, err
	}
	return received(v, status == wait.Received), err
}

// closeChan is ch.close().
func closeChan(c *call, ch *queue) (gostar.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	return gostar.None, stackful.Close(c.fiber, ch)
}

// capacity is ch.cap().
func capacity(c *call, ch *queue) (gostar.Value, error) { return gostar.MakeInt(ch.Cap()), c.unpack() }

// CompareSameType tells whether two channels are the same.
func (ch *channel) CompareSameType(op syntax.Token, other gostar.Value, depth int) (bool, error) {
	return ch.object.CompareSameType(op, &other.(*channel).object, depth)
}

// Iterate begins a for loop over the channel.
func (ch *channel) Iterate() gostar.Iterator { return &receiver{ch, ch.host.current()} }

// receiver receives for a for loop.
type receiver struct {
	from *channel
	by   *thread
}

// Next waits for a value. A fiber that was cancelled or killed ends with the next step.
func (r *receiver) Next(p *gostar.Value) bool {
	t := r.by
	if t == nil || t.ended != nil {
		return false
	}
	t.settle()
	v, ok, err := stackful.Recv(t.fiber, r.from.of)
	if err != nil {
		t.stop(err)
		return false
	}
	*p = v
	return ok
}

// Done has nothing to do.
func (*receiver) Done() {}
