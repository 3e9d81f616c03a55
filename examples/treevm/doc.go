// Command treevm runs programs of a small Lisp on fibers. It is the example of a tree walker: an
// evaluator that is a recursive Go function.
//
//	go run ./examples/treevm examples/treevm/programs/sort.lisp
//
// While a fiber of such a machine waits, its state is Go frames. So the whole evaluation of each
// fiber is native code on a stack that parks (package parking): parking.Machine.Run runs it, and
// whatever waits arms its wait and calls parking.Machine.Await, which returns when the wait has
// ended. The evaluator, the sort and the comparison are plain Go calls of each other, so
// the comparison needs no trampoline (parking.Machine.Call): it stands on the same stack, and
// its failure is a Go error that the sort returns. Call is for guest code that a machine without
// Go frames runs in slices, and for a failure that is a panic in the scheduler's panic machine.
//
// Parse.go reads programs, eval.go and builtins.go are the language without fibers, and sort.go
// is the sort. Vm.go is all of the machine: slices, waits and ends. Fibers.go and http.go are the
// calls that wait. The programs are in programs, with what they print beside them.
//
// What it never does: start a goroutine of its own, or run guest code after the fiber was
// cancelled or killed.
package main
