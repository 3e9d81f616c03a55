package opqueue

const (
	chunkBits = 9
	chunkSize = 1 << chunkBits
)

// table holds the slots in chunks, so that their addresses never change. Slot 0 is not used.
// Free slots are a stack linked through next: the slot freed last is reused first, because
// it is most likely in the cache.
type table struct {
	chunks  []*[chunkSize]slot
	free    uint32
	touched uint32 // the highest slot ever handed out
	len     int    // handed out, the retired ones included
}

// at is a slot that was handed out at least once; the caller knows that it exists.
func (t *table) at(i uint32) *slot { return &t.chunks[i>>chunkBits][i%chunkSize] }

// peek is the slot with any number, or nil if its chunk does not exist. A slot that was
// never handed out is in phase free.
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

// give puts a slot on the stack of free ones.
func (t *table) give(i uint32, s *slot) {
	s.next, t.free = t.free, i
	t.len--
}
