package ioqueue

const (
	chunkBits = 9
	chunkSize = 1 << chunkBits
)

// table is the slots, whose addresses never change. Slot 0 is none. Those that are free are
// a list through next, the one freed last first: it is the one most likely at hand.
type table struct {
	chunks  []*[chunkSize]slot
	free    uint32
	touched uint32 // the highest slot ever handed out
	len     int    // handed out, the retired ones included
}

// at is a slot that was handed out at least once.
func (t *table) at(i uint32) *slot { return &t.chunks[i>>chunkBits][i%chunkSize] }

// peek is the slot of any number, or nil if there is no memory for one. One that was never
// handed out is free.
func (t *table) peek(i uint32) *slot {
	if c := i >> chunkBits; int(c) < len(t.chunks) {
		return &t.chunks[c][i%chunkSize]
	}
	return nil
}

// unused is a slot that was never handed out. It allocates when all the chunks are full.
func (t *table) unused() uint32 {
	t.touched++
	if int(t.touched>>chunkBits) == len(t.chunks) {
		t.chunks = append(t.chunks, new([chunkSize]slot))
	}
	return t.touched
}

// give puts a slot on the list of free ones.
func (t *table) give(i uint32, s *slot) {
	s.next, t.free = t.free, i
	t.len--
}
