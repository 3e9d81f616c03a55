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

// call is one call of a C function, from Call to its return.
type call struct {
	fiber  *stackful.Fiber
	status Status // of the last callback that failed
	err    error  // its error
	value  any    // the value of its panic, if err is nil
}

// Call calls a C function (a selvage_main of the header) with arg on f's own goroutine. While C
// executes, no other fiber runs; others run only while a callback waits. cgo's rules say what arg
// may point to.
//
// It returns nil if C returned SELVAGE_OK, else an *Error with the status that C returned, the
// *stackful.Interrupt of a fiber that was killed, or cancelled before C began, or a
// *scheduler.PanicError if a guest's panic is in force. A Go panic or a runtime.Goexit in a
// callback continues in Call. The package comment has the table.
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

// resume continues on the Go side of C with the outcome of the callbacks. The status that C
// returned counts only if no callback ended in a way that C must not hide.
func (c *call) resume(returned Status) error {
	switch {
	case c.status == Panicked && c.err == nil:
		panic(c.value)
	case c.status == Panicked:
		return c.err
	case c.status == Exited:
		runtime.Goexit()
	case c.unwindCause() != nil:
		return c.fiber.Checkpoint()
	case returned == OK:
		return nil
	case returned == c.status:
		return &Error{Status: returned, Err: c.err}
	}
	return &Error{Status: returned}
}

// unwindCause is why the fiber must unwind; nil if it need not.
func (c *call) unwindCause() error { return c.fiber.Runtime().Scheduler().Unwind().UnwindCause() }
