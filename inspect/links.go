package inspect

import (
	"cmp"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// links are the edges of a snapshot the other way round.
type links struct {
	waiters [][]int32             // by source: the indexes of the fibers that wait on it
	holds   map[fiber.ID][]uint32 // by holder: the sources
	roots   []int32               // the indexes of the fibers, in slot order
}

// linked are the links of the view, which are made when they are first needed.
func (v *view) linked() *links {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.links != nil {
		return v.links
	}
	s := &v.snapshot
	l := &links{waiters: make([][]int32, len(s.Sources)), holds: map[fiber.ID][]uint32{}}
	for at, f := range s.Fibers {
		for _, source := range s.On(f) {
			l.waiters[source] = append(l.waiters[source], int32(at))
		}
		if !f.ID.IsTrampoline() {
			l.roots = append(l.roots, int32(at))
		}
	}
	for source := range s.Sources {
		for _, holder := range s.Holders(s.Sources[source]) {
			l.holds[holder] = append(l.holds[holder], uint32(source))
		}
	}
	v.links = l
	return l
}

// index is where a fiber is in the snapshot, or -1. Native calls, of which there are few, are looked for one by one.
func (v *view) index(l *links, id fiber.ID) int {
	if id.IsTrampoline() {
		return v.find(id)
	}
	at, found := slices.BinarySearchFunc(l.roots, id, func(root int32, id fiber.ID) int {
		return cmp.Compare(v.snapshot.Fibers[root].ID.Index(), id.Index())
	})
	if !found || v.snapshot.Fibers[l.roots[at]].ID != id {
		return -1
	}
	return int(l.roots[at])
}

// callerOf is the index of the fiber that waits for a native call, or -1.
func (v *view) callerOf(at int) int {
	if at > 0 && v.snapshot.Fibers[at-1].Calls {
		return at - 1
	}
	return -1
}

// find is the index of a fiber in the snapshot, or -1.
func (v *view) find(id fiber.ID) int {
	return slices.IndexFunc(v.snapshot.Fibers, func(f scheduler.FiberState) bool { return f.ID == id })
}
