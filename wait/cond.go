package wait

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// Cond lets the owner of a Mutex wait until somebody says that what it looks for may
// have come true. Waiting gives the lock up and registers in one step. A signal does
// not wake anybody yet: it moves the one that has waited longest into the line for the
// lock, behind those who wait for it already, so that it wakes as the owner and no
// wake is wasted on finding the lock taken.
//
// The flow of a host, in which sched.Disown and sched.Own keep the mutex registered as
// on every unlock and lock:
//
//	t := sched.Arm(fiber.OnQueue().By(deadline), cond)
//	w, err := cond.ParkWait(t, id)          // the lock is released
//	sched.Disown(mutex)
//	sched.Apply(w)                          // its next owner, if any
//	sched.Block()
//	// … resumed:
//	switch t, res := sched.Claim(); res.Code {
//	case fiber.OK:                          // signalled, and owner of the lock again
//		cond.Collect(t)
//		sched.Own(mutex)
//	case fiber.TimedOut, fiber.Cancelled:   // not the owner: lock the mutex as always,
//		…                                   // with cancellation masked and no deadline,
//		                                    // then report how the wait ended
//	case fiber.Failed, fiber.Killed:        // not the owner, and will not be
//	}
//
// As anywhere, who wakes looks again whether it is true: others had the lock between
// the signal and the wake.
//
// A signal is not lost with the one it chose: if that gives up or dies before it has
// the lock and has run, the next one is signalled in its place. A Broadcast was for
// those who waited then, and is not passed on. Signalling needs no lock.
//
// Make one with NewCond; the zero Cond has no lock and nobody can wait on it.
//
// Invariants, checked by the property test after every operation:
//   - somebody stands in line only while the lock has an owner;
//   - the conds of the mutex include this one exactly while somebody waits here.
type Cond struct {
	Object
	m       *Mutex
	waiting waitq.Queue[fiber.ID] // for a signal, each with the owner it will be
	line    waitq.Queue[place]    // signalled; they stand in the line for the lock
	chosen  fiber.Ticket          // who got the lock last because of a Signal
}

// place is a signalled waiter's in the line for the lock. The mutex sorts its own
// queue by Seq, and a signalled ticket is older than its place; so it stands here.
type place struct {
	owner  fiber.ID
	turn   uint64 // counts through all conds of the mutex
	after  uint64 // the newest Seq that waited for the lock when it was signalled
	single bool   // by Signal, not Broadcast
}

// NewCond makes a condition of what the mutex guards. A nil mutex panics.
func NewCond(m *Mutex) *Cond {
	if m == nil {
		panic(&ContractError{Rule: rule.ValidArgument, Op: "make", Object: "cond",
			Fix: "the mutex is nil; pass the lock that guards what is waited for"})
	}
	return &Cond{m: m}
}

// Mutex is the lock; nil for the zero Cond.
func (c *Cond) Mutex() *Mutex { return c.m }

// Waiting counts those who wait for a signal.
func (c *Cond) Waiting() int { return c.waiting.Waiting() }

// Admit is as for a Chan: it refuses a fiber of another scheduler, the lock's included.
func (c *Cond) Admit(scheduler uint16) error {
	switch {
	case !c.belongs(scheduler):
		return c.refuse("use", 0, 0, ErrForeign)
	case c.m != nil:
		return c.m.Admit(scheduler)
	}
	return nil
}

// Signal lets the one go on that has waited longest, as soon as it has the lock. If the
// lock is free, it has it at once and is in the wakeup.
func (c *Cond) Signal() fiber.Wakeup {
	w := c.signal(true)
	c.leave()
	return w
}

// Broadcast lets everybody go on who waits, one after the other as each gets the lock.
// If the lock is free, the first has it at once and is in the wakeup.
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
	if c.m.owner == 0 { // so nobody is in line
		c.choose(t, single)
		return c.m.grant(t, tag, owner)
	}
	c.m.turns++
	c.m.inLine++
	c.line.Push(t, tag, place{owner, c.m.turns, c.m.waiting.Newest().Seq, single})
	return fiber.Wakeup{}
}

// choose notes a Signal until its waiter has run.
func (c *Cond) choose(t fiber.Ticket, single bool) {
	if single {
		c.chosen = t
	}
}

// leave takes the cond off the mutex's list when its last waiter has gone.
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
