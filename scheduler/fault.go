package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// brokenRule is what the general form of each operation's contract error says: the rule that
// a call breaks in a state that the transition table does not allow, and the fix. Where the code
// knows more about the mistake, it calls refuseAs instead.
type brokenRule struct {
	rule fiber.Rule
	fix  string
}

// brokenRules has an entry for every operation. Its test makes each call in each situation:
// TestEveryOperationIsAllowedOrRefusedByNameInEverySituation.
var brokenRules = [op.Limit]brokenRule{
	op.Spawn:    {rule.I1, "a slot that is not Dead cannot be spawned into"},
	op.Next:     {rule.I2, "a fiber is Running: end its slice (YieldCurrent, Block, Exit) before the next ScheduleNext"},
	op.Yield:    {rule.I2, "only a Running root that has no wait armed can yield: Disarm or Block first, call it once a slice"},
	op.Arm:      {rule.I13, "only the executing context can arm, and one wait at a time: Disarm or Block first"},
	op.Disarm:   {rule.I13, "nothing is armed: call Disarm only between Arm and Block"},
	op.Block:    {rule.I2, "only the executing context can block, and only after Arm"},
	op.Hold:     {rule.I1, "a fiber is held at the head of the ready queue"},
	op.Wake:     {rule.I3, "Wake is for owner code that knows the fiber is Blocked and not on its own callee; use Deliver with a ticket when it may not be"},
	op.Exit:     {rule.I2, "only the Running root, with nothing armed and every trampoline released, can exit"},
	op.Kill:     {rule.I3, "only a Blocked fiber without frames dies at once"},
	op.Reap:     {rule.I1, "only a doomed Runnable fiber is reaped"},
	op.Acquire:  {rule.I13, "a trampoline is acquired by the executing context with nothing armed"},
	op.Release:  {rule.I4, "only the topmost Running trampoline, with nothing armed, is released"},
	op.Claim:    {rule.Executing, "only the executing context claims the result of its last wait, with nothing armed"},
	op.Submit:   {rule.I8, "an operation is submitted by the executing context"},
	op.Mask:     {rule.Executing, "only the executing context masks its cancellation"},
	op.Unmask:   {rule.CallOrder, "Unmask undoes one Mask of the executing context"},
	op.Panic:    {rule.I13, "a panic starts in the executing context with nothing armed"},
	op.Recover:  {rule.I13, "a panic is recovered in the executing context with nothing armed"},
	op.Poll:     {rule.I2, "Poll serves the loop between slices: end the slice first"},
	op.Idle:     {rule.I2, "a verdict is for a loop between slices: end the slice first"},
	op.Finish:   {rule.I2, "nothing is Running: Finish ends the slice that ScheduleNext began"},
	op.Own:      {rule.Executing, "only the executing context can own something or be linked"},
	op.Pump:     {rule.I2, "only a native call of a fiber that nests is pinned, with nothing armed, and only the innermost is taken up again, when it is Running and no fiber is current"},
	op.Deliver:  {rule.ValidArgument, "a delivery carries OK, Closed or Failed"},
	op.Expire:   {rule.I3, "a deadline ends a wait that waits"},
	op.Cancel:   {rule.SameScheduler, "Cancel takes a fiber of this scheduler"},
	op.Lend:     {rule.I2, "only the current fiber is lent, with nothing armed and not under a native call that pumps; only what is lent is recalled, once, when no fiber is current"},
	op.Move:     {rule.I1, "a fiber moves out of the ready queue of one scheduler into that of another"},
	op.Note:     {rule.SameScheduler, "names and cells are noted for fibers of this scheduler"},
	op.Complete: {rule.I12, "a completion names a token of this scheduler"},
}

// whileArmed is the rule broken by an operation between Arm and Block: I13 for those that it
// forbids there, else the operation's general one.
func whileArmed(call Op) brokenRule {
	switch call {
	case op.Yield, op.Exit, op.Acquire, op.Release, op.Panic, op.Recover:
		return brokenRule{rule.I13, "a wait is armed: Block or Disarm before anything else"}
	}
	return brokenRules[call]
}

