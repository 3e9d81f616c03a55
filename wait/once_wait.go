package wait

import "github.com/selvage-dev/selvage/fiber"

// ParkRun registers a fiber after TryRun has reported that it would block; id is the
// runner it may become. The wait ends with OK when a run is done, or when it is id's turn
// (Collect tells which), and with Failed when the run failed and the policy is Poison.
// Errors: ErrForeign, ErrReentered, ErrRunFailed, and ErrReady if it would not block after
// all.
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

// Collect reports whether the turn was handed over to the ticket. Then its fiber is the
// runner, and the host passes OwnerHook to scheduler.Own. False after OK: the run is done.
func (o *Once) Collect(t fiber.Ticket) (run bool) {
	if t.IsZero() || o.granted != t {
		return false
	}
	o.granted = fiber.Ticket{}
	return true
}
