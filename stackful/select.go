package stackful

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// selectSources is how many sources a select keeps off the heap.
const selectSources = 8

// Select waits until one of the cases can go on and does it; which, is its result, and
// the case itself holds the outcome. Among several that are ready the choice is
// uniform, from the scheduler's seeded generator. Errors: *Interrupt, wait.ErrForeign.
func (f *Fiber) Select(cases *wait.Select) (int, error) { return f.SelectUntil(cases, fiber.Never) }

// SelectUntil is Select with a deadline, and ErrTimeout.
func (f *Fiber) SelectUntil(cases *wait.Select, deadline fiber.Time) (int, error) {
	var buf [selectSources]fiber.Source
	sources := cases.Sources(buf[:0])
	if i, ok, err := f.poll(cases, sources); ok || err != nil {
		return i, err
	}
	t, res, err := f.Await(fiber.OnQueue().WithDeadline(deadline), cases.Park, sources...)
	if err != nil {
		return -1, err
	}
	i, _ := cases.Collect(t, res)
	return i, nil
}

// TrySelect is a select with a default: it does one of the ready cases, or none.
// Errors as Select's.
func (f *Fiber) TrySelect(cases *wait.Select) (i int, ok bool, err error) {
	var buf [selectSources]fiber.Source
	return f.poll(cases, cases.Sources(buf[:0]))
}

// poll does one of the ready cases, which have the sources.
func (f *Fiber) poll(cases *wait.Select, sources []fiber.Source) (i int, ok bool, err error) {
	if err := f.begin("Select"); err != nil {
		return -1, false, err
	}
	for _, src := range sources {
		if !f.rt.sched.Attachments().Bind(src.Anchored()) {
			return -1, false, f.refuseCase(cases, src)
		}
	}
	i, w, ok := cases.Poll(f.rt.sched.Inspect().Random())
	f.wake(w)
	return i, ok, nil
}

// refuseCase is the refusal of a select because of a source that belongs to another runtime.
func (f *Fiber) refuseCase(cases *wait.Select, src fiber.Source) error {
	if err := cases.Admit(f.rt.sched.Inspect().Number()); err != nil {
		return f.at(err)
	}
	name := fmt.Sprintf("%T", src)
	if d, ok := src.(fiber.Described); ok {
		name = d.Describe()
	}
	return f.refuse("Select", name)
}
