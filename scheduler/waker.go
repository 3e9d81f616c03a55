package scheduler

import (
	"errors"
	"runtime"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// ErrWakerBusy: another wait is parked on the Waker, and has not been woken or withdrawn; a
// Waker ends one wait at a time. Nothing has changed; the caller disarms its ticket.
var ErrWakerBusy = errors.New("scheduler: another fiber waits for this waker")

// Waker ends the wait of one fiber from other goroutines, again and again. It is the fast
// form of Inbox.Deliver: it allocates nothing, costs the waking goroutine two atomic
// operations, and tells it at once whether it was the one that ended the wait.
//
//	t := s.Arm(fiber.OnQueue().FromOutside(), w.Source())
//	err := w.Park(t)
//	s.Block()                                   // … elsewhere: w.Wake(result)
//
// While a Sender is open, a wait need not be FromOutside, and BlockOn is the faster way into
// it:
//
//	t, _ := s.BlockOn(w.Source())
//	err := w.Park(t)
//
// A Waker is waited on through its Source: when the wait ends otherwise, Wake finds nothing
// to end. Wakes of several Wakers are delivered in order of arrival, at the next poll, before
// the commands in the Inbox.
type Waker struct {
	anchor fiber.Anchor
	core   *Core
	// armed is the Seq of the wait to end, or one of the marks below. The owner arms it. The
	// goroutine that changes it to spent has won and hands the Waker over to the owner: its
	// write of result happens-before the owner's read.
	armed  atomic.Uint64
	ticket fiber.Ticket // the owner's
	result fiber.Result // the winner's, until it has handed over
	next   *Waker       // of those handed over, the one before it
	// The owner's: it has been handed over, and can be parked again. Until then next is in
	// use.
	back bool
}

// The marks: no Seq has these values.
const (
	disarmed = 0
	spent    = ^uint64(0)
)

// NewWaker makes a Waker for the fibers of this scheduler.
func (f Attachments) NewWaker() *Waker { return &Waker{core: f.core} }

// Park registers the ticket of a wait that has just been armed with this Waker as its source.
// The owner calls it. Errors: ErrWakerBusy. It waits for another goroutine in one case only:
// an earlier Wake has won and has not handed the Waker over yet, which it does in a few
// instructions.
func (w *Waker) Park(t fiber.Ticket) error {
	if invariants.On {
		w.core.checkOwner(op.Arm)
	}
	switch w.armed.Load() {
	case disarmed:
	case spent:
		for !w.back {
			w.core.collectWakers() // for an earlier wait, which is over
			if !w.back {
				runtime.Gosched() // the goroutine that won is about to hand it over
			}
		}
	default:
		return ErrWakerBusy
	}
	w.back = false
	w.ticket = t
	// Last: from here on a Wake may hand the Waker over.
	w.armed.Store(t.Seq)
	return nil
}

// Wake ends the wait, from any goroutine, and tells whether it is the call that does: false if
// no fiber waits, or if another Wake was first. Before its next poll the owner can still end
// the wait otherwise (a kill, a cancel); the result is dropped then. A Code other than OK,
// Closed and Failed becomes Failed.
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

// WakeOnly is Wake for one wait and none that came after it: the Seq in the Waker must be the
// ticket's, and no later wait has it (I5).
func (w *Waker) WakeOnly(t fiber.Ticket, r fiber.Result) bool {
	if t.Seq == disarmed || t.Seq == spent || !w.armed.CompareAndSwap(t.Seq, spent) {
		return false
	}
	w.handOver(r)
	return true
}

// handOver gives the Waker to the owner, from the goroutine whose compare-and-swap has made
// it spent: only that one writes result and next. It pushes the Waker on the inbox's list,
// whose successful compare-and-swap makes both writes happen before the owner's Swap; then it
// signals an owner that sleeps (Steps.sleep).
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
			b.signal()
			return
		}
	}
}

// Source is what a wait for the Waker is armed with.
func (w *Waker) Source() fiber.Source { return (*wakerSource)(w) }

// wakerSource is a Waker as the scheduler sees it: the same memory, other methods.
type wakerSource Waker

var _ fiber.Source = (*wakerSource)(nil)

// Anchored is the anchor of the Waker.
func (w *wakerSource) Anchored() *fiber.Anchor { return &w.anchor }

// Withdraw disarms the Waker; a Wake that was first has no effect. The scheduler calls it.
func (w *wakerSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	w.armed.CompareAndSwap(t.Seq, disarmed)
	return dst
}

// Holds tells whether a Wake would end this wait.
func (w *wakerSource) Holds(t fiber.Ticket) bool {
	return t.Seq != disarmed && w.armed.Load() == t.Seq
}

// isOnTheWay reports whether a Wake has ended this wait and the owner has not collected it.
func (w *wakerSource) isOnTheWay(t fiber.Ticket) bool { return w.ticket == t && !w.back }

// collectWakers delivers the wakes, in order of arrival: the list has the last one first, so
// it is reversed. A Waker is parkable again before its wake-up is applied. A wait that has
// ended otherwise meanwhile makes the delivery Stale (I5), and From lets Apply skip a
// withdrawal that has been made (I10).
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
