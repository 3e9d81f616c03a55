package actor

import (
	"fmt"

	"github.com/selvage-dev/selvage/scheduler"
)

// stuckError is the ErrIdle of a system in which fibers wait for something other than their
// actor's messages. Only a dispatch can cause a wake-up of them.
type stuckError struct {
	stuck  int
	report *scheduler.Report
}

// Error gives the number of stuck fibers and the wait-for graph of all blocked ones.
func (e *stuckError) Error() string {
	return fmt.Sprintf("actor: idle; %d of %d fibers wait for what nothing is left to bring\n%v",
		e.stuck, len(e.report.Fibers), e.report)
}

// Unwrap returns ErrIdle.
func (e *stuckError) Unwrap() error { return ErrIdle }

// idle returns the error of a reading of outputs that ended with this verdict of the scheduler.
func (s *System[M]) idle(v scheduler.Verdict) error {
	if v.Report == nil {
		return ErrIdle
	}
	stuck := 0
	for _, f := range v.Report.Fibers {
		if cx := s.fibers[f.ID]; !f.ID.IsTrampoline() && (cx == nil || !cx.listens()) {
			stuck++
		}
	}
	if stuck == 0 {
		return ErrIdle
	}
	return &stuckError{stuck: stuck, report: v.Report}
}

// listens reports whether the actor's fiber waits for messages, alone or in a select.
func (cx *Context[M]) listens() bool {
	receivers, _ := cx.inbox.Waiting()
	return receivers > 0
}
