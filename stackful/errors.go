package stackful

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

var (
	// ErrTimeout: the deadline of a blocking call passed first.
	ErrTimeout = errors.New("stackful: timed out")
	// ErrGoexit: the fiber's function called runtime.Goexit (testing's FailNow does).
	// It comes with the Go stack of the call.
	ErrGoexit = errors.New("stackful: the function called runtime.Goexit")
)

// Interrupt is the error of a blocking call that was ended by a cancel or a kill.
type Interrupt struct {
	// Killed tells a kill, which refuses every further call, from a cancel.
	Killed bool
	Cause  error

	of fiber.ID // whose call
}

// Error names which it was and the cause.
func (e *Interrupt) Error() string {
	if e.Killed {
		return fmt.Sprintf("killed: %v", e.Cause)
	}
	return fmt.Sprintf("cancelled: %v", e.Cause)
}

// Unwrap is scheduler.ErrKilled or scheduler.ErrCancelled, whatever the cause, and the cause given
// to Kill or Cancel.
func (e *Interrupt) Unwrap() []error {
	if e.Killed {
		return []error{scheduler.ErrKilled, e.Cause}
	}
	return []error{scheduler.ErrCancelled, e.Cause}
}

// Stopped is the *Interrupt in err that says that f itself was cancelled or killed; nil if
// there is none. What errors.As finds may be that of another fiber, which f has joined.
func (f *Fiber) Stopped(err error) *Interrupt {
	if i, ok := err.(*Interrupt); ok && i.of == f.ID() {
		return i
	}
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		return f.Stopped(err.Unwrap())
	case interface{ Unwrap() []error }:
		for _, err := range err.Unwrap() {
			if i := f.Stopped(err); i != nil {
				return i
			}
		}
	}
	return nil
}

// GoexitError is how a fiber ended whose function called runtime.Goexit. It is
// ErrGoexit, with the Go stack of the call.
type GoexitError struct{ Stack []byte }

// Error is that of ErrGoexit, without the stack, which differs from run to run.
func (*GoexitError) Error() string { return ErrGoexit.Error() }

// Unwrap is ErrGoexit.
func (*GoexitError) Unwrap() error { return ErrGoexit }

// TaskError is the failure of a fiber as the error of a Join. Of a fiber that was cancelled or
// killed it wraps an *Interrupt, with scheduler.ErrCancelled or scheduler.ErrKilled and the cause.
type TaskError struct {
	Task string // name, or ID if it has none
	Err  error
}

// Error names the fiber and its error.
func (e *TaskError) Error() string { return fmt.Sprintf("fiber %s: %v", e.Task, e.Err) }

// Unwrap is the fiber's own error.
func (e *TaskError) Unwrap() error { return e.Err }

// failure is the error of a join with the task, which ended with err. The scheduler ends a killed
// fiber with an error of its own, so the *Interrupt that a cancelled one has is added here.
func (t *Task) failure(err error) *TaskError {
	var i *Interrupt
	if errors.Is(err, scheduler.ErrKilled) && !errors.As(err, &i) {
		err = &killedTask{error: err, by: &Interrupt{Killed: true, Cause: err, of: t.id}}
	}
	return &TaskError{Task: t.label(), Err: err}
}

// killedTask has the text of the scheduler's error.
type killedTask struct {
	error
	by *Interrupt
}

// Unwrap is both.
func (e *killedTask) Unwrap() []error { return []error{e.error, e.by} }
