package scheduler

import (
	"fmt"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
)

// A fiber that is ready and tied to nothing can go on in another scheduler (DESIGN §2.2):
//
//	MoveOut  Runnable → Dead in the one: its ID and its tickets are spent
//	MoveIn   Dead → Runnable in the other: a new ID, at the back of the ready queue
//
// The owner of each does its part. Who hears how the fiber ends hears it at home, in the
// scheduler that it was spawned in (home.go).

// Moved is a fiber on its way: MoveOut has taken it out of a scheduler, and it goes on when
// MoveIn has brought it into one. Bring it in once: twice would be two fibers.
type Moved[T any] struct {
	// Data is the payload. What it holds must be of use in another scheduler, which a
	// channel, a lock, a ticket or an ID of the old one is not.
	Data    T
	luggage luggage
}

// luggage is what else of a fiber travels.
type luggage struct {
	last  fiber.Result // of its last wait, which it may yet claim
	lasts *side        // nil if it has nothing lasting
}

// MoveOut takes a fiber out of the scheduler. It must be Runnable, spawned as Movable, and
// tied to nothing here: it has no native frames, owns no lock, is in no scope or group, has
// no operation that is neither over nor given up and no place kept for one, is not the main
// fiber and not to unwind, and has claimed what an object assigned to it. It takes time in proportion to how many are ready behind
// it. Errors: ErrGone; ErrImmovable, with the reason.
func (s *Scheduler[T]) MoveOut(id fiber.RegularID) (Moved[T], error) {
	s.enter(OpMove)
	var m Moved[T]
	err := s.mayLeave(id)
	if err == nil {
		s.endBatch() // it may be of the batch
		s.ready.sift(1, s.ready.len(), func(slot uint32) bool { return slot == id.Index() })
		m = s.depart(id.Index())
	}
	s.leave()
	return m, err
}

// MoveOutLast moves out fibers from the back of the ready queue, at most n of them, and
// appends them to dst, the last one first. It passes over those that stay, and looks at no
// more than twice as many as it may take.
func (s *Scheduler[T]) MoveOutLast(n int, dst []Moved[T]) []Moved[T] {
	s.enter(OpMove)
	if s.ready.len() < 2*n && s.batchMayLeave() {
		s.endBatch()
	}
	s.ready.sift(n, 2*n, func(slot uint32) bool {
		leaves := s.stays(s.slots.at(slot), slot) == ""
		if leaves {
			dst = append(dst, s.depart(slot))
		}
		return leaves
	})
	s.leave()
	return dst
}

func (s *Scheduler[T]) depart(slot uint32) Moved[T] {
	h := s.slots.at(slot)
	return Moved[T]{(*Fiber[T])(unsafe.Pointer(h)).Data, s.moveOut(h, slot)}
}

// MoveIn brings a fiber in, at the back of the ready queue, under the ID it has here. A
// refusal leaves it as it is, to be brought in elsewhere. Errors: ErrTooManyFibers,
// ErrStopped.
func (s *Scheduler[T]) MoveIn(m Moved[T]) (fiber.RegularID, error) {
	s.enter(OpMove)
	if err := s.mayBegin(); err != nil {
		s.leave()
		return 0, err
	}
	slot, h := s.slots.take()
	(*Fiber[T])(unsafe.Pointer(h)).Data = m.Data
	s.moveIn(h, slot, m.luggage)
	s.leave()
	return fiber.NewRegularID(slot, h.gen), nil
}

// mayLeave is why the fiber cannot move out, or nil.
func (c *Core) mayLeave(id fiber.RegularID) error {
	h := c.slots.find(id.ID())
	if h == nil {
		return c.gone(id.ID())
	}
	if why := c.stays(h, id.Index()); why != "" {
		return fmt.Errorf("%w: %v %s", ErrImmovable, id, why)
	}
	return nil
}

// batchMayLeave tells whether a fiber of the batch can move out.
func (c *Core) batchMayLeave() bool {
	for i := c.taken; i != c.drawn; i++ {
		if c.stays(c.ahead[i], c.ids[i].Index()) == "" {
			return true
		}
	}
	return false
}

// stays is why a fiber cannot move, or "".
func (c *Core) stays(h *header, slot uint32) string {
	switch w := h.word; {
	case h.state() != fiber.Runnable:
		return "is " + h.state().String()
	case w&movable == 0:
		return "was not spawned as Movable"
	case w&(frames|nests|chained) != 0:
		return "has native frames"
	case w&(doomed|alarmed|fatal) != 0:
		return "is to unwind"
	case w&owed != 0:
		return "has not claimed the result of its last wait"
	case w&holds != 0:
		return "owns a lock"
	case c.io.Room().Keeps(fiber.Ticket{ID: fiber.NewRegularID(slot, h.gen).ID(), Seq: h.seq}):
		return "has a place kept for an operation"
	case c.io.OwnerIn(slot) != 0:
		return "has operations under way"
	case w&hasSide != 0:
		return c.sideOf(h).stays()
	}
	return ""
}

func (s *side) stays() string {
	switch {
	case s.cancel != notCancelled:
		return "is cancelled"
	case len(s.owned) > 0:
		return "owns a lock"
	case len(s.links) > 0:
		return "is linked to a scope or a group"
	case s.main:
		return "is the main fiber"
	}
	return ""
}

// moveOut ends the fiber here and packs what travels.
func (c *Core) moveOut(h *header, slot uint32) luggage {
	id := fiber.NewRegularID(slot, h.gen)
	c.unkeep(h)
	l := luggage{last: fiber.Result{Code: h.code(), Value: h.value}}
	if s := c.sideOf(h); s != nil {
		if s.keep {
			l.lasts = c.pack(s, id.ID())
		}
		c.freeSide(h)
	}
	c.pass(h, movedOut, slot)
	c.slots.give(slot, h)
	c.counts.MovedOut++
	if c.watch != nil {
		c.report(Transition{Op: OpMove, ID: id.ID(), Answer: "out"})
	}
	return l
}

// pack takes what lasts out of the fiber's record; who hears of its end stays at home.
func (c *Core) pack(s *side, id fiber.ID) *side {
	lasts := *s
	lasts.home = c.leaveHome(s, id)
	lasts.cell, lasts.ended = nil, nil
	s.panics = nil // the one that travels
	return &lasts
}

// moveIn is the fiber's second birth, in a slot just taken.
func (c *Core) moveIn(h *header, slot uint32, l luggage) {
	id := fiber.NewRegularID(slot, h.gen).ID()
	c.ready.fit(int(c.slots.used))
	h.seq = 0
	h.set(movable)
	h.conclude(l.last)
	if l.lasts != nil {
		c.unpack(c.keepSide(h), l.lasts, id)
	}
	c.pass(h, movedIn, slot)
	c.join(h, id)
	c.counts.MovedIn++
	if c.watch != nil {
		in := Transition{Op: OpMove, ID: id, Answer: "in"}
		if l.lasts != nil {
			in.Masks = l.lasts.masks
		}
		c.report(in)
	}
}

// unpack leaves the record its own lists, which are empty, as a traveller's are.
func (c *Core) unpack(s, lasts *side, id fiber.ID) {
	sources, owned, links := s.sources, s.owned, s.links
	*s = *lasts
	s.sources, s.owned, s.links = sources, owned, links
	c.comeHome(s, id)
}
