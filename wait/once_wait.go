package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

var (
	_ fiber.Assigner  = (*Once)(nil)
	_ fiber.Described = (*Once)(nil)
	_ fiber.OwnerHook = (*Once)(nil)
)

// ParkRun registers a fiber that TryRun has just told it would block; id is the runner
// it may become. The wait ends with OK when a run is done, or when it is id's turn
// (Collect tells which), and with Failed when the run failed for good. Errors:
// ErrForeign, ErrReentered, ErrRunFailed, and ErrReady if it would not block after all.
func (o *Once) ParkRun(t fiber.Ticket, id fiber.ID) error {
	switch {
	case !o.belongs(t.Scheduler()):
		return o.refuse("run", 0, id, ErrForeign)
	case o.failed != 0 || o.runner == id || id == 0:
		return o.mayNotRun(id)
	case o.runner == 0: // done, or id may run it
		return o.refuse("run", 0, id, ErrReady)
	}
	if !o.waiting.Push(t, 0, id) {
		panic(outOfOrder("run", o.title(), t))
	}
	return nil
}

// Collect tells whether the turn was handed over to the ticket: its fiber is the runner
// and answers for the run from now on. False after OK: it is done.
func (o *Once) Collect(t fiber.Ticket) (run bool) {
	if t.IsZero() || o.granted != t {
		return false
	}
	o.granted = fiber.Ticket{}
	return true
}

// Withdraw removes one that gave up. Nobody can go on because of that.
func (o *Once) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	o.waiting.Withdraw(t)
	return dst
}

// Holds tells whether the ticket waits for the end of the run.
func (o *Once) Holds(t fiber.Ticket) bool { return o.waiting.Holds(t) }

// Forfeit: the fiber whose turn it was died before it ran. That is the death of a
// runner.
func (o *Once) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if !o.Collect(t) {
		return dst
	}
	return o.pass(dst)
}

// OwnerDied is Fail by the death of the runner. For anybody else it does nothing, so it
// may be called beside Forfeit and after Finish.
func (o *Once) OwnerDied(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	if owner == 0 || o.runner != owner {
		return dst
	}
	return o.pass(dst)
}

// Describe is for reports: `once "config" (run by f3.1, waiting: 2)`.
func (o *Once) Describe() string {
	state := "not run"
	switch {
	case o.done:
		state = "done"
	case o.failed != 0:
		state = fmt.Sprintf("failed by %v", o.failed)
	case o.runner != 0:
		state = fmt.Sprintf("run by %v", o.runner)
	}
	return fmt.Sprintf("%s (%s, waiting: %d)", o.title(), state, o.waiting.Waiting())
}

// Holders appends the runner: nobody else can end a wait here.
func (o *Once) Holders(dst []fiber.ID) []fiber.ID {
	if o.runner == 0 {
		return dst
	}
	return append(dst, o.runner)
}
