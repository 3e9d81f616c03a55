//go:build cgo

package native

import (
	"runtime/cgo"
	"unsafe"

	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/slab"
	"github.com/selvage-dev/selvage/stackful"
)

// Func is a function that C can call. It runs as a call of the fiber (Fiber.Call) and may
// make every call of it, with the C frames below. arg is what C passed; what it points to
// is the matter of C and the function. The value is for C, if the error is nil.
type Func func(f *stackful.Fiber, arg unsafe.Pointer) (int64, error)

// Function is a registered Func to C: the selvage_func of the header. It is never used
// again for another.
type Function uint64

// Host is what the C code of one Runtime sees of it: the registered functions, and the
// calls into C in flight. It is used by the fibers of the Runtime, and by the owner between
// slices.
type Host struct {
	rt        *stackful.Runtime
	handle    cgo.Handle // how callbacks find it
	functions map[Function]Func
	named     Function // the last that was registered
	calls     slab.Slab[call]
	entered   uint64 // calls so far; the number of the last
}

// New makes the Host of a Runtime. Its Backing should be stackful.Goroutine, or every
// callback is refused. Close it after the Runtime.
func New(rt *stackful.Runtime) *Host {
	h := &Host{rt: rt, functions: map[Function]Func{}}
	h.handle = cgo.NewHandle(h)
	return h
}

// Close forgets the functions. No fiber may be in C any more: close the Runtime first.
func (h *Host) Close() {
	if h.calls.Len() > 0 {
		panic("native: Close of a Host whose fibers are in C: close the Runtime first: " + rule.Cite(rule.CallOrder))
	}
	h.handle.Delete()
	h.functions = nil
}

// Register lets C call fn by the number it returns.
func (h *Host) Register(fn Func) Function {
	h.named++
	h.functions[h.named] = fn
	return h.named
}

// Unregister takes a function away. C that calls it from now on is told
// SELVAGE_NO_FUNCTION; calls in flight go on.
func (h *Host) Unregister(fn Function) { delete(h.functions, fn) }

// InFlight is how many calls into C have not returned.
func (h *Host) InFlight() int { return h.calls.Len() }
