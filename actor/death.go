package actor

import "fmt"

// Death is how an actor ended.
type Death struct {
	Actor Handle
	Name  string // Spec.Name
	// Failed: by a failure (OpFail, a panic), not by a kill or a return.
	Failed bool
	// Restarts: only this life has ended; the actor will be restarted.
	Restarts bool
	// Cause is the failure, or why it was killed; nil if it returned or was needed no more.
	Cause error
}

// Err is the death as an error: nil if it is not a failure.
func (d Death) Err() error {
	if d.Cause == nil {
		return nil
	}
	return &DeathError{d}
}

// DeathError is an end that had a cause: what a system ends with that lost its root, and
// what takes linked actors along.
type DeathError struct{ Death }

// Error names the actor and the cause.
func (e *DeathError) Error() string {
	how := "was killed"
	if e.Failed {
		how = "failed"
	}
	return fmt.Sprintf("actor: %s %s: %v", e.label(), how, e.Cause)
}

// Unwrap is the cause.
func (e *DeathError) Unwrap() error { return e.Cause }

// label is the handle and, quoted because a guest may have chosen it, the name.
func (d Death) label() string {
	if d.Name == "" {
		return d.Actor.String()
	}
	return fmt.Sprintf("%v %q", d.Actor, d.Name)
}
