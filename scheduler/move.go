package scheduler

import (
	"fmt"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// A fiber that is ready and tied to nothing can move to another scheduler:
//
//	MoveOut  Runnable → Dead in the one: its ID and its tickets are spent
//	MoveIn   Dead → Runnable in the other: a new ID, at the back of the ready queue
//
// The owner of each scheduler does its part. What waits for the fiber's end stays in the
// scheduler where it began to wait (origin.go).
//
// A move is no death: no hook runs, no link is called, and I12 counts it as moved out and
// moved in. It is the end of a generation all the same, so tickets and IDs of the former
// slot are refused like those of a dead fiber (I5).

// Moved is a fiber on its way: MoveOut has taken it out of a scheduler, and it continues when
// MoveIn has brought it into one. It belongs to no scheduler; its holder may hand it to
// another goroutine, with a happens-before edge of its own. Bring it in once, or Abandon it:
// twice would be two fibers, and never would leave a join at an origin waiting. Nothing
// checks that.
type Moved[T any] struct {
	// Data is the payload. What it holds must be usable in another scheduler, which a
	// channel, a lock, a ticket or an ID of the old one is not.
	Data  T
	state moveState
}

// moveState is the part of a fiber that moves with its payload. Nothing in it refers to the
// scheduler that it leaves (IDs, tickets, source slots, timers), except the origins: immovable
// refuses a fiber that still needs such a reference.
type moveState struct {
	// How its last wait ended. The fiber may not have claimed it yet; a value that an object
	// had assigned it has claimed (owed is clear).
	lastResult fiber.Result
	// What lasts of its extension record (pack); nil if it had no lasting record.
	lasting *ext
}

// MoveOut takes a fiber out of the scheduler. The fiber must be Runnable, spawned as Movable,
// and tied to nothing here: it has no native frames, owns no lock, is in no scope or group,
// has no operation that is still awaited and no place reserved for one, is not the main fiber, not paused
// and not to unwind, and has claimed what an object assigned to it. The cost is proportional
// to the fibers that are ready behind it. It ends the batch under way, so a Poll comes next.
// Errors: ErrGone; ErrImmovable, with the reason; after either nothing has changed.
func (f Moves[T]) MoveOut(id fiber.RegularID) (Moved[T], error) {
	s := f.sched
	s.enter(op.Move)
	var m Moved[T]
	err := s.mover().mayLeave(id)
	if err == nil {
		s.run().endBatch() // it may be in the batch
		s.ring.sift(1, s.ring.len(), func(slot uint32) bool { return slot == id.Index() })
		m = f.take(id.Index())
	}
	s.leave()
	return m, err
}

// MoveOutLast moves out fibers from the back of the ready queue, at most n of them, and
// appends them to dst, the last one first. It skips those that cannot move, and examines at
// most 2n fibers, so its cost is O(n) however long the queue is. Those at the back have
// waited least and would run last here.
func (f Moves[T]) MoveOutLast(n int, dst []Moved[T]) []Moved[T] {
	s := f.sched
	s.enter(op.Move)
	// The batch is at the front: it is taken back only if the ring is too short, and if that
	// yields a fiber, because it costs a Poll.
	if s.ring.len() < 2*n && s.mover().batchMayLeave() {
		s.run().endBatch()
	}
	s.ring.sift(n, 2*n, func(slot uint32) bool {
		leaves := s.mover().immovable(s.slots.at(slot), slot) == ""
		if leaves {
			dst = append(dst, f.take(slot))
		}
		return leaves
	})
	s.leave()
	return dst
}

// take copies the payload before the slot is free. The caller has taken the slot out of the
// ready queue, or does so in the same step (sift), or I1 would break.
func (f Moves[T]) take(slot uint32) Moved[T] {
	h := f.sched.slots.at(slot)
	data := (*Fiber[T])(unsafe.Pointer(h)).Data
	return Moved[T]{data, f.sched.mover().out(h, slot)}
}

// MoveIn brings a fiber in, at the back of the ready queue, and returns its new ID; it may
// move again. Errors: ErrTooManyFibers, ErrStopped; the fiber can then be brought in
// elsewhere, also where it came from.
func (f Moves[T]) MoveIn(m Moved[T]) (fiber.RegularID, error) {
	s := f.sched
	s.enter(op.Move)
	if err := s.spawnError(); err != nil {
		s.leave()
		return 0, err
	}
	slot, h := s.slots.take()
	(*Fiber[T])(unsafe.Pointer(h)).Data = m.Data
	s.mover().in(h, slot, m.state)
	s.leave()
	return fiber.NewRegularID(slot, h.gen), nil
}

// mover has the steps of a move that do not depend on the payload: they are compiled once,
// not for each payload type.
type mover struct{ core *Core }

func (c *Core) mover() mover { return mover{c} }

// mayLeave is why the fiber cannot move out, or nil: ErrGone, ErrMovedOut, or ErrImmovable.
func (f mover) mayLeave(id fiber.RegularID) error {
	h := f.core.slots.find(id.ID())
	if h == nil {
		return f.core.gone(id.ID())
	}
	if why := f.immovable(h, id.Index()); why != "" {
		return fmt.Errorf("%w: %v %s", ErrImmovable, id, why)
	}
	return nil
}

// batchMayLeave tells whether a fiber of the batch can move out.
func (f mover) batchMayLeave() bool {
	c := f.core
	for i := c.taken; i != c.drawn; i++ {
		if f.immovable(c.ahead[i], c.ids[i].Index()) == "" {
			return true
		}
	}
	return false
}

// immovable is why a fiber cannot move, or "". The cheap tests come first: one word of the
// header, then the operation queue, then the record. For a fiber of the ready queue the
// answer is a constant, so a thief that examines many fibers allocates nothing.
func (f mover) immovable(h *header, slot uint32) string {
	c := f.core
	switch w := h.word; {
	case h.state() != fiber.Runnable:
		return "is " + h.state().String()
	case w&movable == 0:
		return "was not spawned as Movable"
	case w&(frames|nests|chained) != 0:
		return "has native frames"
	case w&interrupts != 0:
		return "is to unwind"
	case w&owed != 0:
		return "has not claimed the result of its last wait"
	case w&holds != 0:
		return "owns a lock"
	case c.io.Room().Reserved(fiber.Ticket{ID: fiber.NewRegularID(slot, h.gen).ID(), Seq: h.seq}):
		return "has a place kept for an operation"
	case c.io.OwnerIn(slot) != 0:
		return "has operations under way"
	case c.groups != nil && c.groups.at(slot) != nil:
		return "is counted in a Group"
	case c.emptyAt != lead && c.pauses.isHeld(slot):
		return "is paused"
	case w&hasExt != 0:
		return c.reg.ext(h).immovable()
	}
	return ""
}

// immovable is the part of the answer that needs the record. A cancellation counts also when
// the fiber has received it: its grace period may still run here.
func (s *ext) immovable() string {
	switch {
	case s.cancel != notCancelled:
		return "is cancelled"
	case s.owned.Len() > 0:
		return "owns a lock"
	case s.links.Len() > 0:
		return "is linked to a scope or a group"
	case s.paused:
		return "is paused"
	case s.main:
		return "is the main fiber"
	}
	return ""
}

// out ends the fiber here and packs what moves with it. The order matters: the kept source
// and the record are read and released while the header still refers to them; then the gate
// makes the fiber Dead, and give clears the header.
func (f mover) out(h *header, slot uint32) moveState {
	c := f.core
	id := fiber.NewRegularID(slot, h.gen)
	// The source of its last wait belongs to this scheduler.
	c.reg.unkeep(h)
	m := moveState{lastResult: fiber.Result{Code: h.code(), Value: h.value}}
	if s := c.reg.ext(h); s != nil {
		if s.keep {
			m.lasting = f.pack(s, id.ID())
		}
		c.reg.freeExt(h)
	}
	passSlow(c, h, movedOut, slot)
	c.slots.dropPayload(h)
	c.slots.give(slot, h)
	c.counts.MovedOut++
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Move, ID: id.ID(), Answer: "out"})
	}
	return m
}

