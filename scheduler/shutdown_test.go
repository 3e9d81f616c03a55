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

// shutDown runs a scheduler on this goroutine, and calls Shutdown on another one.
func (g *testScheduler) shutDown(ctx context.Context, guest *Group, grace time.Duration, m MachineFunc[int]) error {
	sender := g.Inbox().NewSender()
	ended := make(chan error, 1)
	go func() {
		ended <- guest.Shutdown(ctx, grace)
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
	require.NoError(t, s.shutDown(context.Background(), guest, time.Hour, func(*Scheduler[int], *Fiber[int]) fiber.Outcome {
		if slices--; slices > 0 {
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		return fiber.Outcome{Kind: fiber.Done}
	}))
	require.Zero(t, s.Inspect().Live())
	require.NoError(t, s.shutDown(context.Background(), guest, 0, nil2done))
}

func nil2done(*Scheduler[int], *Fiber[int]) fiber.Outcome { return fiber.Outcome{Kind: fiber.Done} }

// First they are cancelled, then killed. Other fibers continue.
func TestAShutdownCancelsAndThenKillsWhatDoesNotFinish(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	s.spawnReady(Options{Group: guest, Frames: true})
	ctx, stop := context.WithCancelCause(context.Background())
	cause := errors.New("the service ends")
	stop(cause)
	var told []fiber.Code
	require.NoError(t, s.shutDown(ctx, guest, time.Millisecond, func(s *Scheduler[int], _ *Fiber[int]) fiber.Outcome {
		code, err := s.TakeInterrupt()
		if code == fiber.Pending {
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		told = append(told, code)
		require.ErrorIs(t, err, cause)
		if code == fiber.Killed {
			return fiber.Outcome{Kind: fiber.Done}
		}
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}))
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
	release := make(chan struct{})
	sender := s.Inbox().NewSender()
	ended := make(chan error, 1)
	go func() {
		ended <- guest.Shutdown(ctx, time.Millisecond)
		close(release)
		sender.Close()
	}()
	require.NoError(t, s.Run(context.Background(), MachineFunc[int](func(s *Scheduler[int], _ *Fiber[int]) fiber.Outcome {
		if code, _ := s.TakeInterrupt(); code == fiber.Pending {
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
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
	require.ErrorContains(t, refusal(func() { _ = guest.Shutdown(nil, 0) }), "VALID-ARGUMENT") //nolint:staticcheck // that is the test
	ctx, stop := context.WithCancel(context.Background())
	stop()
	require.ErrorContains(t, guest.Shutdown(ctx, time.Microsecond), "nothing polls the scheduler")
	s.Close()
	require.ErrorIs(t, guest.Shutdown(ctx, 0), ErrStopped)
}
