//go:build cgo

package native

import (
	"runtime/cgo"
	"unsafe"

	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/slab"
	"github.com/selvage-dev/selvage/stackful"
)

// Func is a function that C can call. It executes as a call of the fiber (Fiber.Call), above the C
// frames, and may use every method of the fiber. arg comes from C; C and the function agree on
// what it points to. C gets the value, if the error is nil.
type Func func(f *stackful.Fiber, arg unsafe.Pointer) (int64, error)

// Function is the number of a registered Func: the selvage_func of the header. Numbers are not
// reused.
type Function uint64

// Host connects the C code of one Runtime to it: the registered functions, and the calls of C
// functions in progress. The fibers of the Runtime use it, and its owner between time slices.
type Host struct {
	rt        *stackful.Runtime
	handle    cgo.Handle // how callbacks find it
	functions map[Function]Func
	named     Function // the last number
	calls     slab.Slab[call]
	entered   uint64 // calls so far, which is the number of the last
}

// New makes the Host of a Runtime. The Backing of the Runtime must be stackful.Goroutine, or every
// callback is refused. Close the Host after the Runtime.
func New(rt *stackful.Runtime) *Host {
	h := &Host{rt: rt, functions: map[Function]Func{}}
	h.handle = cgo.NewHandle(h)
	return h
}

// Close removes the functions. Close the Runtime first: no fiber may be in C any more.
func (h *Host) Close() {
	if h.calls.Len() > 0 {
		panic("native: Close of a Host whose fibers are in C: close the Runtime first: " + rule.Cite(rule.CallOrder))
	}
	h.handle.Delete()
	h.functions = nil
}

// Register returns the number by which C can call fn.
func (h *Host) Register(fn Func) Function {
	h.named++
	h.functions[h.named] = fn
	return h.named
}

// Unregister removes a function. Later calls from C return SELVAGE_NO_FUNCTION; calls in progress
// continue.
func (h *Host) Unregister(fn Function) { delete(h.functions, fn) }

// InFlight is the number of calls of C functions that have not returned.
func (h *Host) InFlight() int { return h.calls.Len() }
