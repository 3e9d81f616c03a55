package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
)

// A fiber that nests (Options.Nests) runs on the call stack of whoever drives the
// scheduler. Native frames below a call of it cannot be put aside, so when the call
// waits, its callers stay Running, pinned where they are, and a pump above them runs
// other fibers until the call may go on (DESIGN §2.5):
//
//	call           Block →        Blocked, pinned     a delivery → Running, pinned
//	               YieldPinned →      Running, pinned
//	its callers    stay Running, pinned
//	current        nobody; then whoever the pump mounts, on top
//	Unpin          innermost pin only, its call Running: the chain is mounted again
//
// Several chains can be pinned, each under the pump of the next: pins is that stack,
// and stands for the native stack it mirrors. A pinned call that was woken while
// another lies above it is buried: it cannot go on before that one has.

// pin is a chain whose frames lie under a pump.
type pin struct {
	root *header
	id   fiber.ID // the root's
}

// barred is what the root of a nesting fiber shows while it is in a native call: both
// bits at once, which no wait can be. The hot transitions, which may not look at
// anything else, refuse it, and so YieldCurrent under a call is a contract error
// without a test for it.
const barred = armed | latched

// bars tells whether a root's armed and latched bits are the bar, and not a wait's.
func (h *header) bars() bool { return h.word&(nests|chained) == nests|chained }

// Nests tells whether native calls of the current fiber pump instead of parking.
func (f Calls[T]) Nests() bool { return f.sched.cur.has(nests) }

// pinChain blocks the executing trampoline of a fiber that nests. Its callers stay as
// they are, under the pump that has to follow.
func (c *Core) pinChain(h *header) {
	_, id := c.topOf(c.cur)
	h.clear(armed)
	c.pass(h, parked, uint32(id.Raw()))
	c.pin()
}

func (c *Core) pin() {
	c.pins = append(c.pins, pin{c.cur, c.curID})
	c.leaveCPU()
}

// YieldPinned pins the chain of the current fiber, which nests and is in a native call, so
// that others can have a turn. The call stays Running: Unpin takes it up again at any
// time. It is what YieldCurrent is to a fiber that can be put aside.
func (f Calls[T]) YieldPinned() {
	c := &f.sched.Core
	c.enter(OpPump)
	h, id := c.executing(OpPump)
	if !c.cur.bars() || h.has(armed|latched) {
		c.refuse(OpPump)
	}
	c.pin()
	if c.watch != nil {
		c.report(Transition{Op: OpPump, ID: id, Answer: "gives way"})
	}
	c.leave()
}

// Pinned returns the innermost pinned call, whose pump is to run now, and whether it can
// continue. There is none without nesting.
func (f Calls[T]) Pinned() (call fiber.TrampolineID, canContinue bool) { return f.sched.pinned() }

func (c *Core) pinned() (call fiber.TrampolineID, canContinue bool) {
	if len(c.pins) == 0 {
		return 0, false
	}
	h, id := c.topOf(c.pins[len(c.pins)-1].root)
	call, _ = id.Trampoline()
	return call, h.state() == fiber.Running
}

// Unpin mounts the innermost pinned chain again: its root is current as before. Its call
// must be Running, and no fiber may be current.
func (f Calls[T]) Unpin() { f.sched.unpin() }

func (c *Core) unpin() {
	c.enter(OpPump)
	if _, canContinue := c.pinned(); !canContinue || c.cur != c.none {
		c.refuse(OpPump)
	}
	last := len(c.pins) - 1
	p := c.pins[last]
	c.pins = c.pins[:last]
	if p.root.state() != fiber.Running || !p.root.bars() {
		c.broken(OpPump, "I2", "%v is %v and was pinned under a pump", p.id, p.root.state())
	}
	c.cur, c.curID = p.root, p.id
	if c.watch != nil {
		c.report(Transition{Op: OpPump, ID: c.Current(), Answer: "unpinned"})
	}
	c.leave()
}

// FailPinned ends the wait of the innermost pinned call when Idle's verdict is that
// nothing else can: the call goes on with Killed and a Fatal panic, which is also
// returned (*DeadlockError, *StackInversionError), and unwinds with all its callers.
func (f Calls[T]) FailPinned() error {
	c := &f.sched.Core
	c.enter(OpPump)
	if c.cur != c.none {
		c.refuse(OpPump)
	}
	v := idleVerdictWithReport(c)
	err := v.Err()
	if err == nil || len(c.pins) == 0 {
		c.refuseAs(OpPump, "contract", "only a deadlock or a stack inversion under a pump condemns a call: go on pumping")
	}
	root := c.pins[len(c.pins)-1].root
	h, id := c.topOf(root)
	c.panicsOf(h).Begin(panicstate.Fatal, err, c.siteOf(id))
	root.set(fatal)
	c.end(h, id, fiber.Result{Code: fiber.Killed}, tokenAbandoned)
	if c.watch != nil {
		c.report(Transition{Op: OpPump, ID: id, Answer: v.Kind.String()})
	}
	c.deliverPending()
	c.leave()
	return err
}

// siteOf is where the fiber of a chain stands in the guest's program, for reports.
func (c *Core) siteOf(id fiber.ID) string {
	_, root := c.rootOf(id)
	if reg, ok := root.Regular(); ok && c.cfg.Site != nil {
		return c.cfg.Site(reg)
	}
	return ""
}

// buried is the innermost pinned call that may go on and cannot, because another is
// pinned above it; none if every one of them waits.
func (c *Core) buried() fiber.ID {
	for i := len(c.pins) - 2; i >= 0; i-- {
		if h, id := c.topOf(c.pins[i].root); h.state() == fiber.Running {
			return id
		}
	}
	return 0
}

// isPinned tells whether a living regular fiber lies under a pump: it runs and is not
// the current one, nor is it lent.
func (c *Core) isPinned(h *header) bool {
	return h.word&(stateMask|lent) == running && h != c.cur
}

// StackInversionError is the verdict on a pump that nothing can end: a call that was
// woken lies buried under the one it pumps for, which waits, on the same native stack.
// On stacks of their own both would go on.
type StackInversionError struct {
	// Buried could go on; By lies above it and waits for ever.
	Buried, By fiber.ID
	// Report shows the chain of callers of both, and who else is blocked.
	Report *Report
}

// Error names both calls and shows the callers.
func (e *StackInversionError) Error() string {
	return fmt.Sprintf("stack inversion: %v was woken but lies buried under %v, which nothing can wake, on the same native stack\n%v",
		e.Buried, e.By, e.Report)
}
