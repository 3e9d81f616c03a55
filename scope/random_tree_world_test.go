package scope

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// world is a tree of scopes whose fibers do what a random script says, on a real
// scheduler, beside the books that a deliberately dumb twin keeps.
type world struct {
	*scheduler.Scheduler[*actor]
	clock  *scheduler.VirtualClock
	rng    *rand.Rand
	length int // of the script, in steps
	steps  int
	alive  []*actor // in the order of spawning
	books  []*book
	wrong  []string
	over   bool // all fibers must end
}

// actor is one fiber.
type actor struct {
	id      fiber.ID
	in      *book   // the scope it was spawned into; nil for a root
	opened  []*book // those it owns, not closed yet
	asleep  bool    // it waits, not for a scope
	waiting bool    // it waits for the last scope it opened
	masked  bool
	body    bool
	intent  intent
}

// intent is how an actor means to end.
type intent uint8

const (
	well   intent = iota
	obey          // with the cause it was cancelled with
	failed        // with an error of its own
)

// book is what the twin knows of a scope.
type book struct {
	*Scope
	members  []fiber.ID // alive, in the order of spawning
	stopped  bool
	decided  bool
	exempt   fiber.ID // it called Stop
	orphaned bool
	closed   bool
	seenEnd  int // how often it was seen to change to ended
	verdict  error
	failures []fiber.ID
	value    any
}

func newWorld(seed uint64, length int) *world {
	w := &world{clock: scheduler.NewVirtualClock(), rng: rand.New(rand.NewPCG(seed, 0)), length: length}
	w.Scheduler = scheduler.New[*actor](scheduler.Config{Clock: w.clock, Grace: 20})
	return w
}

func (w *world) complain(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf("step %d: ", w.steps)+fmt.Sprintf(format, args...))
}

// draw is a number below n.
func (w *world) draw(n int) int { return w.rng.IntN(n) }

// spawn makes a fiber, in the scope if there is one; nil if it is refused.
func (w *world) spawn(in *book, body bool) *actor {
	a := &actor{in: in, body: body}
	o := scheduler.Options{Frames: w.draw(2) == 0, Ended: func(v any, err error) { w.died(a, v, err) }}
	var id fiber.RegularID
	var err error
	switch {
	case in == nil:
		id, err = w.SpawnWith(a, o)
	case body:
		id, err = SpawnBody(w.Scheduler, in.Scope, a, o)
	default:
		id, err = Spawn(w.Scheduler, in.Scope, a, o)
	}
	if in != nil && (err != nil) != (in.stopped || in.ended) {
		w.complain("spawn into %s, stopped %v: %v", in.Source().(fiber.Described).Describe(), in.stopped, err)
	}
	if err != nil {
		return nil
	}
	a.id = id.ID()
	w.alive = append(w.alive, a)
	if in != nil {
		in.members = append(in.members, a.id)
	}
	return a
}

// died is the twin's idea of an end; it is called for each in the scheduler's order.
func (w *world) died(a *actor, v any, err error) {
	w.alive = slices.DeleteFunc(w.alive, func(b *actor) bool { return a == b })
	for _, b := range a.opened {
		b.stopped, b.decided, b.orphaned = true, true, true
	}
	b := a.in
	if b == nil {
		return
	}
	b.members = slices.DeleteFunc(b.members, func(id fiber.ID) bool { return id == a.id })
	first := !b.decided
	switch killed := errors.Is(err, scheduler.ErrKilled); {
	case killed && b.stopped, !killed && a.intent == obey:
	case killed, a.intent == failed:
		b.fail(a.id)
	case b.opts.Policy != AnySuccess && a.body:
		b.value = v
	case b.opts.Policy == AnySuccess && !a.body && first:
		b.value, b.failures, b.stopped, b.decided = v, nil, true, true
	}
}

func (b *book) fail(id fiber.ID) {
	if b.opts.Policy == WaitAll || !b.decided {
		b.failures = append(b.failures, id)
	}
	if b.opts.Policy == CancelOnError {
		b.stopped, b.decided = true, true
	}
}

// stop is Stop, in both.
func (w *world) stop(b *book) {
	if !b.stopped && !b.ended {
		b.stopped, b.exempt = true, w.Current()
	}
	before := w.Unwind().Cause(w.Current())
	b.Stop()
	if got := w.Unwind().Cause(w.Current()); got != before {
		w.complain("who stopped %s was cancelled with it: %v", b.Source().(fiber.Described).Describe(), got)
	}
}

// cancel is Cancel, in both.
func (w *world) cancel(b *book, cause error) {
	if !b.decided && !b.ended {
		b.stopped, b.decided, b.verdict = true, true, cause
	}
	b.Cancel(cause)
}

// check compares the books with the scopes.
func (w *world) check() {
	for _, b := range w.books {
		if got := b.Source().(fiber.Described).Holders(nil); !slices.Equal(got, b.members) || b.roll.n != len(got) {
			w.complain("%s holds %v, want %v", b.Source().(fiber.Described).Describe(), got, b.members)
		}
		if (b.Cause() != nil) != b.stopped {
			w.complain("%s: cause %v, stopped %v", b.Source().(fiber.Described).Describe(), b.Cause(), b.stopped)
		}
		for _, id := range b.members {
			switch {
			case w.Inspect().State(id) == fiber.Dead:
				w.complain("%v is dead and in %s", id, b.Source().(fiber.Described).Describe())
			case b.orphaned && !w.Unwind().KillPending(id):
				w.complain("%v outlives the owner of its scope", id)
			case b.stopped && w.Unwind().Cause(id) == nil && (b.decided || id != b.exempt):
				w.complain("%v was not cancelled with its scope", id)
			}
		}
		w.checkEnd(b)
	}
	w.Inspect().Verify()
}

func (w *world) checkEnd(b *book) {
	if b.ended == (b.seenEnd > 0) {
		return
	}
	if b.seenEnd++; !b.ended || len(b.members) > 0 || b.seenEnd > 1 {
		w.complain("%s: ended %v, %d alive, %d ends", b.Source().(fiber.Described).Describe(), b.ended, len(b.members), b.seenEnd)
	}
}

// close is Close by the owner, and the comparison of the result.
func (w *world) close(a *actor, b *book) {
	a.opened = a.opened[:len(a.opened)-1]
	b.closed = true
	v, err := b.Close()
	var want []any
	if b.verdict != nil {
		want = append(want, b.verdict)
	}
	for _, id := range b.failures {
		want = append(want, id)
	}
	if got := parts(err); v != b.value || !slices.Equal(got, want) {
		w.complain("%v scope ended with %v, %v, want %v, %v", b.opts.Policy, v, got, b.value, want)
	}
}

// parts are the cause of a cancel and the fibers that failed, in the order of an error.
func parts(err error) (all []any) {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			all = append(all, parts(e)...)
		}
		return all
	}
	switch e := err.(type) {
	case *Failure:
		return []any{e.Fiber}
	case *CancelError:
		return []any{e.Cause}
	}
	return []any{err}
}
