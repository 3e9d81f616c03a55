// Package vm is the interpreter: it runs compiled programs as fibers of a scheduler.
//
// A fiber is a State: two stacks of registers and a stack of frames, owned by the guest. It has
// no Go stack, so a slice can end after any instruction that decrements the budget, and a
// blocked fiber returns its Outcome and resumes at its program counter: the instruction that
// waited is finished when the fiber runs again. One budget counts the backward jumps and the
// calls of a slice.
//
// The loop (run.go) is the fast path; cold.go dispatches the slow paths to memory.go, slices.go,
// strings.go, maps.go, ifaces.go, calls.go, chans.go, selects.go, panics.go, native.go. An
// instruction that fails raises a panic of the guest, in the words of Go's runtime; trace.go and
// ending.go print it as Go does.
//
// Hot functions, or all, are compiled to machine code (jit_compile.go), which works on the same
// stacks; jit.go switches a fiber between the two.
//
// What it never does: start a goroutine, use package unsafe except for addresses that machine
// code needs (jit_layout.go), or recover from a Go panic.
package vm
