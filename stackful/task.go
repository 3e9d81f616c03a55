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

// SetName changes it, here and, while the fiber lives, in reports.
func (t *Task) SetName(rt *Runtime, name string) {
	t.name = name
	_ = rt.sched.SetName(t.id, name) // a dead fiber is in no report
}

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
// wait.ErrSelfJoin, wait.ErrForeign.
func (f *Fiber) JoinBy(t *Task, deadline fiber.Time) (any, error) {
	if err := f.use("Join", joined{t}); err != nil {
		return nil, err
	}
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

// joined is a task as an object that a scheduler can be refused by.
type joined struct{ *Task }

// Admit refuses a fiber of another scheduler.
func (j joined) Admit(scheduler uint16) error {
	if j.cell.Bind(scheduler) {
		return nil
	}
	return &wait.Error{Op: "join", Object: j.cell.Describe(), Owner: j.id, Err: wait.ErrForeign}
}
