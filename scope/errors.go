package scope

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

var (
	// ErrClosed: a spawn into a scope that is stopping or has ended (*ClosedError).
	ErrClosed = errors.New("scope: the scope takes no more fibers; open a new one")
	// ErrDeadline: the cause of the cancel at a scope's deadline.
	ErrDeadline = errors.New("its deadline passed")
	// ErrStopped: the cause of a cancel that is no failure: what the scope was for is done.
	ErrStopped = errors.New("its scope no longer needs it")
	// ErrOwnerDied: the cause of the kill of fibers whose scope has lost its owner.
	ErrOwnerDied = errors.New("the owner of its scope died")
)

// Failure is the end of a fiber that decided its scope, or is part of the result.
type Failure struct {
	Scope string // its name
	Fiber fiber.ID
	Name  string // the fiber's
	Err   error  // what it ended with
}

// Error names the scope, the fiber and its error.
func (e *Failure) Error() string {
	name := ""
	if e.Name != "" {
		name = fmt.Sprintf(" %q", e.Name)
	}
	return fmt.Sprintf("%s: fiber %v%s failed: %v", label(e.Scope), e.Fiber, name, e.Err)
}

// Unwrap is the fiber's error.
func (e *Failure) Unwrap() error { return e.Err }

// CancelError is the result of a scope that was cancelled: by Cancel, at its deadline, or
// with its owner.
type CancelError struct {
	Scope string // its name
	Cause error
}

// Error names the scope and the cause.
func (e *CancelError) Error() string {
	return fmt.Sprintf("%s was cancelled: %v", label(e.Scope), e.Cause)
}

// Unwrap is the cause.
func (e *CancelError) Unwrap() error { return e.Cause }

// ClosedError refuses a fiber: the scope is stopping, for the cause, or has ended. It is
// ErrClosed and the cause.
type ClosedError struct {
	Scope string // its name
	Cause error  // nil if it simply ended
}

// Error names the scope and why.
func (e *ClosedError) Error() string {
	why := error(errEnded)
	if e.Cause != nil {
		why = e.Cause
	}
	return fmt.Sprintf("%s takes no more fibers: %v", label(e.Scope), why)
}

// Unwrap is ErrClosed and, if there is one, the cause.
func (e *ClosedError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrClosed}
	}
	return []error{ErrClosed, e.Cause}
}

var errEnded = errors.New("it has ended")
