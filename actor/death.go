package actor

import "fmt"

// Death is how an actor ended.
type Death struct {
	Actor Handle
	Name  string // Spec.Name
	// Failed: it ended by a failure (OpFail, a panic), not by a kill or a return.
	Failed bool
	// Restarts: only this life has ended; the actor will be restarted.
	Restarts bool
	// Cause is the failure, or why it was killed; nil if it returned or was no longer needed.
	Cause error
}

// Err is the death as an error; nil if it had no cause.
func (d Death) Err() error {
	if d.Cause == nil {
		return nil
	}
	return &DeathError{d}
}

// DeathError is the end of an actor that had a cause. It is the error of a system whose root has
// ended, and the cause with which linked actors fail.
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
