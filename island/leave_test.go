package island

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/require"
)

// waiting is an island whose owner is the test, with a fiber that waits at its port "end".
func waiting(t *testing.T, r *Registry) (*scheduler.Scheduler[int], *Island, *Port[int]) {
	t.Helper()
	s := scheduler.New[int](scheduler.Config{Number: r.Number()})
	i, err := r.Join(&s.Core, Config{Name: "home"})
	require.NoError(t, err)
	p := opened(t, i, "end")
	_, err = s.Spawn(0)
	require.NoError(t, err)
	s.Poll()
	s.ScheduleNext()
	ticket := s.Arm(fiber.OnQueue(), p.Source())
	require.NoError(t, p.ParkRecv(ticket, 0))
	s.Block()
	return s, i, p
}

// leavingEnd is asked to look while an island leaves.
type leavingEnd struct{ look func() }

func (w leavingEnd) awaited() bool                                       { return false }
func (w leavingEnd) down()                                               { w.look() }
func (w leavingEnd) state() EndState                                     { return EndState{} }
func (w leavingEnd) dependsOn(dst []*Island) (all []*Island, known bool) { return dst, true }

// An island of a program that makes no more of them leaves: until it has notified all others, what it
// has to tell may be what a fiber waits for.
func TestNoDeadlockBeforeALeavingIslandHasClosedItsPorts(t *testing.T) {
	r := &Registry{SelfContained: true}
	s, home, end := waiting(t, r)
	core, away := joined(t, r, "away")
	opened(t, away, "life")
	dialled(t, home, "life").OnClosed(func() { require.NoError(t, end.Close()) })
	core.Poll()
	s.Poll()
	var seen scheduler.VerdictKind
	away.ends = append(away.ends, leavingEnd{func() { seen = s.Steps().IdleVerdictWithReport().Kind }})
	away.Leave(nil)
	require.Equal(t, scheduler.Waiting, seen)
	require.Equal(t, scheduler.Busy, s.Steps().IdleVerdictWithReport().Kind, "it has been told")
	require.True(t, s.Poll())
}

// A running owner is not signaled: a value that it has not looked at can wake a fiber, also after its sender's
// island has left.
func TestNoDeadlockBeforeTheLastValueWasLookedAt(t *testing.T) {
	r := &Registry{SelfContained: true}
	s, home, end := waiting(t, r)
	_, away := joined(t, r, "away")
	from := dialled(t, away, "end")
	(*device)(home).SleepUntil(fiber.Never) // it sleeps by Park
	s.Poll()                                // from now on it looks
	sends(t, from, 1)
	away.Leave(nil)
	require.Nil(t, home.raised.Load(), "the signal was raised although the owner polls")
	require.True(t, (*device)(home).Pending())
	require.Equal(t, scheduler.Busy, s.Steps().IdleVerdictWithReport().Kind, "the other has left: it is to look again")
	require.True(t, s.Poll())
	s.ScheduleNext()
	ticket, _ := s.Claim()
	v, ok := end.Collect(ticket)
	require.True(t, ok)
	require.Equal(t, 1, v)
}
