// Package fibers gives Lua programs the fiber library and runs them: every Lua fiber is
// a fiber of a stackful.Runtime, all fibers of a Host share one Lua state.
//
// The library is a global, and `require "fiber"`:
//
//	fiber.spawn(f, ...)  fiber.self()  fiber.yield()  fiber.sleep(s)  fiber.now()
//	fiber.chan([n])      fiber.select{...}            fiber.timer(s)
//	fiber.mutex()        fiber.rwmutex()              fiber.semaphore(n)
//	fiber.cond(m)        fiber.once()                 fiber.group{}
//	fiber.scope(f)       fiber.shield(f)              fiber.report()
//
// and the world outside, each call of which blocks its own fiber only, as do io.read and
// os.execute (package fiberio):
//
//	net.listen(addr)  net.dial(addr [,timeout])  net.lookup(host)
//	http.get(url)     http.request{...}          http.serve(addr, f)
//	fs.read(path)     fs.write(path, s)          fs.list(path)  fs.stat(path)
//	proc.run{...}
//
// In virtual time there is no network, and the rest is done in place.
//
// A busy loop is pre-empted after its slice wherever it is; a cancelled or killed fiber
// unwinds, and nothing in the program can stop that; a shield puts a cancel off, and not
// a kill. Errors name the script's file and line. When the main program returns, the
// other fibers are killed. A module that one fiber loads is loaded once: others that
// require it meanwhile wait.
//
// What it never does: let two fibers use the Lua state at once, or keep a Lua value of
// an argument list across a wait without copying it.
package fibers
