package wasm

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/sys"

	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/stackful"
)

// ModuleError is a module that cannot be compiled, or does not fit what it imports.
type ModuleError struct {
	Module string
	// Err is the cause; a *meter.Error if the binary is malformed.
	Err error
}

// Error names the module and the cause.
func (e *ModuleError) Error() string { return e.Module + ": " + e.Err.Error() }

// Unwrap is the cause.
func (e *ModuleError) Unwrap() error { return e.Err }

// ImportError is a module that imports functions which nobody provides.
type ImportError struct {
	Module  string
	Missing []string // module.function, sorted
}

// Error names the module and what it misses.
func (e *ImportError) Error() string {
	return fmt.Sprintf("%s: imports %s, which nobody provides", e.Module, strings.Join(e.Missing, ", "))
}

// Trap is why wasm code could not go on. errors.Is tells one from another.
type Trap string

// The traps that hosts are likely to tell apart; there are more.
const (
	StackOverflow   Trap = "stack overflow"
	Unreachable     Trap = "unreachable"
	OutOfBounds     Trap = "out of bounds memory access"
	DivisionByZero  Trap = "integer divide by zero"
	BadIndirectCall Trap = "indirect call type mismatch"
	BadTableAccess  Trap = "invalid table access"
	IntegerOverflow Trap = "integer overflow"
	BadConversion   Trap = "invalid conversion to integer"
)

// Error is the reason.
func (t Trap) Error() string { return "trap: " + string(t) }

// HostPanic is a host function that panicked.
type HostPanic struct {
	// Function is module.function, or "" of one that was made with wazero's builder.
	Function string
	Value    any
	Stack    []byte // the Go stack at the panic
}

// Error is the value. The stack differs from run to run; who wants it prints Stack.
func (e *HostPanic) Error() string {
	if e.Function == "" {
		return fmt.Sprintf("a host function panicked: %v", e.Value)
	}
	return fmt.Sprintf("%s panicked: %v", e.Function, e.Value)
}

// Unwrap is the panic value if it was an error.
func (e *HostPanic) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// CallError is how a call of a wasm function ended that did not return.
type CallError struct {
	// Module and Function were called.
	Module, Function string
	// Err is the cause: a Trap, a *HostPanic, a *stackful.Interrupt, a *sys.ExitError of
	// wazero's if the program exited, what a host function returned, or one of ErrBusy,
	// ErrTooDeep and ErrNoFunction.
	Err error
	// Trace are the functions it was in, innermost first, as far as the engine knows.
	Trace []string
}

// Error names the function and the cause.
func (e *CallError) Error() string { return fmt.Sprintf("%s: %s: %v", e.Module, e.Function, e.Err) }

// Unwrap is the cause.
func (e *CallError) Unwrap() error { return e.Err }

// The marks by which wazero's messages are taken apart.
const (
	traceMark = "\nwasm stack trace:\n\t"
	trapMark  = "wasm error: "
	panicMark = " (recovered by wazero)"
)

// callError makes one of the engine's error.
func (m *Module) callError(function string, err error) error {
	var exit *sys.ExitError
	if !interrupted(err) && errors.As(err, &exit) { // it may be the cause of a cancel
		return &CallError{Module: m.name, Function: function, Err: exit}
	}
	text, trace, _ := strings.Cut(err.Error(), traceMark)
	e := &CallError{Module: m.name, Function: function, Err: causeOf(text, err)}
	if trace, _, _ = strings.Cut(trace, "\n\n"); trace != "" {
		e.Trace = slices.DeleteFunc(strings.Split(trace, "\n\t"), ofMetering)
	}
	return e
}

// ofMetering tells a function that nobody wrote.
func ofMetering(frame string) bool { return strings.HasPrefix(frame, meter.Host+".") }

// causeOf is what the engine wrapped: its own trap, or what a host function panicked with.
func causeOf(text string, err error) error {
	value, _, panicked := strings.Cut(text, panicMark)
	_, reason, trapped := strings.Cut(text, trapMark)
	cause := innermost(err)
	broken, isRuntime := cause.(runtime.Error)
	switch {
	case panicked && cause == nil:
		return &HostPanic{Value: value}
	case panicked && isRuntime:
		return &HostPanic{Value: broken, Stack: []byte(err.Error())}
	case panicked:
		return cause
	case trapped:
		return Trap(reason)
	case text == string(StackOverflow):
		return StackOverflow
	}
	return err
}

// innermost is the error below those that the engine has put around it.
func innermost(err error) error {
	for err = errors.Unwrap(err); err != nil && strings.Contains(err.Error(), traceMark); {
		err = errors.Unwrap(err)
	}
	return err
}

// Interrupted tells whether the call ended because its fiber was cancelled or killed. That
// of another fiber, which it has joined, is none.
func (e *CallError) TakeInterrupt() bool { return interrupted(e.Err) }

func interrupted(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		switch err.(type) {
		case *stackful.Interrupt:
			return true
		case *stackful.TaskError, *scope.Failure:
			return false
		}
	}
	return false
}
