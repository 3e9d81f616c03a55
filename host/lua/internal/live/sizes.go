package live

import "sync"

// largest is the size of the largest objects that Go's allocator rounds to one of its classes. Larger
// ones have whole pages.
const largest = 32 << 10

// classes are the sizes that Go's allocator rounds to, by the size in words.
var classes = sync.OnceValue(func() *[largest/8 + 1]uint16 {
	var table [largest/8 + 1]uint16
	for words := 1; words < len(table); {
		class := cap(append([]byte(nil), make([]byte, 8*words)...)) // which append rounds up
		for ; words < len(table) && 8*words <= class; words++ {
			table[words] = uint16(class)
		}
	}
	return &table
})

// text is what Go allocates for n bytes without pointers.
func (w *Walk) text(n int) int64 {
	if n > largest {
		return int64(n+pageSize-1) &^ (pageSize - 1)
	}
	return int64(w.classes[(n+7)/8])
}

// object is what Go allocates for n bytes with pointers: above 512 bytes they have a header.
func (w *Walk) object(n int) int64 {
	if n > 512 && n <= largest {
		n += 8
	}
	return w.text(n)
}

// The maps of Go's runtime: groups of eight slots, of which seven are used on average before the table
// doubles, up to tableSlots; then it divides.
const (
	groupSlots = 8
	tableSlots = 1024
	mapHeader  = 48
	tableSize  = 32
)

// mapOf is the size of a map with so many slots, of slot bytes.
func (w *Walk) mapOf(slots, slot int) int64 {
	group := groupSlots + groupSlots*slot
	switch {
	case slots == 0:
		return mapHeader
	case slots <= groupSlots:
		return mapHeader + w.object(group)
	}
	tables := max(1, slots/tableSlots)
	groups := min(slots, tableSlots) / groupSlots
	return mapHeader + int64(tables)*(w.object(groups*group)+tableSize+8)
}

// slotsOf is how many slots a map has that has grown to n entries. The tables of a large map are
// not all divided at the same time: between 95 % and 105 % of the entries that they have room for, part
// of them is.
func slotsOf(n int) int {
	slots := groupSlots
	if n <= slots {
		return slots
	}
	for n > room(slots) && slots <= tableSlots {
		slots *= 2
	}
	if slots <= tableSlots {
		return slots
	}
	for n > room(slots)*105/100 {
		slots *= 2
	}
	if low := room(slots) * 95 / 100; n > low {
		slots += slots * (n - low) / (room(slots) / 10)
	}
	return slots
}

// room is how many entries the slots of full tables have room for.
func room(slots int) int { return slots / groupSlots * 7 }
