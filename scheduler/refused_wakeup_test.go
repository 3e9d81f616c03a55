package scheduler

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// forgetful decides a second time on a ticket whose wait has ended.
type forgetful struct {
	lineSource
	stale fiber.Wakeup
	rang  bool
}

func (f *forgetful) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	f.lineSource.Withdraw(t, nil)
	return append(dst, f.stale)
}
func (f *forgetful) Deadline() fiber.Time {
	if f.rang {
		return fiber.Never
	}
	return 5
}
func (f *forgetful) Waiting() int { return 0 }
func (f *forgetful) Due(_ fiber.Time, dst []fiber.Wakeup) []fiber.Wakeup {
	f.rang = true
	return append(dst, f.stale)
}
func (f *forgetful) Forfeit(_ fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	return append(dst, f.stale), true
}
func (f *forgetful) OwnerDied(_ fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	return append(dst, f.stale)
}
func (f *forgetful) Died(_ fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	return append(wakes, f.stale), orders
}

func TestAWakeUpThatNoFiberWaitsForIsCountedAndNamesItsSource(t *testing.T) {
	for name, decide := range map[string]func(g *testScheduler, f *forgetful){
		"a withdrawal": func(g *testScheduler, f *forgetful) {
			g.delivers(g.spawnBlocked(Options{}, fiber.OnQueue(), f), fiber.Woken)
		},
		"a withdrawal from one of two": func(g *testScheduler, f *forgetful) {
			g.delivers(g.spawnBlocked(Options{}, fiber.OnQueue(), new(fakeSource), f), fiber.Woken)
		},
		"an alarm": func(g *testScheduler, f *forgetful) {
			g.Attachments().SetAlarm(f)
			g.at(5)
		},
		"an owner hook": func(g *testScheduler, f *forgetful) {
			g.spawnRunning(Options{})
			g.Attachments().Own(f)
			g.KillCurrent()
		},
		"a link": func(g *testScheduler, f *forgetful) {
			g.spawnRunning(Options{})
			g.Attachments().Link(f)
			g.KillCurrent()
		},
	} {
		t.Run(name, func(t *testing.T) {
			var seen []Transition
			g := newTestScheduler(t, Config{Observer: func(t Transition) { seen = append(seen, t) }})
			spent := g.spawnBlocked(Options{}, fiber.OnQueue())
			g.delivers(spent, fiber.Woken)
			f := &forgetful{stale: fiber.Wakeup{Ticket: spent, Result: ok}}
			if !invariants.On {
				decide(g, f)
				g.Inspect().Verify() // reports what the inlined transitions did
				require.NotZero(t, g.Inspect().Counts().RefusedWakes)
				require.True(t, slices.ContainsFunc(seen, func(t Transition) bool {
					return t.Op == op.Deliver && t.ID == spent.ID && t.Seq == spent.Seq && t.Answer == "stale"
				}))
				return
			}
			defer func() {
				var e *InvariantError
				require.ErrorAs(t, recover().(error), &e)
				require.Equal(t, "HOOK-RETURNS", e.Rule.String())
				require.Contains(t, e.Found, "*scheduler.forgetful decided to wake "+spent.String())
				require.Contains(t, e.Found, "stale")
			}()
			decide(g, f)
		})
	}
}