// pack takes what lasts out of the fiber's record: name, policy, masks, panic machine, and
// the result that it has set. What waits for its end stays here. The record itself
// stays here, for this scheduler's next fiber.
func (f mover) pack(s *ext, id fiber.ID) *ext {
	lasting := *s
	lasting.origin = f.core.keepJoiner(s, id)
	lasting.cell, lasting.ended = nil, nil
	// It moves with the fiber; freeing the record would reset it.
	s.panics = nil
	return &lasting
}

// in starts the fiber here, in a slot just taken.
func (f mover) in(h *header, slot uint32, m moveState) {
	c := f.core
	id := fiber.NewRegularID(slot, h.gen).ID()
	c.ring.fit(int(c.slots.used))
	// The slot still has the number of its last fiber's wait; this fiber has had none here.
	h.seq = 0
	// give has cleared the flags of the slot, and the fiber had no other: see immovable.
	h.set(movable)
	h.conclude(m.lastResult)
	if m.lasting != nil {
		f.unpack(c.reg.keepExt(h), m.lasting, id)
	}
	passSlow(c, h, movedIn, slot)
	c.run().join(h, id)
	c.counts.MovedIn++
	if c.observer != nil {
		in := Transition{Op: op.Move, ID: id, Answer: "in"}
		if m.lasting != nil {
			in.Masks = m.lasting.masks
		}
		c.observer.report(in)
	}
}

// unpack fills the record with what lasts. The record keeps its own lists, for their memory:
// the lists of a moving fiber are empty, and belong to a record of the other scheduler.
func (f mover) unpack(s, lasting *ext, id fiber.ID) {
	sources, owned, links := s.sources, s.owned, s.links
	*s = *lasting
	s.sources, s.owned, s.links = sources, owned, links
	restoreJoiner(f.core, s, id)
}

// Abandon ends a fiber that will not be brought in: at its origins it was killed, with that
// cause (nil: ErrKilled). Joins there end, and Ended is called, at the origin's next poll;
// the failure is not reported as unobserved, because it was requested. It only posts to the
// origins' inboxes, so it is safe on any goroutine.
func (m Moved[T]) Abandon(cause error) {
	if s := m.state.lasting; s != nil {
		s.endContexts(killError(cause))
		s.origin.notify(fiber.Death{Err: killError(cause), Killed: true}, false)
	}
}
