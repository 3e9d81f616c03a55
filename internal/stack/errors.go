package stack

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

var (
	// ErrGoexit reports a function that called runtime.Goexit (testing's FailNow does).
	// If it ran nested in another stack, the code there is expected to do the same.
	ErrGoexit = errors.New("stack: the function called runtime.Goexit")
	// ErrClosed reports a stack that was closed before its function returned.
	ErrClosed = errors.New("stack: closed")
)

// PanicError reports a panic that nothing in the stack recovered.
type PanicError struct {
	Value any    // what panic was called with
	Stack []byte // the Go stack trace at the panic
}

// Error is the panic value; the trace is in Stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap is the panic value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// GoexitError is ErrGoexit with the trace of the call.
type GoexitError struct {
	Stack []byte // the Go stack trace at runtime.Goexit
}

// Error says what was called; the trace is in Stack.
func (e *GoexitError) Error() string { return ErrGoexit.Error() }

// Unwrap is ErrGoexit.
func (e *GoexitError) Unwrap() error { return ErrGoexit }

// exit unwinds the calling goroutine; it is a function so that traces name it.
func exit() { runtime.Goexit() }

// verdict turns what recover returned in the outermost deferred call of a function
// that did not return into the error of its stack.
func verdict(recovered any, closing bool) error {
	switch {
	case recovered != nil:
		return &PanicError{Value: recovered, Stack: debug.Stack()}
	case closing:
		return ErrClosed
	}
	return &GoexitError{Stack: debug.Stack()}
}
