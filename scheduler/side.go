package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
)

// side is what only some fibers need. One without anything lasting in it is given
// back when the wait that needed it ends.
type side struct {
	// The current wait's, and until its result is claimed (the token: until it ends); a single
	// source that was kept, until the next wait.
	source   uint32
	sources  []uint32 // of a wait on several
	token    fiber.Token
	deadline fiber.Time

	// Lasting until death.
	keep     bool
	name     string
	cell     *ioqueue.Cell
	ended    func(any, error)
	home     *home // nil if it is here, or nobody there hears of its end
	result   any
	err      error
	owned    []fiber.OwnerHook
	links    []fiber.Link
	panics   *panicstate.State // nil until a guest has deferred or panicked here
	top      uint32            // trampoline index+1 of the chain's top; 0 without a chain
	native   bool              // the fiber had frames before its first trampoline
	main     bool              // its end ends the run
	policy   panicstate.Policy // what a panic that ends it does beyond it
	told     bool              // somebody hears how it ends, without a cell
	panicked bool              // the host says a panic ended it
	grace    bool              // a grace timer of it is in the wheel

	cancel cancelState
	masks  int
	cause  error // of the cancel, then of the kill
}

// cancelState is how far a cancellation has come. It never goes back.
type cancelState uint8

const (
	notCancelled cancelState = iota
	cancelPending
	cancelTaken // the fiber was told, and unwinds with further cancellation masked
)

// sideTable hands out side records by index; 0 is none. Records are reused with the
// memory of their slices and panic machines.
type sideTable struct {
	all  []*side
	free []uint32
}

func (t *sideTable) take() (uint32, *side) {
	if n := len(t.free); n > 0 {
		i := t.free[n-1]
		t.free = t.free[:n-1]
		return i, t.all[i-1]
	}
	s := new(side)
	t.all = append(t.all, s)
	return uint32(len(t.all)), s
}

func (t *sideTable) give(i uint32) {
	s := t.all[i-1]
	clear(s.owned)
	if s.panics != nil {
		s.panics.Reset()
	}
	clear(s.links)
	*s = side{sources: s.sources[:0], owned: s.owned[:0], links: s.links[:0], panics: s.panics}
	t.free = append(t.free, i)
}

// sideOf is the fiber's side record, or nil.
func (c *Core) sideOf(h *header) *side {
	if !h.has(hasSide) {
		return nil
	}
	return c.sides.all[h.ref-1]
}

// needSide gives the fiber a side record for as long as the current wait needs it.
// What the header's ref held until now moves into the record.
func (c *Core) needSide(h *header) *side {
	if s := c.sideOf(h); s != nil {
		return s
	}
	i, s := c.sides.take()
	s.source = c.sole(h)
	if h.has(armed) || h.state() == fiber.Blocked {
		switch h.kind() {
		case fiber.Timer:
			s.deadline = h.deadline()
			h.value = 0
		case fiber.IO:
			s.token = c.tokenOf(h)
		}
	}
	h.ref = i
	h.set(hasSide)
	return s
}

// keepSide is needSide for something that lasts until the fiber dies.
func (c *Core) keepSide(h *header) *side {
	s := c.needSide(h)
	s.keep = true
	return s
}

// dropSide gives the record back unless something lasting is in it.
func (c *Core) dropSide(h *header) {
	if s := c.sideOf(h); s != nil && !s.keep {
		c.freeSide(h)
	}
}

func (c *Core) freeSide(h *header) {
	if h.has(hasSide) {
		c.sides.give(h.ref)
		h.clear(hasSide)
		h.ref = 0
	}
}
