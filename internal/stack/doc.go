// Package stack is a Go call stack that can be suspended and resumed.
//
// A Stack runs one function. Its owner calls Resume and gets control back
// when the function calls Suspend or ends. That is all a fiber made of ordinary Go
// code needs, and all a Lua thread needs to yield from inside a Go function.
//
// Two backings stand behind the same calls:
//
//	backing    switch    may be resumed                       costs
//	Coroutine   75 ns    on the OS thread lock it was made    one parked goroutine
//	                     under, so not inside a cgo callback
//	                     made later (golang/go#67499)
//	Goroutine  260 ns    anywhere                             one parked goroutine
//
// A new goroutine costs 0.3–0.9 µs more than one from a Pool.
//
// The table this package owns, the states of a Stack:
//
//	fresh      nothing runs yet, no goroutine exists   Resume → running, Close → finished
//	running    between Resume and Suspend, or inside    Suspend → suspended, end → finished
//	           a Stack that this one resumed
//	suspended  waits for Resume, Ask or Close           Resume → running, Ask → suspended,
//	                                                    Close → finished
//	finished   Err says how                             nothing
//
// Stacks nest: the function of one may resume another, and Suspend on the outer one
// may be called from the inner one. That suspends both with one switch, and the
// next Resume of the outer one continues in the inner one.
//
// What never leaves a Stack: a panic, and runtime.Goexit. Both end it, both are
// reported by Err. Close ends a suspended Stack with runtime.Goexit, not with a
// panic, because Go defers run then and no recover, of a guest or of a library, can
// stop it or take it for an error of its own.
//
// What this package never does: schedule, wait for anything, or lock. One Stack is
// used by one goroutine at a time; the owner sees to that.
package stack
