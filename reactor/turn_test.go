package reactor_test

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The nine steps of a turn, in order.
var steps = []string{
	"drain VM results", "drain I/O submissions", "drain I/O completions", "check timers",
	"resolve channel waiters", "drain injector", "check preemption", "dispatch", "wait",
}

// stepLog records the steps of a turn. It takes part in the run as its clock, device, operation and
// machine, each of which is called in a known step.
type stepLog struct {
	stepMachine
	entries []string
	now     fiber.Time
}

func (d *stepLog) note(step string) { d.entries = append(d.entries, step) }

// Now advances at each call.
func (d *stepLog) Now() fiber.Time {
	d.now++
	return d.now
}

func (d *stepLog) Wait(_ context.Context, until fiber.Time, _ <-chan struct{}) {
	d.note("wait")
	if until != fiber.Never {
		d.now = max(d.now, until)
	}
}

func (d *stepLog) Serve([]fiber.Token) { d.note("drain I/O submissions") }

func (d *stepLog) Collect() { d.note("drain I/O completions") }

// Begin waits for the next instant.
func (d *stepLog) Begin(s *sched, _ *payload) {
	d.note("resolve channel waiters")
	s.Arm(fiber.Until(s.Now() + 1))
}

func (d *stepLog) End(*sched, *payload, fiber.Ticket, fiber.Result) {}

func (d *stepLog) Group(p *payload) reactor.Group {
	d.note("dispatch")
	return p.group
}

func (d *stepLog) observe(t scheduler.Transition) {
	if t.Op == op.Expire {
		d.note("check timers")
	}
}

// turns splits the log into turns: a turn begins with the results, or with the submissions if there
// are no results.
func (d *stepLog) turns() (all [][]string) {
	var turn []string
	begun := false
	for _, step := range d.entries {
		if begun && (step == steps[0] || step == steps[1]) {
			all = append(all, slices.Compact(turn))
			turn, begun = nil, false
		}
		turn = append(turn, step)
		begun = begun || step == steps[1]
	}
	return append(all, slices.Compact(turn))
}

func TestATurnIsTheNineStepsInOrder(t *testing.T) {
	d := new(stepLog)
	r, err := reactor.New(reactor.Config{
		Config:     scheduler.Config{Clock: d, Observer: d.observe},
		InFlight:   2, // so that a slice is in flight while the result of another is taken back
		StallAfter: 1, Refusals: 1, Stalled: func(fiber.RegularID, time.Duration) error { d.note("check preemption"); return nil },
	}, d)
	require.NoError(t, err)
	r.Scheduler().Ops().AddDevice(d)
	busy := func(s *slice) fiber.Outcome {
		s.Do(func(s *sched) {
			d.note("drain VM results")
			_ = s.Inbox().Do(func() { d.note("drain injector") })
		})
		return s.Await(d)
	}
	for range 4 {
		spawn(t, r, 0, busy, busy, busy)
	}
	_, err = run(r, sleeps(1000))
	require.NoError(t, err)

	var seen [10]bool // by number of steps in the turn
	for n, turn := range d.turns() {
		at := -1
		for _, step := range turn {
			next := slices.Index(steps, step)
			require.Greater(t, next, at, "turn %d: %q", n, turn)
			at = next
		}
		seen[len(turn)] = true
	}
	assert.True(t, seen[8], "no turn had to do with everything, and so could not sleep")
	assert.Contains(t, d.entries, "wait")
}

// A command is carried out after at most InFlight further slices.
func TestCommandsAreServedWhileFibersSpin(t *testing.T) {
	for _, workers := range []int{0, 2} {
		const inFlight = 4
		r := newReactor(t, reactor.Config{Workers: workers, InFlight: inFlight})
		applied, worst, served := 0, 0, 0
		spin := func(s *slice) fiber.Outcome {
			s.Data.at = 0
			posted := 0
			s.Do(func(*sched) { applied++; posted = applied })
			s.Do(func(*sched) {
				_ = r.Scheduler().Inbox().Do(func() { worst = max(worst, applied-posted); served++ })
			})
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		for range 50 {
			spawn(t, r, 0, spin)
		}
		_, err := run(r, untilServed(&served, 1000))
		require.NoError(t, err)
		assert.LessOrEqual(t, worst, inFlight)
		assert.GreaterOrEqual(t, served, 1000)
	}
}

// untilServed yields until the counter is high enough.
func untilServed(served *int, enough int) func(*slice) fiber.Outcome {
	return func(s *slice) fiber.Outcome {
		s.Data.at--
		data := s.Data
		s.Do(func(*sched) {
			if *served >= enough {
				data.at++
			}
		})
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}
}

// The only worker runs a slice that ends after the timer has fired.
func TestATimerFiresWhileEveryWorkerIsBusy(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 1, InFlight: 2, StallAfter: time.Hour})
	woke := make(chan struct{})
	id := spawn(t, r, 0, func(s *slice) fiber.Outcome {
		return fiber.BlockOn(fiber.Until(s.Now.After(time.Millisecond)))
	})
	spawn(t, r, 0, then(func(*slice) { <-woke }))
	inbox := r.Scheduler().Inbox()
	var look func()
	look = func() {
		if r.Scheduler().Inspect().State(id.ID()) != fiber.Blocked {
			close(woke)
			return
		}
		runtime.Gosched()
		_ = inbox.Do(look)
	}
	require.NoError(t, inbox.Do(look))
	_, err := run(r, waitsFor(id))
	require.NoError(t, err)
}
