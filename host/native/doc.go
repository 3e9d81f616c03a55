// Package native lets C code that runs on a fiber call back into it, and wait there: a
// plugin, a library with callbacks, a VM written in C.
//
//	host := native.New(rt) // of a stackful.Runtime with Backing: stackful.Goroutine
//	defer host.Close()
//	next := host.Register(func(f *stackful.Fiber, arg unsafe.Pointer) (int64, error) {
//		v, _, err := stackful.Recv(f, values) // the C frames below wait with it
//		return v, err
//	})
//	rt.Go("worker", func(f *stackful.Fiber) (any, error) {
//		return nil, host.Call(f, unsafe.Pointer(C.worker), arg)
//	})
//
// The C side is selvage_native.h: selvage_call runs a registered function as a call of
// the fiber (stackful.Fiber.Call) and returns a status.
//
// What a function ends with, and what becomes of it:
//
//	the function                   C is told             C returns to Go, and Call
//	returns a value                SELVAGE_OK            returns nil if C returned 0
//	returns an error               SELVAGE_FAILED        returns it if C passed the status on
//	is cancelled                   SELVAGE_CANCELLED     the same
//	is killed                      SELVAGE_KILLED *      returns the *stackful.Interrupt
//	panics                         SELVAGE_PANICKED *    panics with the same value
//	leaves a guest's panic         SELVAGE_PANICKED *    returns the *scheduler.PanicError
//	calls runtime.Goexit (Guard)   SELVAGE_EXITED *      calls runtime.Goexit
//
// Those with a star C cannot keep to itself: every further call of that C function is
// refused with the same status, and Call goes on with it whatever C returns. Only a
// runtime.Goexit outside of a Guard unwinds past C frames: Go cannot stop it.
//
// A handle or context that C made up, kept too long or carried to another thread is
// refused with a status. Where the fiber's stack is a coroutine, every selvage_call is
// refused with SELVAGE_FOREIGN_STACK: waiting there would end the process
// (golang/go#67499).
//
// The table it owns is the Host's: the registered functions, and the calls into C that are
// in flight. A fiber that waits in a callback keeps an OS thread.
//
// This package needs cgo. Without it (CGO_ENABLED=0) it is empty.
//
// What it never does: unwind C frames of its own accord, run C beside the fiber that
// called it, or trust a number that C passes.
package native
