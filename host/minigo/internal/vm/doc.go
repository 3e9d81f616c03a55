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
// The budget also counts work (budget.go): a step for 256 bytes or for one element. An instruction or a
// function of the library that would take more steps than the slice has left runs as an operation
// (paced.go): on a coroutine that gives way when the budget is used up, and that each slice of its fiber
// continues. A panic that ends the program is described in slices too (describe.go).
//
// What a program allocates adds to a bound of its memory (memory_quota.go). When the bound reaches the
// quota, the slices of all fibers measure what the program can reach (measure.go), until it is known.
//
// What it never does: start a goroutine other than these coroutines, which end with the run; use package
// unsafe except for addresses (jit_layout.go, texts.go); or recover from a Go panic, except from its own
// in a coroutine that is abandoned.
package vm
