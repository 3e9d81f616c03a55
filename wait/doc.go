// Package wait is the waiting objects as pure machines: channels and selects, mutexes
// for one and for many, semaphores, conditions, things done once, joins, groups of them,
// timers and sleeps decide which tickets to wake, and never call the scheduler.
//
// The table it owns is who waits on an object, in which order, and which value or lock
// was assigned to whom and is not collected yet. Everything is decided at match time:
// a value that was handed over belongs to its receiver, a lock that was handed over has
// a new owner, before the woken fiber runs (I11).
//
// The flow of a host, the same for every object:
//
//	v, status, w := ch.TryRecv()               // 1. try: never overtakes a parked peer
//	sched.Apply(w)                             //    hand out the wake it decided, if any
//	if status == wait.Empty {
//		t := sched.Arm(fiber.OnQueue(), ch) // 2. a fresh ticket; ch is its source
//		err := ch.ParkRecv(t, 0)            // 3. register; refuses what would not block
//		sched.Block()                       // 4. leave the CPU
//		// … resumed:
//		t, res := sched.Claim()             // 5. how the wait ended
//		v, ok := ch.Collect(t)              // 6. take what was assigned
//	}
//
// What a fiber owns (a lock, permits, the turn to run a Once) it owns from a Try that
// succeeded or from Collect on; until it gives it back, the host has the object
// registered with the scheduler as a fiber.OwnerHook of that fiber (Own, Disown), so that
// its death is told to OwnerDied. The owner is the root of a native chain, whichever of
// its calls executes.
//
// A wait that ends in another way (deadline, cancel, kill, the sibling case of a
// select) is withdrawn by the scheduler from all its sources before the next operation
// (I10). A fiber that dies between its wake and 5 is reported through Forfeit (I12).
//
// A wake is a fiber.Wakeup, returned or appended to dst; its caller delivers it before
// the next operation on any object. Everything here belongs to the goroutine that owns
// the scheduler. Every object but a Cond is usable as its zero value, and none may be
// copied after first use.
//
// What it never does: call a scheduler, block a goroutine, read a clock, start
// anything, iterate over a map, or decide twice about one ticket. Errors of use are
// typed (*Error wrapping a sentinel); a host that breaks the flow above gets a panic
// with a *ContractError that names the rule and the mend.
package wait
