// Package amd64 writes machine instructions of x86-64: the few that the JIT of minigo uses.
//
// An Asm is bytes that grow. An operand is an Arg, which is a register or a place in memory;
// a Label is a place in the code, which jumps may name before it is bound. What an
// instruction's bytes are, encode.go knows alone; the other files are a method for each
// instruction.
//
// What it never does: choose registers, look at what the code is for, or make it executable.
package amd64
