package scheduler

import (
	"errors"
	"runtime"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
)

// ErrWakerBusy: a Waker ends one wait at a time.
var ErrWakerBusy = errors.New("scheduler: another fiber waits for this waker")

// Waker ends the wait of one fiber from other goroutines, again and again. It is the fast
// form of Inbox.Deliver: it allocates nothing, costs the waking goroutine two atomic
// operations, and tells it at once whether it was the one that ended the wait.
//
//	t := s.Arm(fiber.OnQueue().FromOutside(), w)
//	err := w.Park(t)
//	s.Block()                                   // … elsewhere: w.Wake(result)
//
// While a Sender is open, a wait need not be FromOutside, and BlockOn is the faster way into
// it:
//
//	t, _ := s.BlockOn(w)
//	err := w.Park(t)
//
// A Waker is a Source: when the wait ends otherwise, Wake finds nothing to end. Wakes of
// several Wakers are delivered in order of arrival, at the next poll, before the commands in
// the Inbox.
type Waker struct {
	fiber.Anchor
	core *Core
	// armed is the Seq of the wait to end, or one of the marks below. The owner arms it. The
	// goroutine that changes it to spent has won and hands the Waker over to the owner: its
	// write of result happens-before the owner's read.
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

var _ fiber.Source = (*Waker)(nil)

// NewWaker makes a Waker for the fibers of this scheduler.
func (f Attachments) NewWaker() *Waker { return &Waker{core: f.core} }

// Park registers the ticket of a wait that has just been armed with this Waker as its source.
// The owner calls it. Errors: ErrWakerBusy.
func (w *Waker) Park(t fiber.Ticket) error {
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
			b.signal()
			return
		}
	}
}

// Withdraw disarms the Waker; a Wake that was first has no effect. The scheduler calls it.
func (w *Waker) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	w.armed.CompareAndSwap(t.Seq, disarmed)
	return dst
}

// Holds tells whether a Wake would end this wait.
func (w *Waker) Holds(t fiber.Ticket) bool { return t.Seq != disarmed && w.armed.Load() == t.Seq }

// collectWakers delivers the wakes, in order of arrival.
func (c *Core) collectWakers() {
	var first *Waker
	for w := c.inbox.woken.Swap(nil); w != nil; {
		w.next, first, w = first, w, w.next
	}
	for w := first; w != nil; {
		next, t, r := w.next, w.ticket, w.result
		w.next, w.back = nil, true
		c.Apply(fiber.Wakeup{Ticket: t, Result: r, From: w.Slot()})
		w = next
	}
}
