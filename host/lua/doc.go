// Package lua runs Lua 5.1 programs (gopher-lua's) as fibers.
//
// A State is one Lua state, shared by any number of fibers that take turns on it. A
// Thread is the Lua side of one fiber: it runs a function on the fiber's own Go stack
// and asks the fiber, its Carrier, to be put aside when the budget of a slice is used
// up. Coroutines run on stacks of their own, nested in the fiber's (internal/stack).
//
// What a program can and cannot see:
//
//	where                            what it sees
//	anywhere in Lua code             nothing: a slice ends before any instruction, within
//	                                 pcall, metamethods, iterators, sort and gsub callbacks
//	coroutine.*                      that of Lua 5.1, with gopher-lua's messages; yield
//	                                 works across every Go function
//	errors                           their values, positions and tracebacks; the levels of
//	                                 error are those of Lua 5.1, and pcall and xpcall leave
//	                                 local variables alone (gopher-lua's issue 448)
//	limits                           gopher-lua's, if Config does not say more: 256 calls,
//	                                 5120 registers a coroutine
//	source                           may have 12,000 syntax levels (see internal/levels), as
//	                                 gopher-lua's compiler uses Go stack for each, and 64 MB
//	a kill or cancellation           nothing: no pcall sees it, no Lua code runs any more
//	print, io.write                  go where Config says; a print is one Write
//	channel                          is not there (gopher-lua's own; not Lua 5.1)
//
// A fiber cannot be put aside inside a Go function that does not call back into Lua: a
// pattern match, string.rep, the compilation of a chunk, a read of a file that io.open gave.
//
// What this package never does: schedule, hold a package-level state, call into Lua from
// a second goroutine, or stop a fiber by a panic. See internal/vm for how instructions
// are counted, and Thread.Unwind for how a program is ended.
package lua
