// Package jit turns functions of minigo into machine code of x86-64.
//
// Register allocation (assign.go, found.go) keeps the most-used words of a window in registers
// while the function runs natively, and also the base addresses of the most-accessed objects
// and slices; everything else, and every reference, stays in the window. At side exits and
// calls, registers are written back (stubs.go, calls.go), so that the interpreter can resume
// there; at entry points they are loaded again. flow.go computes liveness from the operands of
// each instruction (operands.go, operands_cold.go).
//
// Compiled code contains the fast paths: emitter.go hands each operation to words.go,
// integer.go, divide.go, float.go, jump.go, memory.go, refs.go, values.go, calls.go (inline.go
// for small functions) or closures.go. An operation that fails, on an index out of range or a
// nil pointer, exits to the interpreter, which raises the panic. An operation without a fast
// path exits to the machine, which executes it and enters the code again. The budget is
// decremented at the same instructions as in the interpreter.
//
// Code reads and writes only the window of its frame and the objects it finds there: register
// numbers are checked at compile time, indexes at run time against the real length of the
// object.
//
// What it never does: run code, allocate pages, or keep anything of a function it has compiled.
package jit
