package scheduler

import (
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
)

// chunk is the first slot of a run of slots whose addresses never change. It is an ordinary
// pointer to the garbage collector, which keeps the whole run, and scans the payloads by
// their own type.
type chunk = unsafe.Pointer

// table is the slab of regular slots: chunks of Fiber[T], which it addresses by stride
// without knowing T, so that every transition but ScheduleNext and Spawn is ordinary,
// inlinable, non-generic code.
//
// It grows by chunks and never shrinks or moves, so a header may be kept across operations
// (the batch, the pins). Slots below used are alive, free or retired, each exactly one of
// these (I5, I12).
type table struct {
	chunks  []chunk
	stride  uint32 // bytes between two slots
	retired uint32 // slots at their last generation, never used again
	// Index+1 of the first free slot; 0 is none. The list continues in header.ref of dead
	// slots.
	free  uint32
	used  uint32 // slots that were ever handed out
	limit uint32
	lives uint32        // a slot is retired after this generation
	drop  func(*header) // clears the payload of a slot; nil if payloads hold no pointers
	grow  func(slots int) chunk
}

// chunkSize is how many slots a chunk holds: few, because a scheduler with ten fibers pays
// for one chunk; and constant, because a lookup of a variable size takes longer.
const chunkSize = 64

func newTable(limit int, stride uintptr, grow func(slots int) chunk) table {
	return table{limit: uint32(limit), stride: uint32(stride), grow: grow}
}

// at is the header of a slot that exists: its chunk has been allocated. Only the chunk is
// checked, by the index of the slice. The division and the remainder are by a constant power
// of two.
func (t *table) at(slot uint32) *header {
	return (*header)(unsafe.Add(t.chunks[slot/chunkSize], uintptr(slot%chunkSize)*uintptr(t.stride)))
}

// peek is the header of any slot, or nil if there is no memory for one: the index may come
// from a forged ticket. A slot that was never handed out is Dead, so no ticket fits it.
func (t *table) peek(slot uint32) *header {
	i := slot / chunkSize
	if uint64(i) >= uint64(len(t.chunks)) {
		return nil
	}
	return (*header)(unsafe.Add(t.chunks[i], uintptr(slot%chunkSize)*uintptr(t.stride)))
}

// find is the header of the fiber an ID names, or nil if it is not alive. Both tests are
// needed: after a death the slot keeps its generation until it is used again.
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

// take hands out a Dead slot with its next generation. There is room. Free slots come first,
// so the table has as many slots as were alive at once, and the retired ones. Amortized O(1);
// only a new chunk allocates.
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

// reuse hands out the slot that was given back last, whose memory is likely in the cache.
// Dead slots carry no flags, so only the link of the list is cleared. The generation makes
// all earlier IDs and tickets of the slot stale (I5); seq stays, because the next wait has a
// higher number anyway.
func (t *table) reuse() (slot uint32, h *header) {
	slot = t.free - 1
	h = t.at(slot)
	t.free, h.ref = h.ref, 0
	h.gen++
	return slot, h
}

// give takes a slot back, or retires it permanently if its generations are used up (I5): a
// generation that wrapped around would make an old ticket valid again. The state is Dead
// already; the flags and the value go. The caller has dropped what ref stood for, and the payload.
func (t *table) give(slot uint32, h *header) {
	h.value, h.word = 0, h.word&stateMask
	if h.gen == t.lives {
		t.retired++
		return
	}
	h.ref, t.free = t.free, slot+1
}

// dropPayload clears the payload of a slot that is about to be given back: the slot may stay free
// for as long as the scheduler lives. It is not part of give, so that the compiler inlines both.
func (t *table) dropPayload(h *header) {
	if t.drop != nil {
		t.drop(h)
	}
}
