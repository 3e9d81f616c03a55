//go:build cgo

package native

// #include "selvage_native.h"
import "C"

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/trampoline"
)

// Status is the result of selvage_call, and of the C function that Call calls. C may use other
// numbers as its own.
type Status int32

// The header says what each status means.
const (
	OK           Status = C.SELVAGE_OK
	Failed       Status = C.SELVAGE_FAILED
	Cancelled    Status = C.SELVAGE_CANCELLED
	NoContext    Status = C.SELVAGE_NO_CONTEXT
	NoFunction   Status = C.SELVAGE_NO_FUNCTION
	ForeignStack Status = C.SELVAGE_FOREIGN_STACK
	Limit        Status = C.SELVAGE_LIMIT
	Killed       Status = C.SELVAGE_KILLED
	Panicked     Status = C.SELVAGE_PANICKED
	Exited       Status = C.SELVAGE_EXITED
)

// String is the name without SELVAGE_, in lower case. A status of C's own is a number.
func (s Status) String() string {
	switch s {
	case OK:
		return "ok"
	case Failed:
		return "failed"
	case Cancelled:
		return "cancelled"
	case NoContext:
		return "no context"
	case NoFunction:
		return "no function"
	case ForeignStack:
		return "foreign stack"
	case Limit:
		return "limit"
	case Killed:
		return "killed"
	case Panicked:
		return "panicked"
	case Exited:
		return "exited"
	}
	return fmt.Sprintf("status %d", int32(s))
}

// final returns whether C can only clean up and return after this status.
func (s Status) final() bool { return s == Killed || s == Panicked || s == Exited }

// statusOf is the status for the error of a callback. The interrupt of another fiber, which f has
// joined, is an error like others.
func statusOf(f *stackful.Fiber, err error) Status {
	switch stopped := f.Stopped(err); {
	case stopped != nil && stopped.Killed:
		return Killed
	case stopped != nil:
		return Cancelled
	case errors.Is(err, trampoline.ErrForeignStack):
		return ForeignStack
	case errors.Is(err, scheduler.ErrTooManyTrampolines), errors.Is(err, scheduler.ErrTooDeep):
		return Limit
	}
	return Failed
}

// ErrNoFunction: C called a function that is not registered.
var ErrNoFunction = errors.New("native: C called a function that is not registered")

// Error: a C function returned another status than SELVAGE_OK.
type Error struct {
	Status Status
	Err    error // the error of the callback whose status C returned; nil if the status is C's own
}

// Error names the status and the callback's error.
func (e *Error) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("native: C returned %v", e.Status)
	}
	return fmt.Sprintf("native: C returned %v: %v", e.Status, e.Err)
}

// Unwrap is the error of the callback.
func (e *Error) Unwrap() error { return e.Err }
