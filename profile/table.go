package profile

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// table are the sampled stacks. Each place of the program is stored once.
type table struct {
	most   int
	places map[Frame]uint32 // an index of frames
	frames []Frame
	fibers map[Fiber]uint32 // an index of labels, from 1; 0 is no label
	labels []Fiber
	stacks map[string]*stack // by places and fiber
	key    []byte            // of the stack that is added
	found  []uint32          // its places
}

// stack is what was sampled of one fiber, or of any, in the same calls.
type stack struct {
	places []uint32 // the innermost first
	fiber  uint32
	count  int64
	value  int64 // nanoseconds or steps
}

// These stand for the stacks, and for the functions, that have no room.
const (
	otherStacks    = "(other stacks)"
	otherFunctions = "(other functions)"
)

// The limits of what is kept. Programs choose names.
const (
	placesPerStack = 4 // so many times MaxStacks is the most places
	maxName        = 200
)

// clipped is the start of a name that is too long.
func clipped(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "") + "…"
}

func newTable(most int) table {
	return table{most: most, places: map[Frame]uint32{}, fibers: map[Fiber]uint32{}, stacks: map[string]*stack{}}
}

// add counts a sample.
func (t *table) add(of Fiber, frames []Frame, value int64) {
	s := t.find(of, frames, t.most)
	if s == nil {
		s = t.find(Fiber{}, frames, 2*t.most)
	}
	if s == nil {
		s = t.find(Fiber{}, []Frame{{Function: otherStacks}}, 2*t.most+1)
	}
	s.count++
	s.value += value
}

// find returns the stack, which it makes if there are fewer than most; nil if not.
func (t *table) find(of Fiber, frames []Frame, most int) *stack {
	room := len(t.stacks) < most
	fiber, known := t.fiber(of, room)
	if !known {
		return nil
	}
	t.key = binary.AppendUvarint(t.key[:0], uint64(fiber))
	t.found = t.found[:0]
	for _, f := range frames {
		place, known := t.place(f, room)
		if !known {
			return nil
		}
		t.key, t.found = binary.AppendUvarint(t.key, uint64(place)), append(t.found, place)
	}
	s := t.stacks[string(t.key)]
	if s == nil && room {
		s = &stack{places: slices.Clone(t.found), fiber: fiber}
		t.stacks[string(t.key)] = s
	}
	return s
}

// place is the number of a frame.
func (t *table) place(f Frame, room bool) (n uint32, known bool) {
	f.Function, f.File = clipped(f.Function), clipped(f.File)
	if n, known = t.places[f]; !known && room {
		if len(t.frames) >= placesPerStack*t.most && f.Function != otherFunctions && f.Function != otherStacks {
			return t.place(Frame{Function: otherFunctions}, room)
		}
		f.Function, f.File = strings.Clone(f.Function), strings.Clone(f.File) // no memory of the program
		n, known = uint32(len(t.frames)), true
		t.places[f] = n
		t.frames = append(t.frames, f)
	}
	return n, known
}

func (t *table) fiber(of Fiber, room bool) (n uint32, known bool) {
	if of == (Fiber{}) {
		return 0, true
	}
	of.ID, of.Name = clipped(of.ID), clipped(of.Name)
	if n, known = t.fibers[of]; !known && room {
		of.ID, of.Name = strings.Clone(of.ID), strings.Clone(of.Name)
		t.labels = append(t.labels, of)
		n, known = uint32(len(t.labels)), true
		t.fibers[of] = n
	}
	return n, known
}

// sorted are the stacks in an order that does not depend on that of a map: the most sampled first.
func (t *table) sorted() []*stack {
	all := make([]*stack, 0, len(t.stacks))
	for _, s := range t.stacks {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *stack) int {
		if a.value != b.value {
			return cmp.Compare(b.value, a.value)
		}
		if a.fiber != b.fiber {
			return cmp.Compare(a.fiber, b.fiber)
		}
		return slices.Compare(a.places, b.places)
	})
	return all
}
