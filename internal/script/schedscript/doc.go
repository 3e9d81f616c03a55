// Package schedscript drives a scheduler by text: a script is a list of commands with the
// output each is expected to give. docs/scripts.md explains every command.
//
//	# A yielder goes to the back of the queue.
//	spawn a b
//	next
//	yield
//	----
//	spawn: a is f0.1
//	spawn: b is f1.1
//	  a: dead → runnable
//	  b: dead → runnable
//	next: a
//	  a: runnable → running
//	yield: a
//	  a: running → runnable
//
// The table it owns is commands(); the functions of the rows are in files by subject. After each
// command it prints which fibers have changed their state, compares the whole location table
// with the states (Inspect.Verify), and, if the command was refused, compares the scheduler with
// what it was before: a refusal changes nothing.
//
// The runner is our own and not a data-driven test library. `selvage script` runs a script as
// well as a test does, and the existing libraries need a *testing.T, add their flags to the
// command line of the program, and stop at the first difference; the format here is small,
// allows several commands in front of one output, and needs only the standard library.
//
// What it never does: read or write a file, start a goroutine, read a clock, panic on any text,
// or run without end. Its scheduler has a virtual clock that moves when a command says so.
// `selvage script` and the tests of scheduler and proptest use it.
package schedscript