// whileBarred is the rule broken by an operation on a fiber that nests and is in a native call.
// Only YieldCurrent is refused for that (rule NESTED-FRAMES): it has no slow path, so the bits of
// barred are all that it sees. The other operations recognize a barred root on their slow path.
func whileBarred(call Op) brokenRule {
	if call == op.Yield {
		return brokenRule{rule.NestedFrames, "a fiber that nests cannot yield under a native call, whose frames cannot be suspended: run other fibers with PumpTurn"}
	}
	return brokenRules[call]
}

// init fills the table of prepared errors. Fast paths panic with an entry of it: that costs
// the compiler's inliner one node, a call costs it 57.
func (a *audit) init(c *Core) {
	a.core = c
	for call := range op.Count {
		a.prepareFault(call)
	}
}

// prepareFault fills the entries of one operation. Their index is what the gate has at hand: the
// state of the fiber, or-ed with the start state of the edge, the armed and latched bits, and
// the operation. Where the fiber is Dead (the placeholder for no fiber) or Running, the caller has
// made a mistake. Where a Runnable or Blocked fiber is in the place of a current one, no caller
// can have caused it: the entry is a violation.
func (a *audit) prepareFault(call Op) {
	idle, broken := a.newFault(call, brokenRules[call]), a.newViolation(call)
	waiting, inCall := idle, idle // most operations have one form, and every scheduler has this table
	if form := whileArmed(call); form != brokenRules[call] {
		waiting = a.newFault(call, form)
	}
	if form := whileBarred(call); form != brokenRules[call] {
		inCall = a.newFault(call, form)
	}
	for _, at := range [...]struct {
		flags word
		fault *ContractError
	}{{0, idle}, {armed, waiting}, {latched, waiting}, {barred, inCall}} {
		i := word(call)<<opShift | at.flags
		a.core.faults[i|dead], a.core.faults[i|running] = at.fault, at.fault
		a.core.faults[i|runnable], a.core.faults[i|blocked] = broken, broken
	}
}

// newFault is a contract error whose view is still empty: its first reader fills it, and has the
// entry of the table replaced by a new one.
func (a *audit) newFault(call Op, v brokenRule) *ContractError {
	return &ContractError{Rule: v.rule, Op: call, Fix: v.fix, view: view{core: a.core, prepared: call}}
}

// newViolation is the error of a gate that finds a fiber where it cannot be. The gate can only
// panic with it; the first reader of the error poisons the scheduler.
func (a *audit) newViolation(call Op) *InvariantError {
	r := brokenRules[call].rule
	if call == op.Next {
		r = rule.I1 // a caller of ScheduleNext can only break I2
	}
	e := &InvariantError{Rule: r, Op: call, Found: "the fiber is not in the state that its place says", view: view{core: a.core}}
	e.poisons = e
	return e
}

// refuse panics with the contract error of an operation, filled at once: a slow path can afford
// it, and the host may keep the error while the scheduler goes on. It ends the operation first.
func (a *audit) refuse(call Op) {
	a.endRefused(call)
	e := a.core.faults[(a.core.cur.word|word(call)<<opShift)%numFaults].(*ContractError)
	e.look()
	panic(e)
}

// endRefused ends the operation that is to be refused, so that the next call is not taken for one
// inside it. If the refused call was itself made inside another operation (rule ONE-OWNER), that
// is what it reports, and the outer operation stays in progress. It does not verify: a refusal
// has changed nothing.
func (a *audit) endRefused(call Op) {
	c := a.core
	if invariants.On {
		c.checkOwner(call)
	}
	if c.op != op.None && c.op != call {
		c.reportOverlap(call)
	}
	c.op, c.fastUntil = c.restOp, c.restUntil
	if invariants.On {
		c.dropOwnership()
	}
}

