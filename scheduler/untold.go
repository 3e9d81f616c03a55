package scheduler

import (
	"errors"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// maxUntold is how many failures wait for somebody to read them.
const maxUntold = 1000

// UnobservedError is the failure of a fiber that nobody has read.
type UnobservedError struct {
	ID   fiber.ID
	Name string // when it died; "" if it had none
	Err  error
}

// Error names the fiber and its error.
func (e *UnobservedError) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("fiber %v failed and nobody joined it: %v", e.ID, e.Err)
	}
	return fmt.Sprintf("fiber %v %q failed and nobody joined it: %v", e.ID, e.Name, e.Err)
}

// Unwrap is the fiber's error.
func (e *UnobservedError) Unwrap() error { return e.Err }

// unread is a failure in a cell that somebody may still read.
type unread struct {
	failure *UnobservedError
	cell    *ioqueue.Cell
}

// failed tells whether the end of a fiber is one that somebody should see.
func (s *ext) failed(d fiber.Death) bool {
	switch {
	case d.Err == nil || s.main || s.observed || s.failsRun(d.Killed):
		return false
	case d.Killed:
		return errors.Is(d.Err, ErrGraceOver) || s.err != nil && !errors.Is(s.err, ErrKilled)
	}
	return d.Cause == nil || !errors.Is(d.Err, d.Cause)
}

func (c *Core) noteFailure(cell *ioqueue.Cell, d fiber.Death) {
	f := &UnobservedError{ID: d.ID, Name: d.Name, Err: d.Err}
	if cell == nil {
		c.cfg.Unobserved(f)
		return
	}
	if len(c.unobserved) == maxUntold {
		c.tell(maxUntold / 2)
	}
	c.unobserved = append(c.unobserved, unread{f, cell})
}

// tell settles the oldest failures.
func (c *Core) tell(n int) {
	due := c.unobserved[:n]
	c.unobserved = slices.Clone(c.unobserved[n:])
	for _, u := range due {
		if !u.cell.Observed() {
			c.cfg.Unobserved(u.failure)
		}
	}
}

// ReportUnobserved tells Config.Unobserved of the failures that nobody has read by now,
// each once. Run does it at its end; a host with a loop of its own does it when the
// program is over.
func (f Steps) ReportUnobserved() {
	c := f.core
	c.enter(OpNote)
	defer c.leave()
	c.tell(len(c.unobserved))
}
