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
		assert.Zero(t, r.Scheduler().Live())
	})
}
