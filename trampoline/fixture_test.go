package trampoline_test

import (
	"context"
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/stack"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// steps is a callee that does one thing a slice.
type steps []func() fiber.Outcome

func (s *steps) Step() fiber.Outcome {
	do := (*s)[0]
	*s = (*s)[1:]
	return do()
}

var (
	done    = fiber.Outcome{Kind: fiber.Done}
	expired = fiber.Outcome{Kind: fiber.TimesliceExpired}
	failed  = fiber.Outcome{Kind: fiber.Panic}
)

// native is a fiber whose native code makes one call. after is what the code does when it
// has returned.
type native struct {
	callee trampoline.Callee
	react  func(error) fiber.Outcome // ends the slice after the call

	fixture *fixture
	call    trampoline.Reentry[*native] // kept where native code was left
	stack   *stack.Stack                // Parking
	out     fiber.Outcome
}

// fixture is a scheduler of such fibers, which all call in one way.
type fixture struct {
	*scheduler.Scheduler[*native]
	t     *testing.T
	way   trampoline.Way
	calls *trampoline.Pool[*native]
}

// inEveryWay runs a scenario in each of the three; at its end no call may be left.
func inEveryWay(t *testing.T, cfg scheduler.Config, tale func(r *fixture)) {
	for _, way := range []trampoline.Way{trampoline.ExitAndReenter, trampoline.Parking, trampoline.Nesting} {
		t.Run(way.String(), func(t *testing.T) {
			r := &fixture{Scheduler: scheduler.New[*native](cfg), t: t, way: way}
			r.calls = trampoline.New(r.Scheduler, r)
			tale(r)
			r.Inspect().Verify()
			if err := r.calls.Check(); err != nil || r.Inspect().LiveTrampolines() != 0 {
				t.Errorf("%v; %d trampolines are live", err, r.Inspect().LiveTrampolines())
			}
		})
	}
}

// spawn makes a fiber whose native code calls.
func (r *fixture) spawn(callee trampoline.Callee, after func(error)) fiber.RegularID {
	r.t.Helper()
	return r.spawnReacting(callee, func(err error) fiber.Outcome { after(err); return done }, nil)
}

// spawnReacting makes a fiber whose native code calls, and ends the fiber as react says.
func (r *fixture) spawnReacting(callee trampoline.Callee, react func(error) fiber.Outcome, ended func(any, error)) fiber.RegularID {
	r.t.Helper()
	n := &native{callee: callee, react: react, fixture: r}
	n.stack = stack.New(stack.Coroutine, func(*stack.Stack) { n.run() })
	id, err := r.SpawnWith(n, scheduler.Options{Frames: true, Nests: r.way == trampoline.Nesting, Ended: ended})
	if err != nil {
		r.t.Fatal(err)
	}
	return id
}

// peer makes a fiber that makes no native call.
func (r *fixture) peer(body func()) {
	r.t.Helper()
	r.spawn(nil, func(error) { body() })
}

func (r *fixture) run() {
	r.t.Helper()
	if err := r.Run(context.Background(), r); err != nil || r.Inspect().Live() != 0 {
		r.t.Fatalf("the run ended with %v, %d alive", err, r.Inspect().Live())
	}
}

// Resume is one slice of a fiber, in the way of the fixture.
func (r *fixture) Resume(_ *scheduler.Scheduler[*native], f *scheduler.Fiber[*native]) fiber.Outcome {
	n := f.Data
	switch {
	case n.callee == nil:
		return n.react(nil)
	case r.way == trampoline.ExitAndReenter:
		return n.enter()
	case r.way == trampoline.Parking && !n.stack.Resume():
		return n.out
	case r.way == trampoline.Parking:
		n.raise(n.stack.Err())
	default:
		n.run()
	}
	return n.out
}

// raise passes a Go panic on that ended the stack.
func (n *native) raise(err error) {
	var p *stack.PanicError
	if errors.As(err, &p) {
		panic(p.Value)
	}
}

// enter is native code that keeps its state itself: it is left by returning, and entered
// again.
func (n *native) enter() fiber.Outcome {
	if !n.call.InFlight() {
		call, err := n.fixture.calls.Reenter()
		if err != nil {
			return n.react(err)
		}
		n.call = call
	}
	o, err := n.call.Run(n.callee)
	if !o.Ends() {
		return o
	}
	return n.react(err)
}

// run is native code with frames.
func (n *native) run() { n.out = n.react(n.fixture.synchronous(n, n.callee)) }

// synchronous calls as native code with frames does.
func (r *fixture) synchronous(n *native, callee trampoline.Callee) error {
	if r.way == trampoline.Parking {
		return r.calls.Park((*frames)(n), callee)
	}
	return r.calls.Nest(callee)
}

// again makes another call from native code, whose callee does not wait.
func (r *fixture) again(callee trampoline.CalleeFunc) error {
	if r.way == trampoline.ExitAndReenter {
		call, err := r.calls.Reenter()
		if err == nil {
			_, err = call.Run(callee)
		}
		return err
	}
	id, _ := r.Current().Regular()
	f, _ := r.Fiber(id)
	return r.synchronous(f.Data, callee)
}

type frames native

func (f *frames) Allows(w trampoline.Way) bool { return w == trampoline.Parking }
func (f *frames) Park(o fiber.Outcome)         { f.out = o; f.stack.Suspend() }
