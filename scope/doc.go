// Package scope gives fibers structured lifetimes: a scope owns the fibers spawned into
// it, ends when all of them have ended, and cancels them when one fails.
//
// The table it owns is which fibers of a scope are alive, in the order of their spawning,
// and how the others ended. From it the scope decides, as each fiber dies, whom to cancel
// and whether its owner can go on; the scheduler carries that out within the operation
// that ended the fiber.
//
// The flow of a host, for the fiber that opens a scope, its owner:
//
//	sc := scope.Open(&sched.Core, scope.Options{Name: "crawl"}, fiber.Never)
//	scope.SpawnBody(sched, sc, …)  // the code of the scope, a fiber like the others
//	for !sc.Try() {                // ended?
//		t := sched.Arm(sc.Reason(), sc.Source())
//		sc.Park(t)
//		sched.Block()
//		// … resumed:
//		t, res := sched.Claim()
//		sc.Collect(t, res)         // the deadline, or a cancel of the owner
//	}
//	value, err := sc.Close()
//
// A scope is open, then stopping, then ended. It is stopping from the first event that
// decides it: a failure or a success (policy), Cancel, the deadline, a cancel of the owner,
// the owner's death; or from Stop, which decides nothing. Then its fibers are cancelled in
// the order of their spawning, and Spawn refuses with the cause. It ends once, when its
// owner has been woken, or has found by Try, that no fiber of it is alive; nothing makes it
// open again.
//
// What is promised:
//
//   - No fiber of a scope is alive when Close returns.
//   - The owner waits until they are dead, also after the deadline and after it was
//     cancelled itself; a cancel of the owner is passed on to them with its cause. Masking
//     the owner shields its scopes. What is cancelled and does not end is killed after
//     the scheduler's grace period.
//   - If the owner dies first (it was killed, or its code left without Close), the fibers
//     are killed in the same operation: from then on each is dead, or doomed and only
//     there to unwind, every operation of it refused. Close does not wait for those.
//   - A failure is an end with an error, whatever kind: an error result, a panic, a kill.
//     A fiber that was cancelled, by its scope or otherwise, and ends with the cause of
//     that has not failed; nor has one that was killed while the scope was stopping.
//
// Scopes nest because fibers do: a fiber of one scope opens another and waits for it. A
// cancel of the outer scope reaches that fiber in its turn (spawn order), and the inner
// scope when that fiber runs; a failure in the inner scope is an error result of the fiber
// that owns it, and that is a failure in the outer one unless it was handled.
//
// A spawn and an end cost the same however many fibers there are.
//
// What it never does: start a goroutine, read a clock, call the scheduler from Died, or
// forget a fiber that is alive.
//
// Who uses it: package stackful (Fiber.Scope), on which host/lua and host/wasm build theirs.
package scope
