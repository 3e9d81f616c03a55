// Package jit turns functions of minigo into machine code of x86-64.
//
// The words of a window that are used most live in registers as long as the function runs
// natively, and so does where the words are of the objects and the elements of the slices that
// are accessed most (assign.go, found.go); all others, and all references, stay in the window. At
// the places where code is left or a call is made, what lives in registers is written back
// (stubs.go, calls.go), so that the interpreter can go on at any of them; at the places where it
// is entered, it is loaded again. What is alive where, flow.go finds out from what operands.go and
// operands_cold.go say of each instruction.
//
// Code does what is simple itself: emitter.go hands each operation to words.go, integer.go,
// divide.go, float.go, jump.go, memory.go, refs.go, values.go, calls.go (inline.go for small
// functions) or closures.go. What
// fails, an index outside of its slice or a nil pointer, is left to the interpreter, which
// raises the panic; what is not simple is left to the machine, which executes that
// instruction and comes back. The budget is taken where the interpreter takes it.
//
// No code reads or writes outside of the window of its frame and the objects it finds there:
// numbers of registers are checked when code is made, indexes against the real length of the
// object when it runs.
//
// What it never does: run code, allocate pages, or keep anything of a function it has seen.
package jit
