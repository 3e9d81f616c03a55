package fiberio

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Unobserved is called for failures that no fiber can read, when they happen. The scheduler would
// report them when Run ends, which a server may never do. Nil reports nothing here.
type Unobserved func(*scheduler.UnobservedError)

// UnobservedOf is that of a Config, whose rules apply: a panic that ends the run is the error of
// the run, and is not reported here.
func UnobservedOf(cfg stackful.Config) Unobserved {
	report := cfg.Unobserved
	if report == nil || cfg.OnPanic != panicstate.FailRun {
		return report
	}
	return func(err *scheduler.UnobservedError) {
		if !errors.As(err, new(*scheduler.PanicError)) {
			report(err)
		}
	}
}

// Died reports the failure of a fiber that none will join, and marks it as read, so that the
// scheduler does not report it again. The link of the fiber calls it (fiber.Link). An end that was
// requested, by a kill or a cancellation, is no failure.
func (u Unobserved) Died(task *stackful.Task, d fiber.Death) {
	if u == nil || d.Err == nil || d.Killed || d.Cause != nil && errors.Is(d.Err, d.Cause) {
		return
	}
	_, _, _ = task.Result()
	u(&scheduler.UnobservedError{ID: d.ID, Name: d.Name, Err: d.Err})
}
