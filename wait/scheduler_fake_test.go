package wait

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// fake is a scheduler cut down to what a waiting object can see of one: it numbers
// waits, ends each once, and withdraws an ended wait from all its sources.
type fake struct {
	tb     failer
	number uint16
	seq    uint64
	waits  map[fiber.Ticket]*armed
	slots  []fiber.Source // slot i+1
	woken  []fiber.Wakeup // all that was ever delivered
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

type armed struct {
	sources []fiber.Source
	res     fiber.Result
}

func newFake(tb failer) *fake { return &fake{tb: tb, waits: map[fiber.Ticket]*armed{}} }

// fib is the ID of the n-th fiber of a test.
func fib(n int) fiber.ID { return fiber.NewRegularID(uint32(n), 1).ID() }

func (f *fake) arm(id fiber.ID, sources ...fiber.Source) fiber.Ticket {
	f.seq++
	t := fiber.Ticket{ID: id, Seq: fiber.NewSeq(f.number, f.seq)}
	for _, src := range sources {
		if src.Anchored().Slot() == 0 {
			f.slots = append(f.slots, src)
			src.Anchored().SetSlot(uint32(len(f.slots)))
		}
	}
	f.waits[t] = &armed{sources: sources}
	return t
}

// deliver hands out wakes; each must be the first end of a wait that is still on.
func (f *fake) deliver(wakes ...fiber.Wakeup) {
	f.tb.Helper()
	for _, w := range wakes {
		if w.IsZero() {
			continue
		}
		if w.From != 0 && f.slots[w.From-1].Holds(w.Ticket) {
			f.tb.Fatalf("%v is woken by an object that vouches for it and still holds it", w.Ticket)
		}
		f.woken = append(f.woken, w)
		f.end(w.Ticket, w.Result)
	}
}

func (f *fake) end(t fiber.Ticket, res fiber.Result) {
	f.tb.Helper()
	w := f.waits[t]
	switch {
	case w == nil:
		f.tb.Fatalf("%v woken with %v, but no such wait is on", t, res.Code)
	case w.res.Code != fiber.Pending:
		f.tb.Fatalf("%v woken with %v, but it ended with %v before", t, res.Code, w.res.Code)
	}
	w.res = res
	f.deliver(f.withdraw(w, t)...)
}

func (f *fake) withdraw(w *armed, t fiber.Ticket) (wakes []fiber.Wakeup) {
	f.tb.Helper()
	for _, s := range w.sources {
		wakes = s.Withdraw(t, wakes)
	}
	for _, s := range w.sources {
		if s.Holds(t) {
			f.tb.Fatalf("%v still registered after its wait ended", t)
		}
	}
	return wakes
}

func (f *fake) timeout(t fiber.Ticket) {
	f.tb.Helper()
	f.end(t, fiber.Result{Code: fiber.TimedOut})
}

// claim is how the wait ended; Pending if it has not.
func (f *fake) claim(t fiber.Ticket) fiber.Result {
	w := f.waits[t]
	if w.res.Code != fiber.Pending {
		delete(f.waits, t)
	}
	return w.res
}

// die ends the fiber of the ticket: its wait if it is on, what was assigned if not.
func (f *fake) die(t fiber.Ticket) {
	f.tb.Helper()
	w := f.waits[t]
	delete(f.waits, t)
	if w.res.Code == fiber.Pending {
		f.deliver(f.withdraw(w, t)...)
		return
	}
	var wakes []fiber.Wakeup
	for _, s := range w.sources {
		if a, ok := s.(fiber.Assigner); ok {
			wakes, _ = a.Forfeit(t, wakes)
		}
	}
	f.deliver(wakes...)
}

// woken is a wakeup as a story expects it. The fake checks its From
// by itself.
func woken(t fiber.Ticket, code fiber.Code, tag uint32) fiber.Wakeup {
	return fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: code, Value: tag}}
}

// same compares wakeups except their From.
func same(got, want []fiber.Wakeup) bool {
	return slices.EqualFunc(got, want, func(a, b fiber.Wakeup) bool { return a.Ticket == b.Ticket && a.Result == b.Result })
}

// The parties of the stories below: one fiber does one thing and parks if it must.

func parkedRecv[V any](f *fake, ch *Chan[V], id int) fiber.Ticket {
	f.tb.Helper()
	t := f.arm(fib(id), ch.Source())
	if err := ch.ParkRecv(t, 0); err != nil {
		f.tb.Fatalf("park receiver %d: %v", id, err)
	}
	return t
}

func parkedSend[V any](f *fake, ch *Chan[V], id int, v V) fiber.Ticket {
	f.tb.Helper()
	t := f.arm(fib(id), ch.Source())
	if err := ch.ParkSend(t, v, 0); err != nil {
		f.tb.Fatalf("park sender %d: %v", id, err)
	}
	return t
}

func parkedSelect(f *fake, s *Select, id int) fiber.Ticket {
	f.tb.Helper()
	t := f.arm(fib(id), s.Sources(nil)...)
	if err := s.Park(t); err != nil {
		f.tb.Fatalf("park select %d: %v", id, err)
	}
	return t
}

func send[V any](f *fake, ch *Chan[V], v V) bool {
	f.tb.Helper()
	ok, w, err := ch.TrySend(v)
	if err != nil {
		f.tb.Fatalf("send: %v", err)
	}
	f.deliver(w)
	return ok
}

func recv[V any](f *fake, ch *Chan[V]) (V, Status) {
	f.tb.Helper()
	v, status, w := ch.TryRecv()
	f.deliver(w)
	return v, status
}

func closing[V any](f *fake, ch *Chan[V]) []fiber.Wakeup {
	f.tb.Helper()
	wakes, err := ch.Close(nil)
	if err != nil {
		f.tb.Fatalf("close: %v", err)
	}
	f.deliver(wakes...)
	return wakes
}

// is fails the test unless got equals want.
func is[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// belongs ties the object to a scheduler, as scheduler.Admits does, and reports whether it
// is that scheduler's.
func belongs(o interface{ Source() fiber.Source }, scheduler uint16) bool {
	return o.Source().Anchored().Bind(scheduler, 0)
}

func newGroup(goal Goal, joins ...Join) *Group {
	g := new(Group)
	g.Reset(goal, joins...)
	return g
}

// forfeits tells whether the object had assigned something to the ticket, or decides anything.
func forfeits(a fiber.Assigner, t fiber.Ticket, dst []fiber.Wakeup) bool {
	wakes, had := a.Forfeit(t, dst)
	return had || len(wakes) > 0
}
