package reactor

import (
	"context"
	"errors"
	"fmt"
)

// Work is one blocking call. Its context ends when nobody waits for the result any more
// (the fiber was cancelled, killed, or timed out) or when the pool is closed; work that
// can stop early should then do so. It may panic and it may call runtime.Goexit: both are
// errors of the fiber that waits (*PanicError, ErrWorkExited).
type Work func(ctx context.Context) (any, error)

var (
	// ErrPoolClosed is what work ends with that had not begun when its pool was closed,
	// and the cause in the context of work that had.
	ErrPoolClosed = errors.New("reactor: the pool is closed")
	// ErrAbandoned is the cause in the context of work whose fiber does not wait any more.
	ErrAbandoned = errors.New("reactor: nobody waits for this work any more")
	// ErrStragglers: some work did not stop when it was told to.
	ErrStragglers = errors.New("reactor: not all work has ended")
	// ErrWorkExited: the work called runtime.Goexit (testing's FailNow does).
	ErrWorkExited = errors.New("reactor: the work called runtime.Goexit")
)

// PanicError is what work or a slice ends with that panicked.
type PanicError struct {
	Value any    // what panic was called with
	Stack []byte // the Go stack trace at the panic
}

// Error is the panic value; the trace is in Stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic on a worker: %v", e.Value) }

// Unwrap is the panic value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
