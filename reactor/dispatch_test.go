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

// Three fibers have native frames (Options.Frames). The end of the main fiber kills them: one
// in a wait, one in the ready queue, and one that tries to wait again in its deferred call.
func TestAKilledFiberWithFramesGetsSlicesToUnwind(t *testing.T) {
	inEveryConfig(t, func(t *testing.T, cfg reactor.Config) {
		r := newReactor(t, cfg)
		never, ready := wait.NewChan[int](0), wait.NewChan[int](3)
		var woke [3]fiber.Code
		framed := func(n int, steps ...func(*slice) fiber.Outcome) {
			steps = append(append([]func(*slice) fiber.Outcome{sends(ready, n)}, steps...), then(func(s *slice) { woke[n] = s.Woke.Code }))
			_, err := r.Scheduler().SpawnWith(payload{group: 1, steps: steps}, scheduler.Options{Frames: true})
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
		assert.Equal(t, [3]fiber.Code{fiber.Killed, fiber.Killed, fiber.Killed}, woke)
		assert.Zero(t, r.Scheduler().Inspect().Live())
	})
}

// A deferred call is not a receiver: the value goes to the channel's hook for lost values.
func TestAValueAssignedToAKilledFiberWithFramesIsGivenBack(t *testing.T) {
	inEveryConfig(t, func(t *testing.T, cfg reactor.Config) {
		r := newReactor(t, cfg)
		ready, values := wait.NewChan[int](1), wait.NewChan[int](0)
		var lost []int
		values.OnLost(func(v int) { lost = append(lost, v) })
		woke, got := fiber.Pending, 0
		victim, err := r.Scheduler().SpawnWith(payload{steps: []func(*slice) fiber.Outcome{
			sends(ready, 1), receives(values), then(func(s *slice) { woke, got = s.Woke.Code, s.Data.got }),
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
				if s.Apply(w); ok { // the victim was assigned the value
					main.got = 7
					assert.NoError(t, s.Kill(victim.ID(), nil))
				}
			})
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		})
		require.NoError(t, err)
		assert.Equal(t, fiber.Killed, woke)
		assert.Zero(t, got)
		assert.Equal(t, []int{7}, lost)
	})
}

// A fiber whose slice is queued behind its group has not received the value yet.
func TestAValueAssignedToAFiberKilledWhileItsSliceIsQueuedIsGivenBack(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2})
	values, first := wait.NewChan[int](0), make(chan struct{})
	var lost []int
	values.OnLost(func(v int) { lost = append(lost, v) })
	victim := spawn(t, r, 1, receives(values), then(func(*slice) { t.Error("it goes on") }))
	spawn(t, r, 1, then(func(*slice) { <-first }))
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
