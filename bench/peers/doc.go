// Package peers does the work of bench's rows on other runtimes: Lua 5.4, LuaJIT, Erlang
// and tokio, each with a small program of ours that keeps to one thread.
//
// It owns the protocol with these programs: they are started with the name of a work and a
// number, do the work so many times, time it themselves, and print one line of JSON,
//
//	{"id":"ring-503","operations":400000,"ns":76.641}
//
// with what one time took. What has to be compiled is kept in the user's cache folder.
//
// It never installs a runtime (make peers does, from Debian's packages) and never compares:
// what stands beside the figures, and in whose turn they are taken, is up to bench.
package peers
