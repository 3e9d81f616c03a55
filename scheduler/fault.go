package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/internal/invariants"
)

// complaint is what the general form of each operation's contract error says: the
// rule it breaks when it is called in a state that the transition table does not
// allow.
type complaint struct{ rule, mend string }

var complaints = [numOps]complaint{
	OpSpawn:    {"I1", "a slot that is not Dead cannot be spawned into"},
	OpNext:     {"I2", "a fiber is Running: end its slice (YieldCurrent, Block, Exit) before the next ScheduleNext"},
	OpYield:    {"I2", "only a Running root that has no wait armed can yield: Disarm or Block first, call it once a slice"},
	OpArm:      {"I13", "only the executing context can arm, and one wait at a time: Disarm or Block first"},
	OpDisarm:   {"I13", "nothing is armed: call Disarm only between Arm and Block"},
	OpBlock:    {"I2", "only the executing context can block, and only after Arm"},
	OpPark:     {"I2", "only a Running caller parks on its callee"},
	OpWake:     {"I3", "Wake is for owner code that knows the fiber is Blocked and not on its own callee; use Deliver with a ticket when it may not be"},
	OpExit:     {"I2", "only the Running root, with nothing armed and every trampoline released, can exit"},
	OpKill:     {"I3", "only a Blocked fiber without frames dies at once"},
	OpReap:     {"I1", "only a doomed Runnable fiber is reaped"},
	OpAcquire:  {"I13", "a trampoline is acquired by the executing context with nothing armed"},
	OpRelease:  {"I4", "only the topmost Running trampoline, with nothing armed, is released"},
	OpClaim:    {"contract", "only the executing context claims the result of its last wait, with nothing armed"},
	OpSubmit:   {"I8", "an operation is submitted by the executing context"},
	OpMask:     {"contract", "only the executing context masks its cancellation"},
	OpUnmask:   {"contract", "Unmask undoes one Mask of the executing context"},
	OpPanic:    {"I13", "a panic starts in the executing context with nothing armed"},
	OpRecover:  {"I13", "a panic is recovered in the executing context with nothing armed"},
	OpPoll:     {"I2", "Poll serves the loop between slices: end the slice first"},
	OpIdle:     {"I2", "a verdict is for a loop between slices: end the slice first"},
	OpFinish:   {"I2", "nothing is Running: Finish ends the slice that ScheduleNext began"},
	OpOwn:      {"contract", "only the executing context can own something or be linked"},
	OpPump:     {"I2", "only a native call of a fiber that nests is pinned, with nothing armed, and only the innermost is taken up again, when it is Running and nobody is current"},
	OpDeliver:  {"I3", "a delivery carries OK, Closed or Failed"},
	OpExpire:   {"I3", "a deadline ends a wait that waits"},
	OpCancel:   {"contract", "Cancel takes a fiber of this scheduler"},
	OpLend:     {"I2", "only the current fiber is lent, with nothing armed and not under a native call that pumps; only what is lent is recalled, once, when nobody is current"},
	OpMove:     {"I1", "a fiber moves out of the ready queue of one scheduler into that of another"},
	OpNote:     {"contract", "names and cells are noted for fibers of this scheduler"},
	OpComplete: {"I12", "a completion names a token of this scheduler"},
}

// whileArmed is the complaint of those operations that I13 forbids between Arm and
// Block.
func whileArmed(op Op) complaint {
	switch op {
	case OpYield, OpExit, OpAcquire, OpRelease, OpPanic, OpRecover:
		return complaint{"I13", "a wait is armed: Block or Disarm before anything else"}
	}
	return complaints[op]
}

// whileBarred is the complaint of an operation on a fiber that nests and is in a native
// call. Only YieldCurrent is refused for that.
func whileBarred(op Op) complaint {
	if op == OpYield {
		return complaint{"contract", "a fiber that nests cannot yield under a native call, whose frames would have to be put aside: give others a turn with PumpTurn"}
	}
	return complaints[op]
}

// numFaults is the size of the table of prepared errors. Its index is the low bits of
// a fiber's word, which tell its state and whether a wait is armed, with the operation
// in the bits between. The gate adds the state its edge starts from: 1 and 3 come up
// only where a fiber is not in the state its place says, and no caller can be the
// cause. So those entries are violations.
const numFaults = 1 << 9

const _ = uint(numFaults - (armed | latched | (numOps-1)<<opShift | stateMask) - 1) // it is large enough

// prepareFaults fills the table. Hot transitions panic with an entry of it: that costs
// the compiler's inliner one node, a call costs it 57.
func (c *Core) prepareFaults() {
	for op := range lastOp {
		c.prepareFault(op)
	}
}

