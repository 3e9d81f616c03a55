//go:build cgo

package native

// #include "enter.h"
import "C"

import (
	"runtime/cgo"
	"unsafe"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// selvageServe is selvage_call for a context that the C side has checked: the call is in progress
// on this thread.
//
//export selvageServe
func selvageServe(host C.uintptr_t, slot C.uint32_t, fn C.uint64_t, arg unsafe.Pointer, result *C.int64_t) C.int {
	h := cgo.Handle(host).Value().(*Host)
	value, status := h.serve(h.calls.At(uint32(slot)), Function(fn), arg)
	if status == OK && result != nil {
		*result = C.int64_t(value)
	}
	return C.int(status)
}

// serve runs a function for C, and returns to C however the function ends. The exception is a
// runtime.Goexit outside of a Guard, which Go cannot stop.
func (h *Host) serve(c *call, fn Function, arg unsafe.Pointer) (value int64, status Status) {
	if c.status.final() {
		return 0, c.status
	}
	do := h.functions[fn]
	if do == nil {
		return 0, c.fail(NoFunction, ErrNoFunction)
	}
	returned := false
	defer func() {
		if !returned {
			status = c.contain(recover())
		}
	}()
	value, guest, err := c.run(do, arg)
	returned = true
	switch cause := c.unwindCause(); {
	case cause != nil:
		return 0, c.fail(Killed, &stackful.Interrupt{Killed: true, Cause: cause})
	case guest != nil:
		return 0, c.fail(Panicked, guest)
	case err != nil:
		return 0, c.fail(statusOf(c.fiber, err), err)
	}
	return value, OK
}

// run makes the call of a callback. If a guest's panic ends the function, the panic is in force in
// the caller afterwards (I7).
func (c *call) run(do Func, arg unsafe.Pointer) (value int64, guest *scheduler.PanicError, err error) {
	err = c.fiber.Foreign(func() error {
		_, err := c.fiber.Call(func(f *stackful.Fiber) (_ any, err error) {
			value, err = do(f, arg)
			if p, panicked := f.Runtime().Scheduler().Unwind().Unrecovered(); panicked {
				guest = &scheduler.PanicError{Value: p.Value, Site: p.Site}
			}
			return nil, err
		})
		return err
	})
	return value, guest, err
}

// fail records why a callback failed.
func (c *call) fail(status Status, err error) Status {
	c.status, c.err = status, err
	return status
}

// contain stores a Go panic until C has returned.
func (c *call) contain(value any) Status {
	switch v := value.(type) {
	case nil:
		C.selvage_abandon() // runtime.Goexit: C does not continue
		return Exited
	case *stackful.GoexitError:
		return c.fail(Exited, v)
	case *stackful.Interrupt:
		if c.unwindCause() != nil {
			return c.fail(Killed, v)
		}
	}
	c.value = value
	return c.fail(Panicked, nil)
}
