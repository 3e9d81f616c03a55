package starlark

import (
	"errors"
	"strings"

	"go.starlark.net/resolve"
	gostar "go.starlark.net/starlark"
)

// GuestError is an error of a program: of its text, or one that ended a fiber.
type GuestError struct {
	// Message has the file, the line and the column, and what was wrong there.
	Message string
	// Traceback is the calls that led to it, as Starlark prints them; "" for an error of the text.
	Traceback string
	cause     error
}

// Error is the Message.
func (e *GuestError) Error() string { return e.Message }

// Unwrap is the error of the engine, such as a *starlark.EvalError; errors.As finds in it what a function in Go has
// returned.
func (e *GuestError) Unwrap() error { return e.cause }

// LimitError ends a fiber that has passed a limit which is no quota.
type LimitError struct{ Reason string }

// Error is the Reason.
func (e *LimitError) Error() string { return e.Reason }

// guestError is the error of code that ended with err; because of ended, if that is not nil.
func guestError(err, ended error) error {
	if err == nil {
		return ended
	}
	outer, inner := evalErrors(err)
	if inner == nil {
		return err
	}
	e := &GuestError{Message: inner.Msg, Traceback: inner.Backtrace(), cause: err}
	if len(inner.CallStack) < len(outer.CallStack) { // another fiber has executed the file that failed
		e.Traceback = outer.Backtrace() + "\nin another fiber:\n" + e.Traceback
	}
	if ended != nil {
		e.Message, e.cause = ended.Error(), errors.Join(ended, err)
		e.Traceback = inner.CallStack.String() + "Error: " + e.Message
	}
	if at := place(inner.CallStack); at != "" {
		e.Message = at + ": " + e.Message
	}
	return e
}

// evalErrors are the outermost and the innermost error of the engine in an error: of a load that failed, the innermost
// has the line in the file that was loaded. An error of another fiber that was joined is a cause like any other.
func evalErrors(err error) (outer, inner *gostar.EvalError) {
	for ; err != nil; err = errors.Unwrap(err) {
		switch e := err.(type) {
		case *GuestError:
			return outer, inner
		case *gostar.EvalError:
			inner = e
			if outer == nil {
				outer = e
			}
		}
	}
	return outer, inner
}

// place is the innermost position in a file.
func place(calls gostar.CallStack) string {
	for i := range len(calls) {
		if pos := calls.At(i).Pos; pos.Filename() != builtin {
			return pos.String()
		}
	}
	return ""
}

// builtin is the file of functions in Go.
const builtin = "<builtin>"

// syntaxError is the error of a text. The engine finds all undefined names at once.
func syntaxError(err error) error {
	list, ok := errors.AsType[resolve.ErrorList](err)
	if !ok {
		return &GuestError{Message: err.Error(), cause: err}
	}
	var lines []string
	for _, e := range list {
		lines = append(lines, e.Error())
	}
	return &GuestError{Message: strings.Join(lines, "\n"), cause: err}
}
