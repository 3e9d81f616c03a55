// Package native lets C code on a fiber call back into Go, and wait there: a plugin, a library with
// callbacks, a VM written in C. Embedders with C code use it; no program of this module does.
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
// How a function can end, and the effects:
//
//	the function                   C gets                C returns to Go, and Call
//	returns a value                SELVAGE_OK            returns nil if C returned 0
//	returns an error               SELVAGE_FAILED        returns it if C passed the status on
//	is cancelled                   SELVAGE_CANCELLED     the same
//	is killed                      SELVAGE_KILLED *      returns the *stackful.Interrupt
//	panics                         SELVAGE_PANICKED *    panics with the same value
//	leaves a guest's panic         SELVAGE_PANICKED *    returns the *scheduler.PanicError
//	calls runtime.Goexit (Guard)   SELVAGE_EXITED *      calls runtime.Goexit
//
// C cannot hide an end with a star: every further callback of that C function is refused with the
// same status, and Call ends accordingly, whatever C returns. Only a runtime.Goexit outside of a
// Guard unwinds past C frames, because Go cannot stop it.
//
// A handle or context that C has forged, kept too long or passed to another thread is refused with
// a status. If the fiber's stack is a coroutine, every selvage_call is refused with
// SELVAGE_FOREIGN_STACK: a wait there would end the process (golang/go#67499).
//
// The table it owns is the Host's: the registered functions, and the calls of C functions in
// progress. A fiber that waits in a callback occupies an OS thread.
//
// This package needs cgo. Without it (CGO_ENABLED=0) it is empty.
//
// What it never does: unwind C frames, execute C in parallel with the fiber that called it, or trust
// a number that C passes.
package native
