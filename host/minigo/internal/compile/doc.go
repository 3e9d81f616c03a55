// Package compile turns a checked program into register code (package code).
//
// A function is compiled in one walk over its syntax. Registers are given out like a
// stack: a variable has its own from its declaration to the end of its block, what lies
// above is for the values in between. A variable that is captured by a closure, has its
// address taken, or is an array lives in an object of its own, and its register holds that
// object. Functions are compiled when something compiled refers to them, so that the
// parts of the library a program does not use cost nothing.
//
// The files: compiler.go the program, layout.go and types.go the types, fn.go one
// function's registers and instructions, vars.go variables and escape.go which of them
// need an object, expr*.go, call.go, builtin.go, convert.go, lit.go, method.go the
// expressions, stmt.go, assign.go, loop.go, switch.go, select.go, defer.go the statements.
//
// What it never does: run anything, or accept what it cannot compile: that is a *Refusal.
package compile
