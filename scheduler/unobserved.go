package scheduler

import (
	"errors"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

// UnobservedError is the failure of a fiber whose error was never read. It is only reported
// (Config.Unobserved); no call returns it.
type UnobservedError struct {
	ID   fiber.ID
	Name string // when it died; "" if it had none
	Err  error
}

// Error names the fiber and its error.
func (e *UnobservedError) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("fiber %v failed and nothing joined it: %v", e.ID, e.Err)
	}
	return fmt.Sprintf("fiber %v %q failed and nothing joined it: %v", e.ID, e.Name, e.Err)
}

// Unwrap is the fiber's error.
func (e *UnobservedError) Unwrap() error { return e.Err }

// failed tells whether the fiber's end is a failure that must be observed. It is not if the
// error is read elsewhere (the main fiber, a hook or link, a panic that ends the run), or if
// the end was requested: a kill, or an error that is the cause of the fiber's own
// cancellation. The kill at the end of the fiber's own grace period was not
// requested, and neither was an error that a killed fiber set while it unwound.
func (s *ext) failed(d fiber.Death) bool {
	switch {
	case d.Err == nil || s.main || s.observed || s.failsRun(d.Killed):
		return false
	case d.Killed:
		return d.Err == errGraceKill || s.err != nil && !errors.Is(s.err, ErrKilled)
	}
	return d.Cause == nil || !errors.Is(d.Err, d.Cause)
}

// maxUnobserved bounds how many failures are kept until they are read.
const maxUnobserved = 1000

// unobserved holds the failures whose join cells may still be read, oldest first. It keeps
// the cells alive, but neither fiber nor payload
// (docs/decisions/0022-unobserved-failures-at-the-end-of-the-run.md).
type unobserved []failure

type failure struct {
	err  *UnobservedError
	cell *ioqueue.Cell
}

// add reports a failure at once if there is no cell to read it from, and keeps it otherwise.
// If too many are kept, the older half is settled, so memory stays bounded. The moment
// depends on the order of deaths alone, never on the garbage collector or a clock, so it is
// the same in every run.
func (u *unobserved) add(d fiber.Death, cell *ioqueue.Cell, report func(*UnobservedError)) {
	err := &UnobservedError{ID: d.ID, Name: d.Name, Err: d.Err}
	if cell == nil {
		report(err)
		return
	}
	if len(*u) == maxUnobserved {
		u.settle(maxUnobserved/2, report)
	}
	*u = append(*u, failure{err, cell})
}

// settle drops the n oldest failures and reports those that were not read. They are
// dropped first, so a report that panics does not repeat them.
func (u *unobserved) settle(n int, report func(*UnobservedError)) {
	due := (*u)[:n]
	*u = slices.Clone((*u)[n:])
	for _, f := range due {
		if !f.cell.Observed() {
			report(f.err)
		}
	}
}

// ReportUnobserved calls Config.Unobserved for each failure that was not read by now, once
// each, in the order of the deaths. Run does so at its end; a host with a loop of its own
// calls it when the program is over. Without the hook nothing is kept and nothing is called.
func (f Steps) ReportUnobserved() {
	c := f.core
	c.enter(op.Note)
	defer c.leave()
	c.unobserved.settle(len(c.unobserved), c.cfg.Unobserved)
}
