package island

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

// joined is an island whose owner is the test.
func joined(t *testing.T, r *Registry, name string) (*scheduler.Core, *Island) {
	t.Helper()
	s := scheduler.New[int](scheduler.Config{Number: r.Number()})
	i, err := r.Join(&s.Core, Config{Name: name})
	require.NoError(t, err)
	return &s.Core, i
}

func opened(t *testing.T, i *Island, name string) *Port[int] {
	t.Helper()
	p, err := Open[int](i, name, 4)
	require.NoError(t, err)
	return p
}

func dialled(t *testing.T, i *Island, name string) *Sender[int] {
	t.Helper()
	s, err := Dial[int](i, name)
	require.NoError(t, err)
	return s
}

func sends(t *testing.T, s *Sender[int], v int) {
	t.Helper()
	ok, err := s.TrySend(v)
	require.NoError(t, err)
	require.True(t, ok, "no room for %d", v)
}

func got(t *testing.T, core *scheduler.Core, p *Port[int], want int) {
	t.Helper()
	core.Poll()
	v, status := p.TryRecv()
	require.Equal(t, wait.Received, status)
	require.Equal(t, want, v)
}

func TestARunningOwnerPollsAndASleepingOneIsSignaled(t *testing.T) {
	r := new(Registry)
	core, home := joined(t, r, "home")
	_, away := joined(t, r, "away")
	p := opened(t, home, "p")
	s := dialled(t, away, "p")
	core.Poll()
	sends(t, s, 1)
	require.True(t, core.Inbox().Waiting(), "a loop that has never slept by Park does not say when it sleeps")
	got(t, core, p, 1)

	(*device)(home).SleepUntil(fiber.Never)
	sends(t, s, 2)
	got(t, core, p, 2) // from now on it looks
	sends(t, s, 3)
	require.False(t, core.Inbox().Waiting(), "the signal was raised although the owner polls")
	require.True(t, (*device)(home).Ready())
	got(t, core, p, 3)
	require.False(t, (*device)(home).Ready())

	sends(t, s, 4) // in the moment it goes to sleep
	(*device)(home).PrepareSleep()
	require.True(t, core.Inbox().Waiting(), "it sleeps over what had come")
	got(t, core, p, 4)
	(*device)(home).PrepareSleep()
	require.False(t, core.Inbox().Waiting())
	sends(t, s, 5) // while it sleeps
	require.True(t, core.Inbox().Waiting(), "the owner is not woken")
	got(t, core, p, 5)
}

// Its loop may go on for what its fibers still have to do.
func TestAnIslandThatHasLeftPollsNothing(t *testing.T) {
	r := new(Registry)
	core, home := joined(t, r, "home")
	_, away := joined(t, r, "away")
	(*device)(home).SleepUntil(fiber.Never)
	s := dialled(t, away, opened(t, home, "p").Name())
	core.Poll()
	sends(t, s, 1)
	home.Leave(nil)
	require.False(t, (*device)(home).Ready())
	core.Poll()
	require.Empty(t, home.polled)
}

func TestAnOwnerPollsAFewSignalsAndNoneOfClosedSenders(t *testing.T) {
	r := new(Registry)
	core, home := joined(t, r, "home")
	(*device)(home).SleepUntil(fiber.Never)
	p := opened(t, home, "p")
	var all []*Sender[int]
	for k := range 2 * maxPolled {
		_, away := joined(t, r, fmt.Sprint("away ", k))
		all = append(all, dialled(t, away, "p"))
	}
	core.Poll()
	require.Len(t, home.polled, maxPolled)
	sum := 0
	for k, s := range all {
		sends(t, s, k)
	}
	core.Poll()
	for v, status := p.TryRecv(); status == wait.Received; v, status = p.TryRecv() {
		sum += v
	}
	require.Equal(t, 28, sum)
	for _, s := range all {
		require.NoError(t, s.Close())
	}
	core.Poll()
	require.Empty(t, home.polled)
	require.Empty(t, p.links)
}
