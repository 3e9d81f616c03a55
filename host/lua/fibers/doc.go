// Package fibers gives Lua programs the fiber library and runs them. Every Lua fiber is a fiber of
// a stackful.Runtime, and all fibers of a Host share one Lua state. cmd/selvage uses the package;
// so do embedders.
//
// The library is a global, and `require "fiber"`:
//
//	fiber.spawn(f, ...)  fiber.self()  fiber.yield()  fiber.sleep(s)  fiber.now()
//	fiber.chan([n])      fiber.select{...}            fiber.timer(s)
//	fiber.mutex()        fiber.rwmutex()              fiber.semaphore(n)
//	fiber.cond(m)        fiber.once()                 fiber.group{}
//	fiber.scope(f)       fiber.shield(f)              fiber.report()
//	fiber.island([name]) fiber.port([n])
//
// The other libraries reach files, processes and the network (package fiberio). Their calls block
// the calling fiber only, and so do those of io and os.execute:
//
//	net.listen(addr)  net.dial(addr [,timeout])  net.lookup(host)
//	http.get(url)     http.request{...}          http.serve(addr, f)
//	fs.read(path)     fs.write(path, s)          fs.list(path)  fs.stat(path)
//	proc.run{...}
//
// In virtual time there is no network, and all other operations are done in place.
//
// Go code calls a Lua function by Host.Call, or from another goroutine by Host.Start while Host.Serve
// runs. Compile makes a Program, which many Hosts may run. Hosts on one Shared take turns on one goroutine. Host.Bind lets programs call a Go function
// (package host/bind).
//
// A busy loop is preempted at the end of its time slice, at any instruction. A cancelled or killed
// fiber unwinds, and the program cannot prevent that; a shield delays a cancellation, not a kill.
// Errors have the script's file and line. When the main program returns, the other fibers are
// killed. If several fibers require a module at the same time, one loads it and the others wait.
//
// Where things are:
//
//	env, call, object, arg     what all libraries share: the caller, objects, arguments, errors
//	sync, chan, group, scope   the objects that fibers wait for; sync has their table
//	spawn, task, current       fibers
//	host_*                     calls of Go code
//	shared*, driver            several Hosts on one Runtime
//	bind, values, go_error,
//	iterators                  calls of Go functions
//	select, case               fiber.select
//	island*, port, sender,
//	transfer                   several Lua states
//	external, fs, net, http,
//	io, file, proc, …          the outside of the process
//
// A new object to wait for is a row of the table in sync.go; a library function begins with
// env.begin, and a method with typeOf.op.
//
// The tables a Host owns: the modules that are being loaded, the senders to ports of other islands,
// and the processes that it has started. What this package never does: let two fibers use the Lua
// state at the same time, or keep a Lua value of an argument list across a wait without copying it.
package fibers
