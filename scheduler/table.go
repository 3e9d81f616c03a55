package scheduler

import (
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
)

// chunk is the first slot of a run of slots whose addresses never change.
type chunk = unsafe.Pointer

// table is the slab of regular slots: chunks of Fiber[T], which it addresses by
// stride without knowing T, so that every transition but ScheduleNext and Spawn is
// ordinary, inlinable, non-generic code.
type table struct {
	chunks  []chunk
	stride  uintptr
	shift   uint32 // a chunk holds 1<<shift slots
	mask    uint32 // 1<<shift - 1
	free    uint32 // index+1 of the first free slot
	used    uint32 // slots that were ever handed out
	limit   uint32
	lives   uint32 // generations of a slot
	retired uint64 // slots at their last generation, never used again
	grow    func(slots int) chunk
}

// Small tables take small chunks: an embedder with ten fibers pays for ten.
const (
	smallShift = 4
	largeShift = 10
	smallTable = 256
)

func newTable(limit int, stride uintptr, grow func(slots int) chunk) table {
	t := table{limit: uint32(limit), stride: stride, grow: grow, shift: largeShift}
	if limit <= smallTable {
		t.shift = smallShift
	}
	t.mask = 1<<t.shift - 1
	return t
}

// at is the header of a slot that exists.
func (t *table) at(slot uint32) *header {
	return (*header)(unsafe.Add(t.chunks[slot>>(t.shift&31)], uintptr(slot&t.mask)*t.stride))
}

// find is the header of the fiber an ID names, or nil if it is not alive.
func (t *table) find(id fiber.ID) *header {
	slot := id.Index()
	if slot >= t.used {
		return nil
	}
	h := t.at(slot)
	if h.gen != id.Generation() || h.state() == fiber.Dead {
		return nil
	}
	return h
}

// hasRoom tells whether there is a slot to take.
func (t *table) hasRoom() bool { return t.free != 0 || t.used < t.limit }

// take hands out a Dead slot with its next generation. There is room.
func (t *table) take() (slot uint32, h *header) {
	if t.free != 0 {
		return t.reuse()
	}
	slot = t.used
	if slot>>t.shift == uint32(len(t.chunks)) {
		t.chunks = append(t.chunks, t.grow(1<<t.shift))
	}
	t.used++
	h = t.at(slot)
	h.gen++
	return slot, h
}

// reuse hands out the slot that was given back last. Dead slots carry no flags.
func (t *table) reuse() (slot uint32, h *header) {
	slot = t.free - 1
	h = t.at(slot)
	t.free, h.ref = h.ref, 0
	h.gen++
	return slot, h
}

// give takes a slot back, or retires it for ever if its generations are used up (I5).
func (t *table) give(slot uint32, h *header) {
	h.ref, h.value, h.word = t.free, 0, h.word&stateMask
	if h.gen == t.lives {
		h.ref = 0
		t.retired++
		return
	}
	t.free = slot + 1
}
