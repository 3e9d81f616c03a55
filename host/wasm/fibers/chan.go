package fibers

import (
	"cmp"
	"fmt"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// channel is a channel of the program.
type channel struct {
	*wait.Chan[int64]
	counted int // the buffered values whose memory is taken
}

const (
	// maxObjects is how many channels, and how many tasks, a program may make. None is ever
	// freed, because the program refers to them by numbers.
	maxObjects = 1 << 20
	// What the quota of memory counts for each.
	channelSize, valueSize, taskSize = 400, 24, 300
	// maxCapacity protects the host from a wrong number that would allocate all its memory.
	maxCapacity = 1 << 30
)

func (h *Host) newChan(c *wasm.Caller, stack []uint64) error {
	if err := h.point(c); err != nil {
		return err
	}
	capacity := int32(stack[0])
	switch {
	case capacity < 0 || capacity > maxCapacity:
		return fmt.Errorf("capacity %d: want 0 to %d", capacity, maxCapacity)
	case len(h.channels) == maxObjects:
		return fmt.Errorf("too many channels: %d", maxObjects)
	}
	if err := h.takeMemory(c, channelSize); err != nil {
		return err
	}
	ch := &channel{Chan: wait.NewChan[int64](int(capacity))}
	h.channels = append(h.channels, ch)
	ch.SetName(fmt.Sprint(len(h.channels)))
	h.touch(&h.channels)
	h.touch(ch)
	stack[0] = uint64(len(h.channels))
	return nil
}

// channel returns the channel with a number. The first has number 1.
func (h *Host) channel(n uint64) (*channel, error) {
	if i := uint32(n); i >= 1 && uint64(i) <= uint64(len(h.channels)) {
		ch := h.channels[i-1]
		h.reads(ch)
		return ch, nil
	}
	h.reads(&h.channels)
	return nil, fmt.Errorf("%d is no channel", int32(n))
}

func (h *Host) send(c *wasm.Caller, stack []uint64) error {
	ch, err := h.channel(stack[0])
	if err != nil {
		return err
	}
	until, err := deadline(c, stack[2])
	if err != nil {
		return err
	}
	err = stackful.SendUntil(c.Fiber, ch.Chan, int64(stack[1]), until)
	return settle(stack, cmp.Or(err, h.countBuffer(c, ch)))
}

func (h *Host) recv(c *wasm.Caller, stack []uint64) error {
	ch, err := h.channel(stack[0])
	if err != nil {
		return err
	}
	until, err := deadline(c, stack[2])
	if err != nil {
		return err
	}
	at := stack[1]
	v, ok, err := stackful.RecvUntil(c.Fiber, ch.Chan, until)
	err = cmp.Or(err, h.countBuffer(c, ch))
	if err := settle(stack, err); err != nil || stack[0] != done {
		return err
	}
	if !ok {
		stack[0] = closed
		return nil
	}
	return store(c, at, v)
}

// countBuffer counts the memory of the buffered values.
func (h *Host) countBuffer(c *wasm.Caller, ch *channel) error {
	more := ch.Len() - ch.counted
	ch.counted += more
	return h.takeMemory(c, int64(more)*valueSize)
}

// takeMemory takes bytes, or gives them back, for what the program has until the Host is closed.
func (h *Host) takeMemory(c *wasm.Caller, bytes int64) error {
	if h.group == nil {
		return nil
	}
	h.taken += bytes
	if bytes < 0 {
		h.group.Account().Give(quota.Memory, -bytes)
		return nil
	}
	if err := h.group.Take(quota.Memory, bytes); err != nil {
		h.taken -= bytes
		return c.Fiber.Checkpoint()
	}
	return nil
}

func (h *Host) closeChan(c *wasm.Caller, stack []uint64) error {
	ch, err := h.channel(stack[0])
	if err != nil {
		return err
	}
	return settle(stack, stackful.Close(c.Fiber, ch.Chan))
}