// refuseAs is refuse with a more specific rule and fix. It formats and allocates; only callers that
// break the contract pay for it.
func (a *audit) refuseAs(call Op, r fiber.Rule, format string, args ...any) {
	a.endRefused(call)
	e := &ContractError{Rule: r, Op: call, Fix: fmt.Sprintf(format, args...), view: view{core: a.core}}
	e.look()
	panic(e)
}

// broken poisons the scheduler and panics: the scheduler found itself in an impossible state. The
// first violation is kept, because later ones may be its consequences.
func (a *audit) broken(call Op, r fiber.Rule, format string, args ...any) {
	if a.poison == nil {
		e := &InvariantError{Rule: r, Op: call, Found: fmt.Sprintf(format, args...), view: view{core: a.core}}
		e.seen = lookAt(a.core, a.core.Current()) // not the top of the chain: the chain may be what is broken
		a.poisonWith(e)
	}
	panic(a.poison)
}

// poisonWith makes every later call panic with e. Slow paths find an operation in progress that
// never ends, refusals and the gate find e in the table of prepared errors, and fast paths find no
// current fiber that they could work on. Reading calls (Inspect) still answer, for a report.
func (a *audit) poisonWith(e *InvariantError) {
	c := a.core
	a.poison = e
	c.op, c.fastUntil = opPoisoned, 0 // permanently: no operation begins any more
	for i := range c.faults {
		c.faults[i] = e
	}
	// Fast paths look only at the current fiber. The header wreck is neither Running nor the
	// placeholder for no fiber, so each of them leaves its fast path, or panics at the gate.
	c.cur = &c.wreck
}

// mustNotPanic is deferred around the host's hooks: one that panics has interrupted an operation
// halfway, so the scheduler cannot continue (rule HOOK-RETURNS). runtime.Goexit in a hook is not
// detected here: the operation never ends, and the next one reports the overlap.
func (a *audit) mustNotPanic(hook string) {
	if r := recover(); r != nil {
		a.broken(a.core.op, rule.HookReturns, "%s panicked: %v; hooks and Sources must not", hook, r)
	}
}

// Poisoned is the violation that ended this scheduler, or nil. It is safe to ask at any time on
// the owner's goroutine; every other call of a poisoned scheduler panics with that value.
func (f Inspect) Poisoned() *InvariantError { return f.core.poison }

// enter begins an operation on its slow path. It fails if the scheduler is poisoned, or if
// another operation is in progress: then a second goroutine uses the scheduler, or a Source or
// hook has called back into it. The check is a plain load and not a lock: it finds a second
// goroutine only while both are inside operations. The checked build finds more (takeOwnership).
// Every path out of the operation calls leave or refuses, and a refusal comes before the first
// change.
func (c *Core) enter(call Op) {
	if invariants.On {
		c.takeOwnership(call)
	}
	if c.op != op.None {
		c.reportOverlap(call)
	}
	c.op, c.fastUntil = call, 0
	if invariants.On {
		c.entered++
	}
}

// reportOverlap handles an operation that begins while op is set. It returns only if that was the
// mark of an observer: the transitions that fast paths made without a report are reported now, and
// the operation has begun. The error has no view: the scheduler is in the middle of something.
func (c *Core) reportOverlap(call Op) {
	if c.op == opWatched { // none is in progress; the scheduler has an observer
		c.op = call // before catchUp, whose calls must not begin another
		c.observer.catchUp()
		return
	}
	if c.poison != nil {
		panic(c.poison)
	}
	refuseOneOwner(call, "%v was called inside %v: one goroutine owns a scheduler (use its Inbox from others), and Sources and hooks never call it, nor panic", call, c.op)
}

// leave ends what enter began. The checked build verifies before op is reset, so a violation names
// the operation that made it.
func (c *Core) leave() {
	c.settled()
	c.op, c.fastUntil = c.restOp, c.restUntil
	if invariants.On {
		c.dropOwnership()
	}
}
