package wasm

import (
	"cmp"

	"github.com/tetratelabs/wazero/experimental"

	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// memory is the memory of an instance whose fiber has quotas: the linear memory and the tables. Its
// bytes are taken from the Group that the fiber belongs to, and given back when the instance ends.
type memory struct {
	instance *Instance
	start    *Caller // the call that makes the instance
	group    *scheduler.Group
	taken    uint64
	linear   []byte
}

const (
	pageSize  = 1 << 16
	entrySize = 8 // of a table
	// instanceSize is what the engine has for an instance besides: its structures, and the stack of
	// the first call.
	instanceSize = 1 << 15
)

// newMemory takes what an instance has at the beginning. The error is the *stackful.Interrupt of the
// fiber, which is killed, if that passes a quota.
func (m *Module) newMemory(c *Caller, i *Instance) (*memory, error) {
	size := uint64(m.sizes.Pages)*pageSize + uint64(m.sizes.Entries)*entrySize + instanceSize
	if err := c.group.Take(quota.Memory, int64(size)); err != nil {
		return nil, c.Fiber.Checkpoint()
	}
	return &memory{instance: i, start: c, group: c.group, taken: size}, nil
}

// Allocate is called by the engine when it makes the instance.
func (a *memory) Allocate(uint64, uint64) experimental.LinearMemory { return a }

// Reallocate is called by the engine for the first pages, which are taken already, and when the code
// asks for more. If that passes a quota, the fiber unwinds.
func (a *memory) Reallocate(size uint64) []byte {
	if a.linear == nil {
		a.linear = make([]byte, size)
		return a.linear
	}
	more := size - uint64(len(a.linear))
	if err := a.group.Take(quota.Memory, int64(more)); err != nil {
		if err := cmp.Or(a.instance.user, a.start).Fiber.Checkpoint(); err != nil {
			panic(err)
		}
		return nil // it is the quota of another fiber, which has made the instance
	}
	a.taken += more
	a.resize(size)
	return a.linear
}

// resize lets the memory grow by an eighth more than asked for, so that growth by single pages copies
// in proportion to the size.
func (a *memory) resize(size uint64) {
	if size > uint64(cap(a.linear)) {
		grown := make([]byte, size, size+size/8)
		copy(grown, a.linear)
		a.linear = grown
		return
	}
	a.linear = a.linear[:size]
}

// Free is called by the engine when the instance is closed. A second call does nothing.
func (a *memory) Free() {
	a.group.Account().Give(quota.Memory, int64(a.taken))
	a.taken, a.linear = 0, nil
}