func (c *Core) prepareFault(op Op) {
	calm, busy := c.newFault(op, complaints[op]), c.newFault(op, whileArmed(op))
	under, broken := c.newFault(op, whileBarred(op)), c.newViolation(op)
	for _, way := range [...]struct {
		flags word
		fault *ContractError
	}{{0, calm}, {armed, busy}, {latched, busy}, {barred, under}} {
		at, fault := word(op)<<opShift|way.flags, way.fault
		c.faults[at|dead], c.faults[at|running] = fault, fault
		c.faults[at|runnable], c.faults[at|blocked] = broken, broken
	}
}

func (c *Core) newFault(op Op, why complaint) *ContractError {
	return &ContractError{Rule: why.rule, Op: op, Fix: why.mend, view: view{core: c, prepared: op}}
}

// newViolation is the error of a gate that finds a fiber where it cannot be. Nothing can
// be done about it there but to panic: whoever reads it poisons the scheduler.
func (c *Core) newViolation(op Op) *InvariantError {
	rule := complaints[op].rule
	if op == OpNext {
		rule = "I1" // a caller of ScheduleNext can only break I2
	}
	e := &InvariantError{Rule: rule, Op: op, Found: "the fiber is not in the state that its place says", view: view{core: c}}
	e.poisons = e
	return e
}

// refuse panics with the contract error of an operation, filled at once.
func (c *Core) refuse(op Op) {
	c.giveUp(op)
	e := c.faults[(c.cur.word|word(op)<<opShift)%numFaults].(*ContractError)
	e.look()
	panic(e)
}

// giveUp ends the operation that is to be refused. It fails if the operation was
// called inside another one, which goes on.
func (c *Core) giveUp(op Op) {
	if c.inside != OpNone && c.inside != op {
		c.overlap(op)
	}
	c.inside = c.outside
}

// refuseAs is refuse with a rule and a mend more to the point.
func (c *Core) refuseAs(op Op, rule, format string, args ...any) {
	c.giveUp(op)
	e := &ContractError{Rule: rule, Op: op, Fix: fmt.Sprintf(format, args...), view: view{core: c}}
	e.look()
	panic(e)
}

// broken poisons the scheduler and panics: it found itself in an impossible state.
func (c *Core) broken(op Op, rule, format string, args ...any) {
	if c.poison == nil {
		e := &InvariantError{Rule: rule, Op: op, Found: fmt.Sprintf(format, args...), view: view{core: c}}
		e.seen = lookAt(c, c.Current()) // what is above the root may be what is broken
		c.poisonWith(e)
	}
	panic(c.poison)
}

func (c *Core) poisonWith(e *InvariantError) {
	c.poison = e
	c.inside = opPoisoned // for ever: nothing enters any more
	for i := range c.faults {
		c.faults[i] = e
	}
	// Hot transitions look at nothing but the current fiber: with a wreck there,
	// neither running nor nobody, every one of them fails too.
	c.cur = &c.wreck
}

// mustNotPanic is deferred around the host's hooks: one that panics has cut an
// operation in two, so the scheduler cannot go on.
func (c *Core) mustNotPanic(who string) {
	if r := recover(); r != nil {
		c.broken(c.inside, "contract", "%s panicked: %v; hooks and Sources must not", who, r)
	}
}

// Poisoned is the violation that ended this scheduler, or nil.
func (f Inspect) Poisoned() *InvariantError { return f.core.poison }

// enter begins an operation that is more than a few instructions. It fails if the
// scheduler is poisoned, or if another operation is in progress: then a second
// goroutine is using the scheduler, or a Source or hook called back into it.
func (c *Core) enter(op Op) {
	if c.inside != OpNone {
		c.overlap(op)
	}
	c.inside = op
	if invariants.On {
		c.entered++
	}
}

func (c *Core) overlap(op Op) {
	if c.inside == opWatched { // none is in progress, somebody observes
		c.inside = op // and must not begin another
		c.catchUp()
		return
	}
	if c.poison != nil {
		panic(c.poison)
	}
	e := &ContractError{Rule: "contract", Op: op, view: view{core: c}, Fix: fmt.Sprintf(
		"%v was called inside %v: one goroutine owns a scheduler (use its Inbox from others), and Sources and hooks never call it, nor panic", op, c.inside)}
	e.seen = &sighting{recent: nil}
	panic(e)
}

// leave ends what enter began.
func (c *Core) leave() {
	c.settled()
	c.inside = c.outside
}
