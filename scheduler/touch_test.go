package scheduler_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// touchedIn runs two fibers, of which the first waits for a channel that the second closes, and returns
// the calls of Config.Touched.
func touchedIn(declares bool) (calls []string) {
	ch := wait.NewChan[int](0)
	s := scheduler.New[int](scheduler.Config{
		Choose:   func(scheduler.Choice) int { return 0 },
		Observer: func(scheduler.Transition) {},
		Touched: func(id fiber.ID, objects []any) {
			for i, o := range objects {
				if o == any(ch.Source()) {
					objects[i] = "channel"
				}
			}
			calls = append(calls, fmt.Sprint(id, objects))
		},
	})
	if declares {
		s.Choices().Declare()
	}
	_, _ = s.Spawn(0)
	_, _ = s.Spawn(1)
	began := false
	_ = s.Run(context.Background(), scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
		switch {
		case f.Data == 1:
			s.Choices().Point()
			s.Choices().Touch(ch.Source(), 7)
			woken, _ := ch.Close(nil)
			s.Deliver(woken[0].Ticket, woken[0].Result)
		case !began:
			began = true
			_ = ch.ParkRecv(s.Arm(fiber.OnQueue(), ch.Source()), 0)
			return fiber.Outcome{Kind: fiber.Block}
		default:
			s.Claim()
		}
		return fiber.Outcome{Kind: fiber.Done}
	}))
	return calls
}

// A step begins where a fiber is chosen and where it goes on after a point. What it uses follows: the
// sources of its waits, and what the host tells.
func TestTheStepsOfAnExploredRunTellWhatTheyUse(t *testing.T) {
	require.Equal(t, []string{
		"f0.1 []", "f0.1 [channel]", "f1.1 []", "f1.1 []", "f1.1 [channel 7]", "f0.1 []",
	}, touchedIn(true))
}

func TestAStepOfAHostThatDeclaresNothingMayUseAnything(t *testing.T) {
	require.Equal(t, []string{
		"f0.1 []", "f0.1 [<nil>]", "f0.1 [channel]", "f1.1 []", "f1.1 [<nil>]", "f1.1 []", "f1.1 [<nil>]", "f1.1 [channel 7]", "f0.1 []", "f0.1 [<nil>]",
	}, touchedIn(false))
}
