package reactor_test

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A host that keeps native frames between slices says so when it spawns. Main waits until
// they stand, and its end kills them: one in a wait, one in the ready queue, and one that
// tries to wait again in its defer.
func TestAFiberWithFramesHasSlicesToUnwindIn(t *testing.T) {
	everywhere(t, func(t *testing.T, cfg reactor.Config) {
		r := newReactor(t, cfg)
		never, ready := wait.NewChan[int](0), wait.NewChan[int](3)
		var told [3]fiber.Code
		framed := func(n int, acts ...func(*slice) fiber.Outcome) {
			acts = append(append([]func(*slice) fiber.Outcome{sends(ready, n)}, acts...), then(func(s *slice) { told[n] = s.Woke.Code }))
			_, err := r.Scheduler().SpawnWith(player{group: 1, acts: acts}, scheduler.Options{Frames: true})
			require.NoError(t, err)
		}
		spins := func(s *slice) fiber.Outcome {
			if s.Woke.Code != fiber.Killed {
				s.Data.at--
			}
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		framed(0, receives(never))
		framed(1, spins)
		framed(2, receives(never), receives(never))
		_, err := run(r, receives(ready), receives(ready), receives(ready))
		require.NoError(t, err)
		assert.Equal(t, [3]fiber.Code{fiber.Killed, fiber.Killed, fiber.Killed}, told)
		assert.Zero(t, r.Scheduler().Inspect().Live())
	})
}

// Its defers are no receivers: what was assigned to it goes where that of any dead fiber goes.
func TestAValueAssignedToAFiberWithFramesThatIsKilledIsGivenBack(t *testing.T) {
	everywhere(t, func(t *testing.T, cfg reactor.Config) {
		r := newReactor(t, cfg)
		ready, values := wait.NewChan[int](1), wait.NewChan[int](0)
		var lost []int
		values.OnLost(func(v int) { lost = append(lost, v) })
		told, got := fiber.Pending, 0
		victim, err := r.Scheduler().SpawnWith(player{acts: []func(*slice) fiber.Outcome{
			sends(ready, 1), receives(values), then(func(s *slice) { told, got = s.Woke.Code, s.Data.got }),
		}}, scheduler.Options{Frames: true})
		require.NoError(t, err)
		_, err = run(r, receives(ready), func(s *slice) fiber.Outcome {
			main := s.Data
			if main.got == 7 {
				return s.Return(nil, nil)
			}
			main.at--
			s.Do(func(s *sched) {
				ok, w, err := values.TrySend(7)
				assert.NoError(t, err)
				if s.Apply(w); ok { // it waits no more
					main.got = 7
					assert.NoError(t, s.Kill(victim.ID(), nil))
				}
			})
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		})
		require.NoError(t, err)
		assert.Equal(t, fiber.Killed, told)
		assert.Zero(t, got)
		assert.Equal(t, []int{7}, lost)
	})
}

// Until its turn in its group's line has come it has received nothing either.
func TestAValueAssignedToAFiberThatIsKilledInItsGroupsLineIsGivenBack(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2})
	values, first := wait.NewChan[int](0), make(chan struct{})
	var lost []int
	values.OnLost(func(v int) { lost = append(lost, v) })
	victim := enlist(t, r, 1, receives(values), then(func(*slice) { t.Error("it goes on") }))
	enlist(t, r, 1, then(func(*slice) { <-first }))
	sent := false
	_, err := run(r, func(s *slice) fiber.Outcome {
		main := s.Data
		main.at--
		s.Do(func(s *sched) {
			switch {
			case sent && s.Inspect().State(victim.ID()) == fiber.Running:
				assert.NoError(t, s.Kill(victim.ID(), nil))
				main.at++
				close(first)
			case !sent:
				ok, w, err := values.TrySend(7)
				assert.NoError(t, err)
				s.Apply(w)
				sent = ok
			}
		})
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	})
	require.NoError(t, err)
	assert.Equal(t, []int{7}, lost)
	assert.EqualValues(t, 1, r.Scheduler().Inspect().Counts().Lost)
}
