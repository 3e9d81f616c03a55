package wait

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// Cond lets the owner of a Mutex wait for a signal that a condition may have become true.
// ParkWait releases the lock and registers in one step. A signal does not wake a fiber
// yet: it moves the longest-waiting fiber into the line for the lock, behind those that
// wait for it already. So the fiber wakes as the owner, and no wake-up is wasted on
// finding the lock taken.
//
// The flow of a host, in which sched.Disown and sched.Own register the mutex as on every
// unlock and lock:
//
//	t := sched.Arm(fiber.OnQueue().By(deadline), cond.Source())
//	w, err := cond.ParkWait(t, id)          // the lock is released
//	sched.Disown(mutex.OwnerHook())
//	sched.Apply(w)                          // its next owner, if any
//	sched.Block()
//	// … resumed:
//	switch t, res := sched.Claim(); res.Code {
//	case fiber.OK:                          // signaled, and owner of the lock again
//		cond.Collect(t)
//		sched.Own(mutex.OwnerHook())
//	case fiber.TimedOut, fiber.Cancelled:   // not the owner: lock the mutex as always,
//		…                                   // with cancellation masked and no deadline,
//		                                    // then report how the wait ended
//	case fiber.Failed, fiber.Killed:        // not the owner, and will not be
//	}
//
// A fiber that wakes must check the condition again: other fibers had the lock between
// the signal and the wake-up.
//
// A signal is not lost with the fiber it chose: if that fiber gives up or dies before it
// has the lock and has run, the next one is signaled in its place. A Broadcast was for the
// fibers that waited then, and is not passed on. A signal needs no lock.
//
// Make one with NewCond; the zero Cond has no lock, and a wait on it panics.
//
// Invariants, checked by the property test after every operation:
//   - the line is empty while the lock has no owner;
//   - the conds of the mutex include this one exactly while a fiber waits here.
type Cond struct {
	Object
	m       *Mutex
	waiting waitq.Queue[fiber.ID] // for a signal, each with the owner it will be
	line    waitq.Queue[place]    // signaled; part of the line for the lock
	chosen  fiber.Ticket          // the ticket that got the lock last because of a Signal
}

// place is the place of a signaled waiter in the line for the lock. It is not in the
// mutex's own queue, because that is sorted by Seq and a signaled ticket is older than its
// place in the line.
type place struct {
	owner  fiber.ID
	turn   uint64 // counts the signaled waiters of all conds of the mutex
	after  uint64 // the newest Seq that waited for the lock at the signal
	single bool   // by Signal, not Broadcast
}

// NewCond makes a condition of the state that the mutex guards. A nil mutex panics.
func NewCond(m *Mutex) *Cond {
	if m == nil {
		panic(&ContractError{Rule: rule.ValidArgument, Op: "make", Object: "cond",
			Fix: "the mutex is nil; pass the lock that guards what is waited for"})
	}
	return &Cond{m: m}
}

// Mutex is the lock; nil for the zero Cond.
func (c *Cond) Mutex() *Mutex { return c.m }

// Signal moves the longest-waiting fiber into the line for the lock. If the lock is free,
// the fiber owns it at once and is in the wakeup.
func (c *Cond) Signal() fiber.Wakeup {
	w := c.signal(true)
	c.leave()
	return w
}

// Broadcast moves all waiting fibers into the line for the lock; each wakes when it is its
// turn. If the lock is free, the first owns it at once and is in the wakeup.
func (c *Cond) Broadcast() (first fiber.Wakeup) {
	for c.waiting.Waiting() > 0 {
		if w := c.signal(false); !w.IsZero() {
			first = w
		}
	}
	c.leave()
	return first
}

func (c *Cond) signal(single bool) fiber.Wakeup {
	t, tag, owner, ok := c.waiting.Pop()
	if !ok {
		return fiber.Wakeup{}
	}
	if c.m.owner == 0 { // so the line is empty
		c.choose(t, single)
		return c.m.grant(t, tag, owner)
	}
	c.m.turns++
	c.m.inLine++
	c.line.Push(t, tag, place{owner, c.m.turns, c.m.waiting.Newest().Seq, single})
	return fiber.Wakeup{}
}

// choose notes the waiter of a Signal until it has run, so that the signal can be passed
// on if it dies before.
func (c *Cond) choose(t fiber.Ticket, single bool) {
	if single {
		c.chosen = t
	}
}

// leave takes the cond off the mutex's list if it has no waiters left.
func (c *Cond) leave() {
	if c.m == nil || !c.empty() {
		return
	}
	if i := slices.Index(c.m.conds, c); i >= 0 {
		c.m.conds = slices.Delete(c.m.conds, i, i+1)
	}
}

func (c *Cond) empty() bool { return c.waiting.Waiting()+c.line.Waiting() == 0 }

func (c *Cond) refuse(op string, owner, by fiber.ID, why error) *Error {
	return &Error{Op: op, Object: c.title(), Owner: owner, By: by, Err: why}
}

func (c *Cond) title() string { return c.label("cond") }
