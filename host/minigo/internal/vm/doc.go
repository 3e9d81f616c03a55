// Package vm is the interpreter: it runs compiled programs as fibers of a scheduler.
//
// A fiber is a State: two stacks of registers and a stack of frames, which belong to the
// guest alone. No Go stack stands behind it, so a slice can end after any instruction that
// takes from the budget, and a wait is left by its Outcome and come back to by the program
// counter: the instruction that waited is finished when the fiber runs again. One budget
// counts the jumps back and the calls of a slice.
//
// The loop (run.go) executes what is hot; cold.go hands the rest to the files that know it:
// memory.go, slices.go, strings.go, maps.go, ifaces.go, calls.go, chans.go, selects.go,
// panics.go, native.go. What goes wrong in an instruction becomes a panic of the guest,
// in the words of Go's runtime; trace.go and ending.go print it as Go does.
//
// Functions that run often, or all, become machine code (jit_compile.go), which works on the
// same stacks; jit.go runs a fiber now in the one, now in the other.
//
// What it never does: start a goroutine, use package unsafe but for the addresses it tells
// machine code (jit_layout.go), or recover from a Go panic.
package vm
