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
	free    uint32 // index+1 of the first free slot
	used    uint32 // slots that were ever handed out
	limit   uint32
	lives   uint32 // generations of a slot
	retired uint64 // slots at their last generation, never used again
	grow    func(slots int) chunk
}

// chunkSize is how many slots a chunk holds: few, because a scheduler with ten fibers pays
// for one chunk; and constant, because a lookup of a variable size takes longer.
const chunkSize = 64

func newTable(limit int, stride uintptr, grow func(slots int) chunk) table {
	return table{limit: uint32(limit), stride: stride, grow: grow}
}

// at is the header of a slot that exists.
func (t *table) at(slot uint32) *header {
	return (*header)(unsafe.Add(t.chunks[slot/chunkSize], uintptr(slot%chunkSize)*t.stride))
}

// peek is the header of any slot, or nil if there is no memory for one. A slot that was
// never handed out is Dead.
func (t *table) peek(slot uint32) *header {
	i := slot / chunkSize
	if uint64(i) >= uint64(len(t.chunks)) {
		return nil
	}
	return (*header)(unsafe.Add(t.chunks[i], uintptr(slot%chunkSize)*t.stride))
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
	if slot/chunkSize == uint32(len(t.chunks)) {
		t.chunks = append(t.chunks, t.grow(chunkSize))
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

// give takes a slot back, or retires it permanently if its generations are used up (I5).
func (t *table) give(slot uint32, h *header) {
	h.value, h.word = 0, h.word&stateMask
	if h.gen == t.lives {
		t.retired++
		return
	}
	h.ref, t.free = t.free, slot+1
}
