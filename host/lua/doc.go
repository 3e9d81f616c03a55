// Package lua runs Lua 5.1 programs (those of gopher-lua) as fibers. host/lua/fibers uses it to
// give programs a library of fibers; an embedder can use it alone.
//
// A State is one Lua state. Any number of fibers share it and take turns. A Thread is the Lua
// side of one fiber: it runs a function on the fiber's own Go stack, and calls the fiber, its
// Carrier, when the budget of a time slice is used up. Coroutines run on stacks of their own,
// nested in that of the fiber (internal/stack).
//
// What a program notices:
//
//	subject                          what it notices
//	preemption                       nothing: a time slice ends before any instruction, also in
//	                                 pcall, metamethods, iterators, and callbacks of sort and gsub
//	coroutine.*                      as in Lua 5.1, with the messages of gopher-lua; yield
//	                                 works across every Go function
//	errors                           values, positions and tracebacks of gopher-lua; the levels
//	                                 of error are those of Lua 5.1, and pcall and xpcall do not
//	                                 detach local variables (gopher-lua's issue 448)
//	limits                           gopher-lua's unless Config sets others: 256 calls and
//	                                 5120 registers in a coroutine
//	source                           may have 12,000 syntax levels (see internal/levels), because
//	                                 gopher-lua's compiler uses Go stack for each, and 64 MB
//	a kill or cancellation           nothing: pcall does not catch it, and no more Lua code runs
//	print, io.write                  write to where Config says; each print is one Write
//	channel                          does not exist (it is gopher-lua's, not Lua 5.1's)
//
// The functions of the libraries are preempted like instructions. They pay for their work in steps: each
// instruction, each step of a pattern match, each element of a table that is visited, each 16 values
// that are moved and each 256 bytes that are read or written is a step, and each byte of a source that
// is compiled. What is not divided into steps, and is paid for before: table.insert and
// table.remove, which move the elements behind, and the growth of a table, so that no other fiber sees
// a table that is half changed; and what a function of Go's library does with a text of at most 400 kB. A
// source of more than 8 kB is compiled by Config.Away. collectgarbage costs 1000 steps, and does not run
// Go's collector. None of this holds in a build with the tag purego.
//
// A State owns its coroutines and their stacks. What this package never does: schedule, keep
// state in package variables, call Lua from a second goroutine, or stop a fiber by a panic. See
// internal/vm for the count of instructions, and Thread.Unwind for the end of a program.
package lua
