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

// witness is asked to look while an island leaves.
type witness struct{ look func() }

func (w witness) awaited() bool                                       { return false }
func (w witness) down()                                               { w.look() }
func (w witness) dependsOn(dst []*Island) (all []*Island, known bool) { return dst, true }

// An island of a program that makes no more of them leaves: until it has told everybody, what it
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
	away.ends = append(away.ends, witness{func() { seen = s.Idle().Kind }})
	away.Leave(nil)
	require.Equal(t, scheduler.Waiting, seen)
	require.Equal(t, scheduler.Busy, s.Idle().Kind, "it has been told")
	require.True(t, s.Poll())
}

// An owner that is awake is not rung: what it has not looked at is hope too, after its sender's
// island has left.
func TestNoDeadlockBeforeTheLastValueWasLookedAt(t *testing.T) {
	r := &Registry{SelfContained: true}
	s, home, end := waiting(t, r)
	_, away := joined(t, r, "away")
	from := dialled(t, away, "end")
	(*device)(home).Rest(fiber.Never) // it sleeps by Park
	s.Poll()                          // from now on it looks
	sends(t, from, 1)
	away.Leave(nil)
	require.Nil(t, home.raised.Load(), "it is not rung while it looks")
	require.True(t, (*device)(home).Awaited())
	require.Equal(t, scheduler.Busy, s.Idle().Kind, "the other has left: it is to look again")
	require.True(t, s.Poll())
	s.ScheduleNext()
	ticket, _ := s.Claim()
	v, ok := end.Collect(ticket)
	require.True(t, ok)
	require.Equal(t, 1, v)
}
