package stackful_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// A cancelled and a killed task answer the same questions: was it cancelled or killed, and why.
func TestJoinsOfCancelledAndOfKilledTasksAnswerTheSameQuestions(t *testing.T) {
	cause := errors.New("enough")
	for name, c := range map[string]struct {
		end      func(s *scheduler.Scheduler[*stackful.Fiber], id fiber.ID) error
		killed   bool
		sentinel error
		cause    error
	}{
		"cancelled":                 {func(s *scheduler.Scheduler[*stackful.Fiber], id fiber.ID) error { return s.Cancel(id, cause) }, false, scheduler.ErrCancelled, cause},
		"cancelled without a cause": {func(s *scheduler.Scheduler[*stackful.Fiber], id fiber.ID) error { return s.Cancel(id, nil) }, false, scheduler.ErrCancelled, scheduler.ErrCancelled},
		"killed":                    {func(s *scheduler.Scheduler[*stackful.Fiber], id fiber.ID) error { return s.Kill(id, cause) }, true, scheduler.ErrKilled, cause},
		"killed without a cause":    {func(s *scheduler.Scheduler[*stackful.Fiber], id fiber.ID) error { return s.Kill(id, nil) }, true, scheduler.ErrKilled, scheduler.ErrKilled},
	} {
		for how, join := range map[string]func(f *stackful.Fiber, task *stackful.Task) error{
			"Join": func(f *stackful.Fiber, task *stackful.Task) error { _, err := f.Join(task); return err },
			"Group": func(f *stackful.Fiber, task *stackful.Task) error {
				var g stackful.Group
				require.NoError(t, g.Add(f, task))
				_, err := g.Wait(f, wait.All)
				return err
			},
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				rt := stackful.New(stackful.Config{})
				defer rt.Close()
				var err error
				_, spawned := rt.Go("joiner", func(f *stackful.Fiber) (any, error) {
					task, spawned := rt.Go("worker", func(f *stackful.Fiber) (any, error) {
						_, _, err := f.Await(fiber.OnQueue(), nil)
						return nil, err
					})
					require.NoError(t, spawned)
					require.NoError(t, f.Yield())
					require.NoError(t, c.end(rt.Scheduler(), task.ID()))
					err = join(f, task)
					return nil, nil
				})
				require.NoError(t, spawned)
				require.NoError(t, rt.Run(context.Background()))

				var i *stackful.Interrupt
				require.ErrorAs(t, err, new(*stackful.TaskError))
				require.ErrorAs(t, err, &i)
				require.Equal(t, c.killed, i.Killed)
				require.ErrorIs(t, err, c.sentinel)
				require.ErrorIs(t, err, c.cause)
				require.ErrorIs(t, i, c.sentinel)
				require.ErrorIs(t, i, c.cause)
				require.Equal(t, !c.killed, errors.Is(err, scheduler.ErrCancelled))
				require.Equal(t, c.killed, errors.Is(err, scheduler.ErrKilled))
			})
		}
	}
}
