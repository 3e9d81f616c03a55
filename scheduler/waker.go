package scheduler

import (
	"errors"
	"runtime"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
)

// ErrWakerBusy: a Waker ends one wait at a time.
var ErrWakerBusy = errors.New("scheduler: another fiber waits for this waker")

// Waker ends the wait of one fiber from other goroutines, again and again. It is what
// Inbox.Deliver is for a wake that comes often: no allocation, two atomic steps for whoever
// wakes, who also learns at once whether it was the one.
//
//	t := s.Arm(fiber.OnQueue().FromOutside(), w.Source())
//	err := w.Park(t)
//	s.Block()                                   // … elsewhere: w.Wake(result)
//
// While somebody holds a Sender, a wait need not be FromOutside, and BlockOn is the cheaper
// way into it:
//
//	t, _ := s.BlockOn(w.Source())
//	err := w.Park(t)
//
// A Waker is a Source: when the wait ends otherwise, Wake finds nothing to end. Wakes of
// several Wakers are delivered in the order in which they came, at the next poll, before
// the commands in the Inbox.
type Waker struct {
	anchor fiber.Anchor
	core   *Core
	// armed is the Seq of the wait to be ended, or one of the marks below. The owner arms,
	// whoever changes it to spent has won and hands the Waker over to the owner.
	armed  atomic.Uint64
	ticket fiber.Ticket // the owner's
	result fiber.Result // the winner's, until it has handed over
	next   *Waker       // of those handed over, the one before it
	back   bool         // the owner's: it has been handed over, and can be parked again
}

// The marks: no Seq has these values.
const (
	disarmed = 0
	spent    = ^uint64(0)
)

// NewWaker makes a Waker for the fibers of this scheduler.
func (c *Core) NewWaker() *Waker { return &Waker{core: c} }

// Park registers the ticket of a wait that has just been armed with this Waker as its
// source. It is the owner's. Errors: ErrWakerBusy.
func (w *Waker) Park(t fiber.Ticket) error {
	switch w.armed.Load() {
	case disarmed:
	case spent:
		for !w.back {
			w.core.collectWakers() // for an earlier wait, which is over
			if !w.back {
				runtime.Gosched() // whoever was first is about to hand it over
			}
		}
	default:
		return ErrWakerBusy
	}
	w.back = false
	w.ticket = t
	w.armed.Store(t.Seq)
	return nil
}

// Wake ends the wait, from any goroutine, and tells whether it is the one that does: false
// if nobody waits, or if another Wake was first. What the owner does before it next polls
// can still end the wait otherwise (a kill, a cancel); the result is nobody's then. A Code
// other than OK, Closed and Failed is Failed.
func (w *Waker) Wake(r fiber.Result) bool {
	for {
		seq := w.armed.Load()
		if seq == disarmed || seq == spent {
			return false
		}
		if w.armed.CompareAndSwap(seq, spent) {
			w.handOver(r)
			return true
		}
	}
}

// WakeOnly is Wake for one wait and none that came after it.
func (w *Waker) WakeOnly(t fiber.Ticket, r fiber.Result) bool {
	if t.Seq == disarmed || t.Seq == spent || !w.armed.CompareAndSwap(t.Seq, spent) {
		return false
	}
	w.handOver(r)
	return true
}

func (w *Waker) handOver(r fiber.Result) {
	if r.Code < fiber.OK || r.Code > fiber.Failed {
		r = fiber.Result{Code: fiber.Failed}
	}
	w.result = r
	b := w.core.inbox
	for {
		last := b.woken.Load()
		w.next = last
		if b.woken.CompareAndSwap(last, w) {
			b.rouse()
			return
		}
	}
}

// Source is what a wait for the Waker is armed with.
func (w *Waker) Source() fiber.Source { return (*wakerSource)(w) }

// wakerSource is a Waker as the scheduler sees it: the same memory, other methods.
type wakerSource Waker

var _ fiber.Source = (*wakerSource)(nil)

// Anchored is the place for the scheduler's note about the Waker.
func (w *wakerSource) Anchored() *fiber.Anchor { return &w.anchor }

// Withdraw disarms it. A Wake that came first has no effect then.
func (w *wakerSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	w.armed.CompareAndSwap(t.Seq, disarmed)
	return dst
}

// Holds reports whether a Wake would end this wait.
func (w *wakerSource) Holds(t fiber.Ticket) bool {
	return t.Seq != disarmed && w.armed.Load() == t.Seq
}

// collectWakers delivers what Wakers were used for, in the order in which they were.
func (c *Core) collectWakers() {
	var first *Waker
	for w := c.inbox.woken.Swap(nil); w != nil; {
		w.next, first, w = first, w, w.next
	}
	for w := first; w != nil; {
		next, t, r := w.next, w.ticket, w.result
		w.next, w.back = nil, true
		c.Apply(fiber.Wakeup{Ticket: t, Result: r, From: w.anchor.Slot()})
		w = next
	}
}
