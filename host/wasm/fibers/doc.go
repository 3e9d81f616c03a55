// Package fibers runs WebAssembly programs, and gives them the fiber library. A program is a WASI
// command (preview 1), or any module that exports a function run. cmd/selvage uses the package;
// so do embedders.
//
// The library is the import module "selvage". Channels and tasks are small numbers, which all
// instances share; durations are nanoseconds. A negative timeout means none; with 0 the call
// ends as soon as the other ready fibers have run.
//
//	yield ()                                             lets other ready fibers run
//	sleep (duration i64)
//	now () i64                                           since the run began
//	spawn (name pointer, its length, arg i64) task i32   calls an exported function
//	join (task i32, result pointer, timeout i64) i32     0 returned, 1 failed, 2 timeout
//	chan (capacity i32) channel i32
//	send (channel i32, value i64, timeout i64) i32       0 sent, 1 closed, 2 timeout
//	recv (channel i32, value pointer, timeout i64) i32   0 received, 1 closed, 2 timeout
//	close (channel i32) i32                              0 closed, 1 was closed
//	result (pointer, length i32)                         gives JSON to the Go code that has called
//
// A spawned function has one parameter, an i64, and at most one result, an i64. It executes on an
// instance of its own, with a memory of its own: fibers share data through channels. If a module
// exports _initialize, each of its instances calls that first.
//
// Go code calls the exported functions of a Program by Host.Call, or from another goroutine by Host.Start
// while Host.Serve runs; Host.Bind lets a program import a Go function (package host/bind).
//
// A misuse, such as a number that is not a channel, ends the fiber with an error that names it.
// When the main fiber returns or exits, the others are killed.
//
// The table it owns is the Host's: the channels and the tasks by their numbers. What this package
// never does: give a program access to more than its Config allows.
package fibers
