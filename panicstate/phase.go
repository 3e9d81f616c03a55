package panicstate

import "fmt"

// Phase is what the fiber is doing as far as panics go. It follows from the tables.
type Phase uint8

const (
	// Idle: guest code runs, no deferred call among its frames.
	Idle Phase = iota
	// Returned: guest code runs in a deferred call of a frame that returned.
	Returned
	// InDefer: guest code runs in a deferred call of a frame that is being unwound.
	InDefer
	// Unwinding: a panic is in force and no guest code runs; NextDefer is due.
	Unwinding
	// Ended: the last deferred call has run and no call recovered. The scheduler
	// moves the fiber to Dead.
	Ended
	// UnwindingFatal: a Fatal panic is in force.
	UnwindingFatal
)

var phaseNames = [...]string{"idle", "returned", "in-defer", "unwinding", "ended", "unwinding-fatal"}

// String is the lower-case name.
func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return "invalid phase"
}

// Phase returns the current phase.
func (s *State) Phase() Phase {
	switch top := s.top(); {
	case s.over && top.Kind == Fatal:
		return UnwindingFatal
	case s.over:
		return Ended
	case top != nil && top.level == len(s.running):
		return Unwinding
	case len(s.running) == 0:
		return Idle
	case s.running[len(s.running)-1].unwound:
		return InDefer
	}
	return Returned
}

// PhaseError is what an operation panics with that the host may not call in this
// phase: the host broke the contract (docs/design.md#panic-state). The state is as it was.
type PhaseError struct {
	Op    string
	Phase Phase
	Fix   string
}

// Error names the operation, the phase and the fix.
func (e *PhaseError) Error() string {
	return fmt.Sprintf("panicstate: rule PANIC-PHASE (docs/invariants.md#panic-phase): %s while %v: %s", e.Op, e.Phase, e.Fix)
}

// refuse reports a broken contract.
func (s *State) refuse(op, fix string) {
	panic(&PhaseError{Op: op, Phase: s.Phase(), Fix: fix})
}
