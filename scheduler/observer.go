package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Transition is what Config.Observer is called with: one step of the state machine that has
// been made, or a delivery or a completion that was refused. Replaying them in their order
// repeats what the scheduler did; package trace writes them down.
//
// What does not change the machine is not reported: calls that were refused with an error
// or a contract error, polls that found nothing, results that are claimed, locks, links and
// panics that can be recovered.
type Transition struct {
	// Op is the step. Op.String is one of Spawn, ScheduleNext, YieldCurrent, Arm, Disarm,
	// Block, Wake, Deliver, expire (a deadline), Cancel, Kill, Exit, reap (of a killed fiber),
	// AcquireTrampoline, ReleaseTrampoline, Submit, Complete, Mask and Unmask; Cancel also
	// when a fiber takes its interrupt (Answer is "cancelled" then); Pump, Lend, Move and Hold
	// ("held", "resumed"), with what was done in Answer; and BeginPanic for a Fatal panic.
	Op Op
	// ID is the fiber that does the step (ScheduleNext to Block, Exit, ReleaseTrampoline,
	// Submit, Mask, Unmask, Pump) or to which it is done. 0 for Complete.
	ID fiber.ID
	// Seq is that of the ticket which Arm gives out or Deliver uses.
	Seq uint64
	// Reason is what Arm prepares to wait for.
	Reason fiber.Reason
	// Token is the operation that Submit begins and Complete ends.
	Token fiber.Token
	// Grace is when the grace period ends that Cancel has begun; 0 if it began none. For
	// expire it tells which deadline passed: not 0 if it was that of a grace period.
	Grace fiber.Time
	// Masks is how often a fiber that moved in (Move) masks its cancellation.
	Masks int
	// With is what Spawn was asked for: Frames, Nests, Front and Movable, nothing else.
	With Options
	// Answer is the result of the call, in the words of Blocking, fiber.Delivery or
	// ioqueue.Verdict; "gone" where Cancel or Kill came too late; "latched" where Arm
	// found the operation done; "cancelled" or "killed" where Block was interrupted. It is
	// "" where there is no result.
	Answer string
}

// opWatched is the value of Core.op between operations while an observer is set. The fast
// paths accept op.None only, so the operations take their slow path, which reports. Three do
// not look at op: ScheduleNext, YieldCurrent and Block; catchUp reports those from the
// history.
const opWatched = opPoisoned + 1

// observer calls Config.Observer. The transitions that are inlined into the host's loop
// report nothing: they leave a line in the history, at most one for each fiber of a batch,
// and catchUp reports it before the next transition (OBSERVED). A batch has sixteen fibers
// and the history 64 lines, so none is overwritten before it is reported.
type observer struct {
	core    *Core
	observe func(Transition)
	// How many transitions of the history have been reported; never more than Core.step.
	reported uint64
	// The current fiber, as the observer knows it. A mounting leaves no line in the history,
	// so catchUp infers it from the transition that follows it.
	current fiber.ID
}

// newObserver sets the observer of c, if there is one.
func newObserver(c *Core, observe func(Transition)) *observer {
	if observe == nil {
		return nil
	}
	c.restOp, c.op = opWatched, opWatched
	c.restUntil, c.fastUntil = 0, 0
	return &observer{core: c, observe: observe}
}

// call calls the host's observer. One that panics has interrupted an operation halfway, so the
// scheduler is poisoned before anything else can use it (rule HOOK-RETURNS).
func (o *observer) call(t Transition) {
	defer o.core.mustNotPanic("Config.Observer")
	o.observe(t)
}

// report reports a transition that has just been made. The caller's enter has called catchUp,
// so the lines that the history has gained since then are this transition's own.
func (o *observer) report(t Transition) {
	o.call(t)
	o.reported = o.core.step
	o.current = o.core.Current()
}

// catchUp reports what the inlined transitions did since the last report.
func (o *observer) catchUp() {
	c := o.core
	if c.step-o.reported > historyLen {
		c.broken(op.None, rule.Observed, "%d transitions of one batch were not observed, the history has %d", c.step-o.reported, historyLen)
	}
	for ; o.reported < c.step; o.reported++ {
		line := c.history[o.reported%historyLen]
		id := fiber.NewRegularID(line.raw, c.slots.at(line.raw).gen).ID()
		o.reportMounted(id)
		t := Transition{Op: line.event().Op, ID: id}
		if t.Op == op.Block {
			t.Answer = Parked.String()
		}
		o.call(t)
		o.current = 0
	}
	if id := c.Current(); id != 0 {
		o.reportMounted(id)
	}
}

// reportMounted reports that a fiber became current, unless the observer knows it.
func (o *observer) reportMounted(id fiber.ID) {
	if o.current != id {
		o.call(Transition{Op: op.Next, ID: id})
		o.current = id
	}
}

func (o *observer) reportArm(t fiber.Ticket, r fiber.Reason, early bool) {
	arm := Transition{Op: op.Arm, ID: t.ID, Seq: t.Seq, Reason: r}
	if early {
		arm.Answer = fiber.Latched.String()
	}
	o.report(arm)
}

func (o *observer) reportBlock(how Blocking, h *header, id fiber.ID) {
	block := Transition{Op: op.Block, ID: id, Answer: how.String()}
	if how == Interrupted {
		block.Answer = h.code().String()
	}
	o.report(block)
}

// goneIf is the answer of an operation on a fiber that may have ended.
func goneIf(err error) string {
	if err != nil {
		return fiber.Gone.String()
	}
	return ""
}
