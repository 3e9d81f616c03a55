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

// Status is what selvage_call returns to C, and C to Call. Other numbers are C's own.
type Status int32

// The header says what each means.
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

// String is the name without SELVAGE_, in lower case; C's own are numbers.
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

// final tells a status after which C can only clean up and return.
func (s Status) final() bool { return s == Killed || s == Panicked || s == Exited }

// statusOf is what C is told of the error a function ended with. The end of another fiber is
// an error like others.
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

// Error is how a C function failed that returned another status than SELVAGE_OK.
type Error struct {
	Status Status
	Err    error // that of the callback whose status C passed on; nil if it is C's own
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
