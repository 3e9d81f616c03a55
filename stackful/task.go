package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

// Task is the handle by which other fibers wait for a fiber. It outlives the fiber: a join after
// the end, or a second one, gives the same result.
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
	rt.given("SetName", rt != nil, "a runtime")
	t.name = name
	_ = rt.sched.Attachments().SetName(t.id, name) // a dead fiber is in no report
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

// Cancel cancels the fiber of the task; see scheduler.Cancel. It does not wait for the fiber's end,
// and does nothing if it has ended. The error is wait.ErrForeign. A killed fiber may still cancel.
func (f *Fiber) Cancel(t *Task, cause error) error {
	f.own("Cancel")
	err := f.admitTask("Cancel", t)
	if err == nil && !t.cell.Completed() {
		_ = f.rt.sched.Cancel(t.id, cause) // it is alive
	}
	return err
}

// Join waits for the end of a fiber and returns its result, or a *TaskError.
func (f *Fiber) Join(t *Task) (any, error) { return f.JoinUntil(t, fiber.Never) }

// JoinUntil is Join with a deadline. Errors besides *TaskError: ErrTimeout, *Interrupt,
// wait.ErrSelfJoin, wait.ErrForeign.
func (f *Fiber) JoinUntil(t *Task, deadline fiber.Time) (any, error) {
	if err := f.begin("Join"); err != nil {
		return nil, err
	}
	if err := f.admitTask("Join", t); err != nil {
		return nil, err
	}
	j, err := wait.JoinOn(t.cell, f.ID())
	if err != nil {
		return nil, f.at(err)
	}
	v, done, failed := j.Try()
	if !done {
		_, _, err := f.Await(fiber.OnQueue().WithDeadline(deadline), func(tk fiber.Ticket) error { return j.ParkJoin(tk, 0) }, j.Case().Source())
		if err != nil {
			return nil, err
		}
		v, _, failed = j.Try()
	}
	if failed != nil {
		return nil, t.failure(failed)
	}
	return v, nil
}

// admitTask refuses a task of another runtime.
func (f *Fiber) admitTask(call string, t *Task) error {
	f.rt.given(call, t != nil, "a task")
	if f.rt.explored {
		f.touch(t.cell.Source())
	}
	if t.cell.Source().Anchored().Bind(f.rt.sched.Inspect().Number(), 0) && (t.cell.Completed() || f.rt.runs(t)) {
		return nil
	}
	return f.refuse(call, describe(t.cell.Source()))
}

// runs tells whether the fiber of the task lives here. Another may have the same ID in a
// runtime with the same number.
func (rt *Runtime) runs(t *Task) bool {
	id, _ := t.id.Regular()
	slot, alive := rt.sched.Fiber(id)
	return alive && slot.Data != nil && slot.Data.task == t
}
