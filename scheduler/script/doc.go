// Package script drives a scheduler by text: a script is a list of commands with the
// output each is expected to give, so that it is a test, a piece of documentation and
// a bug report at once. docs/scripts.md explains every command.
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
// The table it owns is commands(), one row and one file (cmd_….go) a command. After
// each command it says which fibers have changed their state, compares the whole
// location table with the states (Inspect.Verify), and, if the command was refused,
// compares the scheduler with what it was before: a refusal changes nothing.
//
// The runner is our own and not a data-driven test library. A script is run by
// `selvage script` as well as by a test, and the libraries there are need a
// *testing.T, put their flags on the command line of whoever links them, and stop at
// the first difference; the format here is small, allows several commands in front of
// one output, and the package stays within the standard library.
//
// What it never does: read or write a file, start a goroutine, read a clock, panic on
// any text, or run without end. Its scheduler has a virtual clock that moves when a
// command says so.
package script
