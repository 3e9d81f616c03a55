//go:build cgo

package native

// #include "enter.h"
import "C"

import (
	"runtime"
	"unsafe"

	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/stackful"
)

// call is one call into C, from Call to its end.
type call struct {
	fiber  *stackful.Fiber
	status Status // of the last callback that failed
	err    error  // its error
	value  any    // of its panic, if err is nil
}

// Call runs a C function (a selvage_main of the header) on f's own goroutine, with arg.
// The scheduler waits for C as for any function; only in callbacks can others run.
//
// It returns nil if C returned SELVAGE_OK; an *Error with the status C returned; the
// *stackful.Interrupt of a fiber that was killed, or cancelled before C began; or a
// *scheduler.PanicError if a guest's panic is in force. A Go panic or a runtime.Goexit in a
// callback goes on from here. The package comment has the table. What arg may point to,
// cgo's rules for pointers say.
func (h *Host) Call(f *stackful.Fiber, fn, arg unsafe.Pointer) error {
	if fn == nil {
		panic("native: Call of a nil C function: " + rule.Cite(rule.ValidArgument))
	}
	if f.Runtime() != h.rt {
		panic("native: Call for a fiber of another Runtime: each has a Host of its own: " + rule.Cite(rule.SameScheduler))
	}
	if err := f.Checkpoint(); err != nil {
		return err
	}
	slot, c := h.calls.Alloc()
	defer h.calls.Free(slot)
	c.fiber = f
	h.entered++
	ctx := C.selvage_ctx{host: C.uintptr_t(h.handle), call: C.uint64_t(h.entered)}
	return c.resume(Status(C.selvage_enter(ctx, C.uint32_t(slot), fn, arg)))
}

// resume goes on above C with what happened below it. C's own status decides only where
// nothing happened that C may not keep to itself.
func (c *call) resume(returned Status) error {
	switch {
	case c.status == Panicked && c.err == nil:
		panic(c.value)
	case c.status == Panicked:
		return c.err
	case c.status == Exited:
		runtime.Goexit()
	case c.doom() != nil:
		return c.fiber.Checkpoint()
	case returned == OK:
		return nil
	case returned == c.status:
		return &Error{Status: returned, Err: c.err}
	}
	return &Error{Status: returned}
}

// doom is why the fiber has to unwind; nil if it need not.
func (c *call) doom() error { return c.fiber.Runtime().Scheduler().Unwind().UnwindCause() }
