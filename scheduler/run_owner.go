package scheduler

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

const modulePath = "github.com/selvage-dev/selvage/"

// claim makes l the only run of the scheduler, or refuses it: a second run, of another goroutine
// or inside a slice of the first, would drive the same fibers. It is one compare-and-swap, so that
// of two goroutines that begin at once exactly one is refused (ONE-OWNER). The refused one reads
// nothing else of the scheduler, which belongs to the other.
func (l *Loop) claim(call string) {
	l.call = call
	runtime.Callers(3, l.began[:])
	if l.core.active.CompareAndSwap(nil, l) {
		if invariants.On {
			l.takeOver(call)
		}
		return
	}
	text := "another run has just ended; one goroutine owns a scheduler: let it make both calls"
	if other := l.core.active.Load(); other != nil {
		text = fmt.Sprintf("%s at %s is still active; one goroutine owns a scheduler: wait until that call has returned, or post to the Inbox",
			other.call, other.where())
	}
	panic(&ContractError{Rule: rule.OneOwner, Op: op.Pump,
		Fix: fmt.Sprintf("%s was called at %s while %s", call, l.where(), text)})
}

// takeOver makes the goroutine that begins a run the owner.
func (l *Loop) takeOver(call string) {
	if !invariants.Begin(l.core) {
		l.core.active.Store(nil)
		refuseOneOwner(op.Pump, "%s was called at %s while another goroutine runs a slice; one goroutine owns a scheduler: end the slice first", call, l.where())
	}
}

// release ends the claim.
func (l *Loop) release() {
	l.core.active.Store(nil)
	if invariants.On {
		l.core.dropOwnership()
	}
}

// where is the place of the call in the user's program, or in a test of this module.
func (l *Loop) where() (place string) {
	frames := runtime.CallersFrames(l.began[:])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if f.PC == 0 || strings.HasPrefix(f.Function, "runtime.") {
			break
		}
		place = fmt.Sprintf("%s:%d", f.File, f.Line)
		if !strings.HasPrefix(f.Function, modulePath) || strings.HasSuffix(f.File, "_test.go") {
			break
		}
	}
	return place
}

// endSlice ends the fiber that is still current when its run ends: the Machine's Resume left by a
// panic or by runtime.Goexit, so that fiber has no frames any more. A scheduler that is poisoned,
// or in the middle of an operation, stays as it is. The panic is only noticed, never recovered:
// its trace is that of the host's mistake.
func (l *Loop) endSlice() {
	c := l.core
	if c.poison == nil && c.op == c.restOp && c.cur != c.none {
		c.pump().endAborted("its slice did not return: Resume panicked, or called runtime.Goexit")
	}
}
