package fibers

import (
	"fmt"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

type channel = wait.Chan[int64]

const (
	// maxObjects is how many channels, and how many tasks, a program may make: they have
	// numbers, so none is ever freed.
	maxObjects = 1 << 20
	// maxCapacity keeps a slip of a program from being a request for all memory.
	maxCapacity = 1 << 30
)

func (h *Host) newChan(_ *wasm.Caller, stack []uint64) error {
	capacity := int32(stack[0])
	switch {
	case capacity < 0 || capacity > maxCapacity:
		return fmt.Errorf("capacity %d: want 0 to %d", capacity, maxCapacity)
	case len(h.channels) == maxObjects:
		return fmt.Errorf("too many channels: %d", maxObjects)
	}
	ch := wait.NewChan[int64](int(capacity))
	h.channels = append(h.channels, ch)
	ch.SetName(fmt.Sprint(len(h.channels)))
	stack[0] = uint64(len(h.channels))
	return nil
}

// channel is the one of that number; they begin with 1.
func (h *Host) channel(n uint64) (*channel, error) {
	if i := uint32(n); i >= 1 && uint64(i) <= uint64(len(h.channels)) {
		return h.channels[i-1], nil
	}
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
	return settle(stack, stackful.SendUntil(c.Fiber, ch, int64(stack[1]), until))
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
	v, ok, err := stackful.RecvUntil(c.Fiber, ch, until)
	if err := settle(stack, err); err != nil || stack[0] != done {
		return err
	}
	if !ok {
		stack[0] = closed
		return nil
	}
	return store(c, at, v)
}

func (h *Host) closeChan(c *wasm.Caller, stack []uint64) error {
	ch, err := h.channel(stack[0])
	if err != nil {
		return err
	}
	return settle(stack, stackful.Close(c.Fiber, ch))
}
