package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// selectSources is how many sources a select keeps off the heap.
const selectSources = 8

// Select waits until one of the cases is ready, carries it out, and returns its index; the case
// holds the outcome. Among several that are ready the choice is uniform, by the scheduler's seeded
// generator. Errors: *Interrupt, wait.ErrForeign.
func (f *Fiber) Select(cases *wait.Select) (int, error) { return f.SelectUntil(cases, fiber.Never) }

// SelectUntil is Select with a deadline, and ErrTimeout.
func (f *Fiber) SelectUntil(cases *wait.Select, deadline fiber.Time) (int, error) {
	f.own("Select")
	f.rt.given("Select", cases != nil, "a select")
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

// TrySelect is a select with a default: it carries out one of the ready cases, or returns ok false
// if there is none. Errors as Select's.
func (f *Fiber) TrySelect(cases *wait.Select) (i int, ok bool, err error) {
	f.own("Select")
	f.rt.given("Select", cases != nil, "a select")
	var buf [selectSources]fiber.Source
	return f.poll(cases, cases.Sources(buf[:0]))
}

// poll carries out one of the ready cases, if there is one. sources are those of the cases.
func (f *Fiber) poll(cases *wait.Select, sources []fiber.Source) (i int, ok bool, err error) {
	if err := f.beginPoint("Select", nil); err != nil {
		return -1, false, err
	}
	for _, src := range sources {
		if f.rt.explored {
			f.touch(src)
		}
		if !f.rt.sched.Attachments().Bind(src.Anchored()) {
			return -1, false, f.refuse("Select", describe(src))
		}
	}
	i, w, ok := cases.Poll(f.rt.sched.Choices())
	f.wake(w)
	return i, ok, nil
}
