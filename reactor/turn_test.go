package reactor_test

import (
	"context"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
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

// diary writes down which step something happened in, as who takes part in a run sees it: it
// is its clock, its device, its operation and its machine.
type diary struct {
	theatre
	entries []string
	now     fiber.Time
}

func (d *diary) note(step string) { d.entries = append(d.entries, step) }

// Now moves on each time it is asked.
func (d *diary) Now() fiber.Time {
	d.now++
	return d.now
}

func (d *diary) Wait(_ context.Context, until fiber.Time, _ <-chan struct{}) {
	d.note("wait")
	if until != fiber.Never {
		d.now = max(d.now, until)
	}
}

func (d *diary) Serve([]fiber.Token) { d.note("drain I/O submissions") }

func (d *diary) Collect() { d.note("drain I/O completions") }

// Begin waits for the next instant.
func (d *diary) Begin(s *sched, _ *player) {
	d.note("resolve channel waiters")
	s.Arm(fiber.Until(s.Now() + 1))
}

func (d *diary) End(*sched, *player, fiber.Ticket, fiber.Result) {}

func (d *diary) Group(p *player) reactor.Group {
	d.note("dispatch")
	return p.group
}

func (d *diary) observe(t scheduler.Transition) {
	if t.Op == scheduler.OpExpire {
		d.note("check timers")
	}
}

// turns cuts the diary: the submissions of a turn are drained once, after what slices left.
func (d *diary) turns() (all [][]string) {
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
	d := new(diary)
	r, err := reactor.New(reactor.Config{
		Config:   scheduler.Config{Clock: d, Observer: d.observe},
		InFlight: 2, // so that one slice is there while the other's result is taken
		Slice:    1, Refusals: 1, Stalled: func(reactor.Stall) { d.note("check preemption") },
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
		enlist(t, r, 0, busy, busy, busy)
	}
	_, err = run(r, sleeps(1000))
	require.NoError(t, err)

	var seen [10]bool // turns of so many steps
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
