package wait

import (
	"math/bits"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

const (
	smallestRoll = 8    // slots of the first table
	keptRoll     = 1024 // a table of at most this many slots is never given back
)

// holders is who holds how much of something that several fibers can hold at once. It
// is a table with open addressing: no allocation once it is as large as it ever needs
// to be, and no order that differs from run to run (docs/design.md#determinism).
//
// Invariants, checked by the property test after every operation:
//   - a slot is empty (id 0) or holds more than nothing;
//   - between the home of an ID and its slot no slot is empty;
//   - at most half of the slots are taken, so that looking is short.
type holders struct {
	slots []holding // 0 or a power of two
	n     int
}

type holding struct {
	id     fiber.ID
	amount int64
}

// home is where an ID stands if nobody stood there before it.
func (h *holders) home(id fiber.ID) int {
	const golden = 0x9E3779B97F4A7C15 // spreads neighbouring slots and generations
	return int(uint64(id) * golden >> (64 - bits.TrailingZeros(uint(len(h.slots)))))
}

// find is the slot of the ID, or the empty one where it would go. There is a table.
func (h *holders) find(id fiber.ID) *holding {
	last := len(h.slots) - 1
	for i := h.home(id); ; i = (i + 1) & last {
		if s := &h.slots[i]; s.id == id || s.id == 0 {
			return s
		}
	}
}

// amount is what the ID holds, 0 if nothing.
func (h *holders) amount(id fiber.ID) int64 {
	if h.n == 0 {
		return 0
	}
	return h.find(id).amount
}

// add gives the ID more. The amount is not negative, and neither is it for nobody.
func (h *holders) add(id fiber.ID, amount int64) {
	if 2*(h.n+1) > len(h.slots) {
		h.resize(max(2*len(h.slots), smallestRoll))
	}
	s := h.find(id)
	if s.id == 0 {
		s.id = id
		h.n++
	}
	s.amount += amount
}

// take takes away what the ID is known to hold.
func (h *holders) take(id fiber.ID, amount int64) {
	s := h.find(id)
	if s.amount -= amount; s.amount == 0 {
		h.remove(id)
	}
}

// remove empties the ID's slot and moves up those who stand behind it because of it.
func (h *holders) remove(id fiber.ID) {
	last := len(h.slots) - 1
	hole := h.home(id)
	for h.slots[hole].id != id {
		hole = (hole + 1) & last
	}
	for i := (hole + 1) & last; h.slots[i].id != 0; i = (i + 1) & last {
		if away := (i - h.home(h.slots[i].id)) & last; away >= (i-hole)&last {
			h.slots[hole] = h.slots[i]
			hole = i
		}
	}
	h.slots[hole] = holding{}
	h.n--
	if len(h.slots) > keptRoll && 16*h.n <= len(h.slots) {
		h.resize(len(h.slots) / 4) // a burst is over
	}
}

func (h *holders) resize(n int) {
	old := h.slots
	h.slots = make([]holding, n)
	for _, s := range old {
		if s.id != 0 {
			*h.find(s.id) = s
		}
	}
}

// all appends the IDs in ascending order.
func (h *holders) all(dst []fiber.ID) []fiber.ID {
	from := len(dst)
	for _, s := range h.slots {
		if s.id != 0 {
			dst = append(dst, s.id)
		}
	}
	slices.Sort(dst[from:])
	return dst
}
