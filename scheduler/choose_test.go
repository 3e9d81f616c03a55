package scheduler_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// orderOf runs fibers that spawn, yield, wait for each other and end, as the acts of a script say, and
// returns the order of their slices.
func orderOf(cfg scheduler.Config, script []byte) (order []int) {
	s := scheduler.New[int](cfg)
	var waiting []fiber.Ticket
	made := 0
	spawn := func(front bool) {
		made++
		_, _ = s.SpawnWith(made, scheduler.Options{Front: front})
	}
	for range 3 {
		spawn(false)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	_ = s.Run(ctx, scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
		order = append(order, f.Data)
		if len(script) == 0 {
			return fiber.Outcome{Kind: fiber.Done}
		}
		act := script[0]
		script = script[1:]
		switch act % 5 {
		case 0, 1:
			spawn(act%5 == 1)
		case 2:
			waiting = append(waiting, s.ArmForQueue())
			return fiber.Outcome{Kind: fiber.Block}
		case 3:
			for _, t := range waiting {
				s.Deliver(t, fiber.Result{Code: fiber.OK})
			}
			waiting = nil
		}
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}))
	return order
}

// A run in which Choose always takes the default is the run without Choose.
func TestTheDefaultsAreFirstInFirstOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		script := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "script")
		asked := 0
		first := func(c scheduler.Choice) int {
			asked++
			if c.Options < 2 || len(c.Fibers) != c.Options {
				t.Fatalf("asked for one of %d: %v", c.Options, c.Fibers)
			}
			return 0
		}
		require.Equal(t, orderOf(scheduler.Config{}, script), orderOf(scheduler.Config{Choose: first}, script))
		require.Positive(t, asked)
	})
}

// Every sequence of answers is a run: each fiber runs once for each of its slices.
func TestAnyAnswersMakeARun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		script := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "script")
		answers := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "answers")
		choose := func() func(scheduler.Choice) int {
			at := 0
			return func(c scheduler.Choice) int {
				if at++; at <= len(answers) {
					return int(answers[at-1]) % c.Options
				}
				return 0
			}
		}
		order := orderOf(scheduler.Config{Choose: choose()}, script)
		require.Equal(t, order, orderOf(scheduler.Config{Choose: choose()}, script))
		require.GreaterOrEqual(t, len(order), 3)
	})
}

func TestAnAnswerThatIsNoOptionIsRefused(t *testing.T) {
	for _, answer := range []int{-1, 2} {
		s := scheduler.New[int](scheduler.Config{Choose: func(scheduler.Choice) int { return answer }})
		_, _ = s.Spawn(1)
		_, _ = s.Spawn(2)
		refused := caught(func() { s.Poll() })
		require.ErrorContains(t, refused, fmt.Sprintf("Config.Choose has chosen %d of 2 options: return 0 to 1", answer))
	}
}

func TestAPointOutsideOfASliceIsRefused(t *testing.T) {
	s := scheduler.New[int](scheduler.Config{Choose: func(scheduler.Choice) int { return 0 }})
	require.ErrorContains(t, caught(func() { s.Choices().Point() }), "call it within a slice")
	require.False(t, scheduler.New[int](scheduler.Config{}).Choices().Point())
}

// caught is the error that a call panics with.
func caught(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}
