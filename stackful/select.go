package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// selectSources is how many sources a select keeps off the heap.
const selectSources = 8

// Select waits until one of the cases can go on and does it; which, is its result, and
// the case itself holds the outcome. Among several that are ready the choice is
// uniform, from the scheduler's seeded generator. Errors: *Interrupt, wait.ErrForeign.
func (f *Fiber) Select(cases *wait.Select) (int, error) { return f.SelectBy(cases, fiber.Never) }

// SelectBy is Select with a deadline, and ErrTimeout.
func (f *Fiber) SelectBy(cases *wait.Select, deadline fiber.Time) (int, error) {
	var buf [selectSources]fiber.Source
	sources := cases.Sources(buf[:0])
	for _, src := range sources {
		if !src.Anchored().Bind(f.rt.sched.Number()) {
			return -1, &wait.Error{Op: "select", Object: "one of the cases", By: f.ID(), Err: wait.ErrForeign}
		}
	}
	if i, ok, err := f.TrySelect(cases); ok || err != nil {
		return i, err
	}
	t, res, err := f.Await(fiber.OnQueue().By(deadline), cases.Park, sources...)
	if err != nil {
		return -1, err
	}
	i, _ := cases.Collect(t, res)
	return i, nil
}

// TrySelect is a select with a default: it does one of the ready cases, or none.
func (f *Fiber) TrySelect(cases *wait.Select) (i int, ok bool, err error) {
	f.own("Select")
	if err := f.killed(); err != nil {
		return -1, false, err
	}
	i, w, ok := cases.Poll(f.rt.sched.Random())
	f.wake(w)
	return i, ok, nil
}
