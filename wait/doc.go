// Package wait is the waiting objects as pure machines: a channel, a select, a mutex,
// a join and a sleep decide which tickets to wake, and never call the scheduler.
//
// The table it owns is who waits on an object, in which order, and which value or lock
// was assigned to whom and is not collected yet. Everything is decided at match time:
// a value that was handed over belongs to its receiver, a lock that was handed over has
// a new owner, before the woken fiber runs (I11).
//
// The flow of a host, the same for every object:
//
//	v, status, w := ch.TryRecv()               // 1. try: never overtakes a parked peer
//	sched.Deliver(w.Ticket, w.Result)          //    hand out the wake it decided, if any
//	if status == wait.Empty {
//		t := sched.Arm(fiber.OnQueue(), ch) // 2. a fresh ticket; ch is its source
//		err := ch.ParkRecv(t, 0)            // 3. register; refuses what would not block
//		sched.Block()                       // 4. leave the CPU
//		// … resumed:
//		t, res := sched.Claim()             // 5. how the wait ended
//		v, ok := ch.Collect(t)              // 6. take what was assigned
//	}
//
// A wait that ends in another way (deadline, cancel, kill, the sibling case of a
// select) is withdrawn by the scheduler from all its sources before the next operation
// (I10). The fiber that dies between 5 and 6 is reported through Forfeit (I12).
//
// A wake is a fiber.Wakeup, returned or appended to dst; its caller delivers it before
// the next operation on any object. Everything here belongs to the goroutine that owns
// the scheduler. Every object is usable as its zero value and must not be copied after
// first use.
//
// What it never does: call a scheduler, block a goroutine, read a clock, start
// anything, iterate over a map, or decide twice about one ticket. Errors of use are
// typed (*Error wrapping a sentinel); a host that breaks the flow above gets a panic
// with a *ContractError that names the rule and the mend.
package wait
