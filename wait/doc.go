// Package wait holds the waiting objects as pure machines: channels and selects, mutexes
// and read-write locks, semaphores, conditions, runs that happen once, joins, groups of
// joins, timers and sleeps. They decide which tickets to wake, and never call the scheduler.
//
// The table it owns is which tickets wait on an object, in which order, and which value or
// lock was assigned to which ticket and is not collected yet. Everything is decided at match
// time: a value that was handed over belongs to its receiver, and a lock that was handed
// over has a new owner, before the woken fiber runs (I11).
//
// The flow of a host, the same for every object:
//
//	v, status, w := ch.TryRecv()               // 1. try: never overtakes a parked peer
//	sched.Apply(w)                             //    deliver the wakeup it decided, if any
//	if status == wait.Empty {
//		t := sched.Arm(fiber.OnQueue(), ch.Source()) // 2. a new ticket for a wait on ch
//		err := ch.ParkRecv(t, 0)            // 3. register; refuses what would not block
//		sched.Block()                       // 4. leave the CPU
//		// … resumed:
//		t, res := sched.Claim()             // 5. how the wait ended
//		v, ok := ch.Collect(t)              // 6. take what was assigned
//	}
//
// Source is the scheduler's side of an object: it withdraws tickets and describes the object
// in reports. It is the same memory under another type, so it costs nothing.
//
// A fiber owns a lock, permits or the turn to run a Once from a Try that succeeded, or from
// Collect, until it gives them back. In that time the host has OwnerHook registered with the
// scheduler for that fiber (Own, Disown), so that OwnerDied is called if it dies. The owner
// is the root of a native chain, whichever of its calls executes.
//
// A wait that ends in another way (deadline, cancel, kill, another case of a select) is
// withdrawn by the scheduler from all its sources before the next operation (I10). If a
// fiber dies between its wake-up and step 5, or its wait ends in another way before the wake-up
// is delivered, the scheduler calls Forfeit (I12).
//
// A wake-up is a fiber.Wakeup. An operation that wakes one fiber at most returns it as a value, and
// the zero Wakeup for none (TrySend, TryRecv, Mutex.Unlock, Signal, Broadcast, a case
// of Select). An operation
// that can wake several appends them to dst and returns the longer slice (Close, RWMutex.Unlock
// and RUnlock, Release, Finish, Fail, Withdraw, Forfeit, OwnerDied). The caller delivers them, in
// that order, before the next operation on any object. Everything here belongs to the goroutine that owns the
// scheduler. Every object but a Cond is usable as its zero value, and none may be copied
// after first use.
//
// What it never does: call a scheduler, block a goroutine, read a clock, start anything,
// iterate over a map, or decide twice about one ticket. Errors of use are typed (*Error
// wrapping a sentinel). A host that breaks the flow above gets a panic with a
// *ContractError, which names the rule and the fix.
//
// Who uses it: package stackful for fibers with stacks of their own, hosts that drive the
// scheduler directly, scope and actor. Package scheduler does not import it and sees only
// the interfaces of package fiber.
package wait
