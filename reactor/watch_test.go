package reactor_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALongSliceIsAskedToMakeRoom(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 1, Slice: time.Millisecond})
	ended := 0
	_, err := run(r, func(s *slice) fiber.Outcome {
		for !s.Preempted() {
			runtime.Gosched()
		}
		ended++
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	})
	require.NoError(t, err)
	assert.Equal(t, 1, ended)
}

func TestASliceThatDoesNotMakeRoomIsReportedOnceAndByPolicyKilled(t *testing.T) {
	for _, kills := range []bool{false, true} {
		reported := make(chan struct{})
		var stalls []reactor.Stall
		r := newReactor(t, reactor.Config{
			Workers: 2, Slice: 100 * time.Microsecond, Refusals: 3, KillStalled: kills,
			Stalled: func(s reactor.Stall) {
				if stalls = append(stalls, s); len(stalls) == 1 {
					close(reported)
				}
			},
		})
		goesOn := false
		var end ioqueue.Cell
		deaf, err := r.Scheduler().SpawnWith(player{acts: []func(*slice) fiber.Outcome{func(s *slice) fiber.Outcome {
			<-reported
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}, then(func(*slice) { goesOn = true })}}, scheduler.Options{Cell: &end})
		require.NoError(t, err)
		_, err = run(r, func(s *slice) fiber.Outcome { return s.Await(join{&end}) })
		require.NoError(t, err)
		require.NotEmpty(t, stalls)
		assert.Equal(t, deaf, stalls[0].ID)
		assert.Equal(t, 3, stalls[0].Asked)
		assert.GreaterOrEqual(t, stalls[0].For, 300*time.Microsecond)
		assert.Equal(t, kills, !goesOn)
	}
}

// join waits for the end of a fiber.
type join struct{ end *ioqueue.Cell }

func (op join) Begin(s *sched, _ *player) {
	if !op.end.Completed() {
		if err := op.end.Park(s.ArmOn(op.end), 0); err != nil {
			panic(err)
		}
	}
}

func (join) End(*sched, *player, fiber.Ticket, fiber.Result) {}

// waitsFor polls, a turn at a time, until the fiber is dead.
func waitsFor(id fiber.RegularID) func(*slice) fiber.Outcome {
	return func(s *slice) fiber.Outcome {
		s.Data.at--
		s.Do(func(sc *sched) {
			if sc.Inspect().State(id.ID()) == fiber.Dead {
				s.Data.at++
			}
		})
		return fiber.BlockOn(fiber.Until(s.Now.After(100 * time.Microsecond)))
	}
}

func TestARunThatIsEndedNamesTheSlicesThatGoOn(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2, Drain: time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	release, gone := make(chan struct{}), make(chan struct{})
	var deaf fiber.RegularID
	_, err := r.Run(ctx, player{acts: []func(*slice) fiber.Outcome{func(s *slice) fiber.Outcome {
		s.Do(func(*sched) { // main sleeps when it begins
			deaf = enlist(t, r, 0, func(*slice) fiber.Outcome {
				defer close(gone)
				cancel()
				<-release
				return fiber.Outcome{Kind: fiber.Done}
			})
		})
		return fiber.BlockOn(fiber.Until(fiber.Never - 1))
	}}})
	var left *reactor.StragglersError
	require.ErrorAs(t, err, &left)
	assert.Equal(t, []fiber.RegularID{deaf}, left.IDs)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, deaf.String())
	close(release)
	<-gone
}

func TestStragglersAreNamedWithWhatHasEndedTheRun(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2, Drain: time.Millisecond})
	begun, release, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
	enlist(t, r, 0, func(*slice) fiber.Outcome {
		defer close(gone)
		close(begun)
		<-release
		return fiber.Outcome{Kind: fiber.Done}
	})
	_, err := run(r, then(func(*slice) { <-begun }))
	var left *reactor.StragglersError
	require.ErrorAs(t, err, &left)
	assert.ErrorIs(t, err, scheduler.ErrMainReturned)
	close(release)
	<-gone
}
