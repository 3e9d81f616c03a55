package actor

import (
	"fmt"

	"github.com/selvage-dev/selvage/scheduler"
)

// IdleError is the ErrIdle of a system whose fibers wait, and says on what.
type IdleError struct {
	// Stuck are the fibers, of asynchronous actors or others, that wait for something else
	// than their actor's messages: nothing is left to bring it, unless a dispatch does.
	Stuck []scheduler.BlockedFiber
	// Report tells of every blocked fiber where and on what, and of a cycle if there is one.
	Report *scheduler.Report
}

// Error is one line if all that is left waits for messages, else the whole report.
func (e *IdleError) Error() string {
	if len(e.Stuck) == 0 {
		return ErrIdle.Error()
	}
	return fmt.Sprintf("actor: idle; %d of %d fibers wait for what nothing is left to bring\n%v",
		len(e.Stuck), len(e.Report.Fibers), e.Report)
}

// Unwrap is ErrIdle.
func (e *IdleError) Unwrap() error { return ErrIdle }

// idle is how a reading of outputs ends when the scheduler has come to this verdict.
func (s *System[M]) idle(v scheduler.Verdict) error {
	if v.Report == nil {
		return ErrIdle
	}
	e := &IdleError{Report: v.Report}
	for _, f := range v.Report.Fibers {
		if cx := s.fibers[f.ID]; !f.ID.IsTrampoline() && (cx == nil || !cx.listens()) {
			e.Stuck = append(e.Stuck, f)
		}
	}
	return e
}

// listens tells whether the actor's fiber waits for messages, whatever else it waits for.
func (cx *Context[M]) listens() bool {
	receivers, _ := cx.inbox.Waiting()
	return receivers > 0
}
