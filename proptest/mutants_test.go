package proptest

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/spec"
)

// awake is the bound at which mutants are looked for: small, and with everything.
var awake = spec.Config{Fibers: 2, Trampolines: 2, Tokens: 2, Tickets: 2}

// features are the machines that mutants are looked for in: awake, and with what the
// mutants after it need.
var features = []struct {
	spec.Config
	drivers  []brokenDriver
	from, to spec.Bug
}{
	{awake, brokenDrivers(), spec.NoBug + 1, spec.YieldsArmed},
	{timed, timedDrivers(), spec.KeepsDeadline, spec.TakesLatest},
	{masked, maskDrivers(), spec.MasksKill, spec.TellsTwice},
	{graced, graceDrivers(), spec.KeepsGrace, spec.EndlessGrace},
	{nested, nestDrivers(), spec.LosesCurrent, spec.ParksNested},
	{mortal, nil, spec.Wraps, spec.Wraps},
	{moving, moveDrivers(), spec.MovesTied, spec.BringsInFront},
	{lending, lendDrivers(), spec.ForgetsOutside, spec.LosesRecalled},
	{jumping, jumpDrivers(), spec.JumpsLast, spec.JumpsLast},
	{lending, promiseDrivers(), spec.ForgetsPromise, spec.KeepsPromise},
	{running, runDrivers(), spec.ForgetsVerdict, spec.KeepsVerdict},
	{holding, holdDrivers(), spec.QueuesHeld, spec.ForgetsHeld},
	{choosing, pickDrivers(), spec.KeepsPicked, spec.PicksHead},
}

var (
	timed    = spec.Config{Fibers: 2, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 2}
	masked   = spec.Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Masks: 1}
	mortal   = spec.Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Lives: 3}
	moving   = spec.Config{Fibers: 2, Trampolines: 1, Tokens: 1, Tickets: 1, Masks: 1, Moves: true}
	lending  = spec.Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Lends: true}
	jumping  = spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Fronts: true}
	nested   = spec.Config{Fibers: 2, Trampolines: 2, Tokens: 1, Tickets: 1, Pins: 2, AllNest: true}
	running  = spec.Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Runs: true}
	holding  = spec.Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Moves: true, Holds: true}
	choosing = spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Free: true}
	graced   = spec.Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Deadlines: 2, Grace: true}
)

// fresh pairs a right model with a scheduler that the broken driver drives.
func (d brokenDriver) fresh(c spec.Config) func() *Lockstep {
	return func() *Lockstep {
		l := NewLockstep(c, Host{})
		l.calls[d.kind] = d.wrong
		return l
	}
}

// The shortest list of actions that shows a mutant is short, or the shrinker sleeps.
const shortEnough = 20

func TestEveryBrokenDriverIsFoundByTheEdges(t *testing.T) {
	for _, f := range features {
		g := explore(t, f.Config, 20_000)
		for _, d := range f.drivers {
			t.Run(d.name, func(t *testing.T) {
				t.Parallel()
				p := newPatrol(g, Host{})
				p.fresh = d.fresh(f.Config)
				found(t, firstFailure(len(g.States), p.visit))
			})
		}
	}
}

func TestEveryBrokenDriverIsFoundByWalks(t *testing.T) {
	for _, f := range features {
		for _, d := range f.drivers {
			t.Run(d.name, func(t *testing.T) {
				t.Parallel()
				found(t, wanderUntilItFails(d.fresh(f.Config)))
			})
		}
	}
}

// To a broken model a right scheduler is the broken one: each mistake that package spec
// can make is a difference that must be found.
func TestEveryBrokenModelIsFoundByWalks(t *testing.T) {
	tried := 0
	for _, f := range features {
		for bug := f.from; bug <= f.to; bug++ {
			tried++
			t.Run(bug.String(), func(t *testing.T) {
				t.Parallel()
				found(t, wanderUntilItFails(func() *Lockstep {
					l := NewLockstep(f.Config, Host{})
					l.Model.Bug, l.bounds.Bug = bug, bug // what it expects to see is wrong too
					return l
				}))
			})
		}
	}
	if all := len(spec.Bugs()); tried != all {
		t.Errorf("%d bugs were tried, there are %d", tried, all)
	}
}

// A scheduler that does not refuse, and one that refuses and does it all the same.
func TestAnActionThatIsNotRefusedIsFound(t *testing.T) {
	g := explore(t, awake, 20_000)
	for _, d := range []brokenDriver{
		{"a forbidden yield is ignored", spec.Yield, instead(spec.NoAnswer, nothing)},
		{"a spent ticket is taken", spec.Deliver, instead(spec.AnswerWoken, nothing)},
		{"a block without a wait is told that it parked", spec.Block, instead(spec.AnswerParked, nothing)},
		{"an operation is completed once more, in secret", spec.IoDone, func(r *Harness, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
			if !from.Tokens[a.Token()].Flying {
				_, _ = r.Scheduler.Spawn(0)
			}
			return ioDone(r, from, a, to)
		}},
	} {
		t.Run(d.name, func(t *testing.T) {
			w := newWarden(g)
			w.fresh = d.fresh(awake)
			found(t, firstFailure(len(g.States), w.visit))
		})
	}
}

func firstFailure(states int, visit func(int) error) error {
	for i := range states {
		if err := visit(i); err != nil {
			return err
		}
	}
	return nil
}

func wanderUntilItFails(fresh func() *Lockstep) error {
	for seed := range uint64(100) {
		w := NewWalk(fresh())
		if err := w.Wander(seed, 500); err != nil {
			return w.Explain(fresh, err)
		}
	}
	return nil
}

// found: a mutant was, and what shows it is short.
func found(t *testing.T, err error) {
	t.Helper()
	var f *Failure
	if !errors.As(err, &f) {
		t.Fatalf("it lives: %v", err)
	}
	t.Logf("%v: %v", f.Actions, f.Err)
	if len(f.Actions) > shortEnough {
		t.Errorf("it takes %d actions to show it", len(f.Actions))
	}
}
