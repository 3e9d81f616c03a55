// Package island lets several schedulers work together. Each belongs to one goroutine, its
// owner, and they share nothing but what this package carries between them.
//
//	Registry   the islands that know each other, by name and by address
//	Island     a scheduler that has joined a registry (Registry.Join); Start makes one with a
//	           goroutine and a loop of its own
//	Command    what one island asks of another: spawn, wake, cancel, shut down; every command
//	           is answered
//	Port       a channel whose receivers are on one island; each island that sends has a
//	           Sender of its own. Both ends can be cases of a select
//
// What it owns: the mailbox of each island, the rings between senders and ports, the requests
// that wait for an answer, and the detection of deadlocks that span islands (internal/probe).
// An island is a device of its scheduler: whatever other islands cause here happens when the
// scheduler serves it. What it never does: touch the scheduler of another island. Across
// islands only data moves, and a signal that the owner should look at it.
//
// Who uses it: fiber programs in Lua (host/lua/fibers), the work-stealing pool, and the
// benchmarks. Package bridge connects registries of several processes.
package island
