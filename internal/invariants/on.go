//go:build invariants

package invariants

import (
	"runtime"
	"sync/atomic"
)

// On reports whether this is the checked build.
const On = true

// Owner is the goroutine that owns a scheduler at the moment, or none. Another goroutine may look
// at it at any time, so it is atomic.
type Owner struct {
	id       atomic.Uintptr
	followed atomic.Bool
	nested   atomic.Bool // its run began on a stack: inside a slice of another scheduler
}

// Take makes the calling goroutine the owner if there is none, and reports whether it is the owner.
func Take(o Owned) bool {
	id := &o.owner().id
	me := goroutine()
	return id.CompareAndSwap(0, me) || id.Load() == me
}

// Begin is Take for a run.
func Begin(o Owned) bool {
	if !Take(o) {
		return false
	}
	o.owner().nested.Store(calledBy(stackMain))
	return true
}

// Leave ends the ownership.
func Leave(o Owned) { o.owner().id.Store(0) }

// Foreign reports whether another goroutine than the calling one is the owner.
func Foreign(o Owned) bool {
	id := o.owner().id.Load()
	return id != 0 && id != goroutine()
}

// Followed reports whether stacks follow the owner: if so, no other goroutine continues a slice.
func Followed(o Owned) bool { return o.owner().followed.Load() }

// The functions of package internal/stack that tell what a goroutine runs.
const (
	stackMain   = "github.com/selvage-dev/selvage/internal/stack.(*Stack).run"
	stackNested = "github.com/selvage-dev/selvage/internal/stack.(*Stack).runNested"
)

// OnNestedStack reports whether the calling goroutine is that of a stack which may run inside a
// slice of another scheduler (Thread.Nested). No scheduler can tell which one that is.
func OnNestedStack() bool { return calledBy(stackNested) }

// calledBy looks for a function among all callers.
func calledBy(function string) bool {
	pcs := make([]uintptr, 256)
	n := runtime.Callers(2, pcs)
	for ; n == len(pcs); n = runtime.Callers(2, pcs) {
		pcs = make([]uintptr, 4*n)
	}
	frames := runtime.CallersFrames(pcs[:n])
	for more := n > 0; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function == function {
			return true
		}
	}
	return false
}

// Thread is a scheduler's owner for the stacks that its slices run on. The zero Thread is of stacks
// that belong to no scheduler.
type Thread struct{ owner *Owner }

// Follow returns the Thread of a scheduler, and notes that stacks follow its owner.
func Follow(o Owned) Thread {
	o.owner().followed.Store(true)
	return Thread{o.owner()}
}

// Nested reports whether the stack that begins may run inside a slice of another scheduler: it
// belongs to a run that does, or follows no owner, as the coroutines of a guest.
func (t Thread) Nested() bool { return t.owner == nil || t.owner.nested.Load() }

// Enter makes the calling goroutine the owner: a stack begins on it.
func (t Thread) Enter() {
	if t.owner != nil {
		t.owner.id.Store(goroutine())
	}
}

// Switch makes another goroutine the owner, 0 for one that calls Enter itself, and returns the one
// that was. The two take turns: one waits while the other runs.
func (t Thread) Switch(to uintptr) (from uintptr) {
	if t.owner == nil {
		return 0
	}
	return t.owner.id.Swap(to)
}
