package parking

import (
	"errors"
	"runtime"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/stack"
	"github.com/selvage-dev/selvage/trampoline"
)

// patience is how many calls native code of a killed fiber may make in vain before its stack is
// unwound for it.
const patience = 128

// native is native code on its stack.
type native struct {
	stack   *stack.Stack
	code    func() fiber.Outcome
	out     fiber.Outcome // why the stack was last suspended; at the end, what the code returned
	slot    int
	refused int // calls since the kill
}

var _ trampoline.Stack = (*native)(nil)

func (n *native) main(*stack.Stack) { n.out = n.code() }

// Allows: the stack stands on no foreign frames.
func (n *native) Allows(w trampoline.Way) bool { return w == trampoline.Parking }

// Park suspends the stack.
func (n *native) Park(o fiber.Outcome) {
	n.out = o
	n.stack.Suspend()
}

// refuse ends the stack of native code that calls on after its fiber was killed.
func (n *native) refuse() {
	if n.refused++; n.refused > patience {
		runtime.Goexit()
	}
}

// resume runs native code until it waits or has ended; over says which. What ended its goroutine
// continues here: a Go panic, and runtime.Goexit but for that of a killed fiber.
func (m *Machine[T]) resume(n *native) (o fiber.Outcome, over bool) {
	if !n.stack.Resume() {
		return n.out, false
	}
	m.native[n.slot] = nil
	var panicked *stack.PanicError
	switch err := n.stack.Err(); {
	case err == nil:
		return n.out, true
	case errors.As(err, &panicked):
		panic(panicked.Value)
	case m.sched.Unwind().UnwindCause() == nil:
		runtime.Goexit()
	}
	return fiber.Outcome{Kind: fiber.Done}, true
}
