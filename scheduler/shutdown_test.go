package scheduler

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
)

// shutDown runs a scheduler on this goroutine, and shuts a Group down on another one. A grace period ends
// when its channel is closed.
func (g *testScheduler) shutDown(ctx context.Context, guest *Group, m MachineFunc[int], graces ...chan time.Time) error {
	sender := g.Inbox().NewSender()
	ended := make(chan error, 1)
	go func() {
		ended <- guest.Shutdown(ctx, func() <-chan time.Time {
			grace := graces[0]
			graces = graces[1:]
			return grace
		})
		sender.Close()
	}()
	if err := g.Run(context.Background(), m); err != nil {
		g.t.Fatalf("Run: %v", err)
	}
	return <-ended
}

func TestAShutdownLetsFibersFinishAndResumesWhatIsPaused(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	part := s.group(guest, "part", quota.Limits{})
	id := s.spawnReady(Options{Group: part})
	s.spawnReady(Options{Group: guest})
	s.pause(id)
	part.Pause()
	guest.Pause()
	slices := 10
	require.NoError(t, s.shutDown(context.Background(), guest, func(*Scheduler[int], *Fiber[int]) fiber.Outcome {
		if slices--; slices > 0 {
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		return fiber.Outcome{Kind: fiber.Done}
	}))
	require.Zero(t, s.Inspect().Live())
	require.NoError(t, s.shutDown(context.Background(), guest, atOnce))
}

func atOnce(*Scheduler[int], *Fiber[int]) fiber.Outcome { return fiber.Outcome{Kind: fiber.Done} }

// First they are cancelled, then killed. Other fibers continue.
func TestAShutdownCancelsAndThenKillsWhatDoesNotFinish(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	s.spawnReady(Options{Group: guest, Frames: true})
	ctx, stop := context.WithCancelCause(context.Background())
	cause := errors.New("the service ends")
	stop(cause)
	var told []fiber.Code
	over := make(chan time.Time)
	require.NoError(t, s.shutDown(ctx, guest, func(s *Scheduler[int], _ *Fiber[int]) fiber.Outcome {
		code, err := s.TakeInterrupt()
		if code == fiber.Pending {
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		if told = append(told, code); code == fiber.Cancelled {
			close(over)
		}
		require.ErrorIs(t, err, cause)
		if code == fiber.Killed {
			return fiber.Outcome{Kind: fiber.Done}
		}
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}, over, make(chan time.Time)))
	require.Equal(t, []fiber.Code{fiber.Cancelled, fiber.Killed}, told)
	_, err := s.SpawnWith(0, Options{Group: guest})
	require.ErrorIs(t, err, cause)
}

func TestAShutdownNamesTheFibersThatDoNotEnd(t *testing.T) {
	s := newTestScheduler(t, Config{Site: func(fiber.RegularID) string { return "rules.lua:3" }})
	guest := s.group(nil, "guest", quota.Limits{})
	s.spawnReady(Options{Group: guest, Name: "deaf"})
	ctx, stop := context.WithCancel(context.Background())
	stop()
	release, stuck := make(chan struct{}), make(chan time.Time)
	sender := s.Inbox().NewSender()
	ended := make(chan error, 1)
	go func() {
		ended <- guest.Shutdown(ctx, func() <-chan time.Time { return stuck })
		close(release)
		sender.Close()
	}()
	require.NoError(t, s.Run(context.Background(), MachineFunc[int](func(s *Scheduler[int], _ *Fiber[int]) fiber.Outcome {
		if code, _ := s.TakeInterrupt(); code == fiber.Pending {
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		close(stuck)
		<-release // it does not give the goroutine back
		return fiber.Outcome{Kind: fiber.Done}
	})))
	err := <-ended
	var left *ShutdownError
	require.ErrorAs(t, err, &left)
	require.Equal(t, "guest", left.Group)
	require.EqualError(t, err, `shutdown: 1 fibers have not ended: f0.1 "deaf" at rules.lua:3`)
}

func TestAShutdownWithoutAContextOrARunIsRefused(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	var none context.Context
	over := make(chan time.Time)
	close(over)
	grace := func() <-chan time.Time { return over }
	require.ErrorContains(t, refusal(func() { _ = guest.Shutdown(none, grace) }), "VALID-ARGUMENT")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	require.ErrorContains(t, refusal(func() { _ = guest.Shutdown(ctx, nil) }), "VALID-ARGUMENT")
	require.ErrorContains(t, guest.Shutdown(ctx, grace), "nothing polls the scheduler")
	s.Close()
	require.ErrorIs(t, guest.Shutdown(ctx, grace), ErrStopped)
}

// Also of a Group above; the fiber that has come is waited for then.
func TestAShutdownWaitsForAFiberThatIsToCome(t *testing.T) {
	for _, comes := range []bool{true, false} {
		s := newTestScheduler(t, Config{})
		guest := s.group(nil, "guest", quota.Limits{})
		part := s.group(guest, "part", quota.Limits{})
		arrived, ran := part.Expect(), false
		s.spawnReady(Options{Group: guest})
		require.NoError(t, s.shutDown(context.Background(), guest, func(_ *Scheduler[int], f *Fiber[int]) fiber.Outcome {
			switch f.Data {
			case 0: // the Group is empty when this fiber has ended
				require.NoError(t, s.Inbox().Do(func() {
					if comes {
						_, err := s.SpawnWith(1, Options{Group: part})
						require.NoError(t, err)
					}
					arrived()
					arrived()
				}))
			case 1:
				ran = true
			}
			return fiber.Outcome{Kind: fiber.Done}
		}))
		require.Equal(t, comes, ran)
	}
	(*Group)(nil).Expect()()
}
