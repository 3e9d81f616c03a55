package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// onceSource is a Once as the scheduler sees it: the same memory, other methods.
type onceSource Once

var (
	_ fiber.Assigner  = (*onceSource)(nil)
	_ fiber.Described = (*onceSource)(nil)
	_ fiber.OwnerHook = (*onceSource)(nil)
)

// Source is what a wait for the end of the run is armed with.
func (o *Once) Source() fiber.Source {
	if o == nil {
		return nil // which the scheduler refuses by name
	}
	return (*onceSource)(o)
}

// OwnerHook is what the host passes to scheduler.Own while a fiber runs it.
func (o *Once) OwnerHook() fiber.OwnerHook { return (*onceSource)(o) }

// Withdraw removes a waiter that gave up. The run goes on, so no other fiber can continue
// because of that.
func (src *onceSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	src.waiting.Withdraw(t)
	return dst
}

// Holds reports whether the ticket waits for the end of the run.
func (src *onceSource) Holds(t fiber.Ticket) bool { return src.waiting.Holds(t) }

// Forfeit is called when the fiber whose turn it was died before it ran. By then it was
// the runner, so this is the death of a runner.
func (src *onceSource) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	o := (*Once)(src)
	if !o.Collect(t) {
		return dst, false
	}
	return o.pass(dst), true
}

// OwnerDied is Fail, caused by the death of the runner. For any other fiber it does
// nothing, so it is safe after Forfeit and after Finish.
func (src *onceSource) OwnerDied(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	if owner == 0 || src.runner != owner {
		return dst
	}
	return (*Once)(src).pass(dst)
}

// Waiting counts the fibers that wait for the end of the run.
func (src *onceSource) Waiting() int { return src.waiting.Waiting() }

// Describe is for reports: `once "config" (run by f3.1, waiting: 2)`.
func (src *onceSource) Describe() string {
	o := (*Once)(src)
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

// Holders appends the runner: only the runner can end a wait here.
func (src *onceSource) Holders(dst []fiber.ID) []fiber.ID {
	if src.runner == 0 {
		return dst
	}
	return append(dst, src.runner)
}
