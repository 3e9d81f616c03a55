package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Transition is what Config.Observer is told: one step of the state machine that has
// been made, or a delivery or a completion that was refused. Whoever replays them in
// their order has done what the scheduler did; package trace writes them down.
//
// What is no change of the machine is not told: calls that were refused with an error
// or a contract error, polls that found nothing, results that are collected, locks,
// links and panics that can be recovered.
type Transition struct {
	// Op is the step: one of OpSpawn to OpRelease but OpPark, which is a part of OpBlock;
	// OpSubmit, OpComplete, OpMask, OpUnmask; OpCancel also where a fiber is told of its
	// cancel by Interrupted (Answer is "cancelled" then); OpPump, OpLend and OpMove, of
	// which Answer says what was done; and OpPanic for one that is Fatal.
	Op Op
	// ID is who does the step (OpNext to OpBlock, OpExit, OpRelease, OpSubmit, OpMask,
	// OpUnmask, OpPump) or whom it is done to. 0 for OpComplete.
	ID fiber.ID
	// Seq is that of the ticket which OpArm gives out or OpDeliver uses.
	Seq uint64
	// Reason is what OpArm prepares to wait for.
	Reason fiber.Reason
	// Token is the operation that OpSubmit begins and OpComplete ends.
	Token fiber.Token
	// Grace is when the grace period ends that OpCancel has begun; 0 if it began none.
	// For OpExpire it says whose deadline it was: not 0 if it was that of a grace period.
	Grace fiber.Time
	// Masks is how often who has moved in (OpMove) masks its cancellation.
	Masks int
	// With is what OpSpawn was asked for: Frames, Nests, Front and Movable, nothing else of it.
	With Options
	// Answer is what the caller was told, in the words of Blocking, fiber.Delivery or
	// ioqueue.Verdict; "dead" where OpCancel or OpKill came too late; "latched" where
	// OpArm found the operation done; "cancelled" or "killed" where OpBlock was
	// interrupted. It is "" where there is nothing to tell.
	Answer string
}

// opWatched is where Core.inside rests while somebody observes: every transition but the
// three that do not look at it takes its general form then, which reports.
const opWatched = opPoisoned + 1

// watch is what an observed scheduler knows about its observer. The transitions that are
// inlined into the host's loop report nothing. They leave a line in the history, at most
// one for each fiber of a batch, and are told before the next report.
type watch struct {
	tell    func(Transition)
	told    uint64   // of the history
	current fiber.ID // as the observer knows it
}

func (c *Core) observe(tell func(Transition)) {
	if tell != nil {
		c.watch = &watch{tell: tell}
		c.restOp, c.op = opWatched, opWatched
	}
}

// report tells of a step that has just been made.
func (c *Core) report(t Transition) {
	c.watch.tell(t)
	c.watch.told = c.step
	c.watch.current = c.Current()
}

// catchUp tells what the inlined transitions did since the last report.
func (c *Core) catchUp() {
	w := c.watch
	if c.step-w.told > historyLen {
		c.broken(OpNone, rule.Observed, "%d transitions of one batch were not observed, the history has %d", c.step-w.told, historyLen)
	}
	for ; w.told < c.step; w.told++ {
		line := c.history[w.told%historyLen]
		id := fiber.NewRegularID(line.raw, c.slots.at(line.raw).gen).ID()
		w.mounted(id)
		t := Transition{Op: line.event().Op, ID: id}
		if t.Op == OpBlock {
			t.Answer = Parked.String()
		}
		w.tell(t)
		w.current = 0
	}
	if id := c.Current(); id != 0 {
		w.mounted(id)
	}
}

func (w *watch) mounted(id fiber.ID) {
	if w.current != id {
		w.tell(Transition{Op: OpNext, ID: id})
		w.current = id
	}
}

// goneIf is the answer of an operation on a fiber that may have ended.
func goneIf(err error) string {
	if err != nil {
		return fiber.Gone.String()
	}
	return ""
}

func (c *Core) reportArm(t fiber.Ticket, r fiber.Reason, early bool) {
	arm := Transition{Op: OpArm, ID: t.ID, Seq: t.Seq, Reason: r}
	if early {
		arm.Answer = fiber.Latched.String()
	}
	c.report(arm)
}

func (c *Core) reportBlock(how Blocking, h *header, id fiber.ID) {
	block := Transition{Op: OpBlock, ID: id, Answer: how.String()}
	if how == Interrupted {
		block.Answer = h.code().String()
	}
	c.report(block)
}
