package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

// Task stands for a fiber to those who wait for it. It outlives the fiber: a join
// after the end, or a second one, gives the same result.
type Task struct {
	id   fiber.ID
	name string
	cell *ioqueue.Cell
}

// ID is the fiber's. Its slot may hold another fiber later; then nothing done with
// this ID reaches that one.
func (t *Task) ID() fiber.ID { return t.id }

// Name is what the fiber was spawned with.
func (t *Task) Name() string { return t.name }

// Result is what the fiber ended with; done is false while it is alive.
func (t *Task) Result() (value any, err error, done bool) { return t.cell.Result() }

// Cell is the fiber's join cell, a source to select on (wait.JoinOn).
func (t *Task) Cell() *ioqueue.Cell { return t.cell }

func (t *Task) label() string {
	if t.name != "" {
		return t.name
	}
	return t.id.String()
}

// Join waits for the end of a fiber and returns its result, or a *TaskError.
func (f *Fiber) Join(t *Task) (any, error) { return f.JoinBy(t, fiber.Never) }

// JoinBy is Join with a deadline. Errors besides *TaskError: ErrTimeout, *Interrupt,
// wait.ErrSelfJoin.
func (f *Fiber) JoinBy(t *Task, deadline fiber.Time) (any, error) {
	f.own("Join")
	j, err := wait.JoinOn(t.cell, f.ID())
	if err != nil {
		return nil, err
	}
	v, done, failed := j.Try()
	if !done {
		_, _, err := f.Await(fiber.OnQueue().By(deadline), func(tk fiber.Ticket) error { return j.ParkJoin(tk, 0) }, j.Source())
		if err != nil {
			return nil, err
		}
		v, _, failed = j.Try()
	}
	if failed != nil {
		return nil, &TaskError{Task: t.label(), Err: failed}
	}
	return v, nil
}
