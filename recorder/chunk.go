package recorder

import (
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// room is how many of each a chunk holds. It is full when there might be no room for the entries of one more
// call.
type room struct{ entries, marks, details, outside int }

// An exact recording has two marks for each slice.
var (
	usualRoom = room{entries: 8192, marks: 2048, details: 4096, outside: 1024}
	exactRoom = room{entries: 4096, marks: 4096, details: 4096, outside: 1024}
)

// share is a number of chunks among which the memory is divided if each may be larger than the least.
const share = 16

// of is the room of each chunk if all together have so many bytes.
func (r room) of(size int) room {
	n := max(size/share/r.bytes(), 1)
	return room{r.entries * n, r.marks * n, r.details * n, r.outside * n}
}

func (r room) bytes() int {
	return r.entries*int(unsafe.Sizeof(scheduler.Entry{})) + r.marks*int(unsafe.Sizeof(mark{})) +
		r.details*int(unsafe.Sizeof(more{})) + r.outside*int(unsafe.Sizeof(span{})) + int(unsafe.Sizeof(chunk{}))
}

// chunk is a piece of the recording. Its lists are in the order of the entries, and never grow.
type chunk struct {
	first   uint64 // the number of the first entry
	start   since
	entries []scheduler.Entry
	marks   []mark
	details []more
	outside []span
	settled int // how many of the entries are in the sums
	resume  since
}

// mark is an instant: the entries before the index happened before it, the others after it.
type mark struct {
	index   uint32
	current uint32 // the slot of the fiber that ran then, plus 1; 0 is none
	at      int64
}

// span is a range of entries that came from outside of the slices.
type span struct{ index, n uint32 }

// more is what is known of one entry besides. The numbers are those of objects, places, names and functions; 0
// is not known.
type more struct {
	index, object, place, name, function uint32
	kind                                 fiber.Kind // of the wait that begins; 0 is not known
}

func newChunk(r room) *chunk {
	return &chunk{
		entries: make([]scheduler.Entry, 0, r.entries), marks: make([]mark, 0, r.marks),
		details: make([]more, 0, r.details), outside: make([]span, 0, r.outside),
	}
}

// covered tells whether all entries happened before the last mark.
func (c *chunk) covered() bool {
	n := len(c.marks)
	return n > 0 && int(c.marks[n-1].index) == len(c.entries)
}

// begin empties the chunk.
func (c *chunk) begin(first uint64, at since) {
	*c = chunk{
		first: first, start: at, resume: at,
		entries: c.entries[:0], marks: c.marks[:0], details: c.details[:0], outside: c.outside[:0],
	}
}

// hasRoom tells whether n entries fit, and all that can be known of them. Two marks are kept in reserve, for
// nextChunk and Flush.
func (c *chunk) hasRoom(n int) bool {
	return len(c.entries)+n <= cap(c.entries) && len(c.marks)+4 <= cap(c.marks) &&
		len(c.details)+n <= cap(c.details) && len(c.outside) < cap(c.outside)
}
