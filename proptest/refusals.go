package proptest

import (
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// Refusal says how the scheduler refuses an action that the model does not enable. It
// is by one of Rule, Err, Verdict and Answers, or NoCall says why nothing can be tried.
type Refusal struct {
	Kind spec.Kind
	When string
	// Rule and Op are those of the *scheduler.ContractError: the host made a mistake.
	Rule string
	Op   scheduler.Op
	// Err is the error returned: a limit, or a race that must be expected.
	Err error
	// Verdict: the error returned is the Fatal panic in force.
	Verdict bool
	// Answers are the verdicts one of which says no.
	Answers []spec.Answer
	// NoCall: no call of the scheduler means this action, and why.
	NoCall string

	applies func(v view) bool
}

// view is what decides how an action is refused.
type view struct {
	bounds spec.Config
	*spec.State
	action spec.Action
}

// RefusalOf is the first of the Refusals that speaks for the action, which s must not
// enable; false if none does.
func RefusalOf(table []Refusal, c spec.Config, s *spec.State, a spec.Action) (row int, ok bool) {
	v := view{c, s, a}
	for i := range table {
		if table[i].Kind == a.Kind && table[i].applies(v) {
			return i, true
		}
	}
	return 0, false
}

func always(view) bool         { return true }
func noFiberRuns(v view) bool  { return v.Current == spec.NoSlot }
func someoneRuns(v view) bool  { return v.Current != spec.NoSlot }
func noGrace(v view) bool      { return v.Grace == spec.NoSlot }
func someoneReady(v view) bool { return v.ReadyLen > 0 }
func isArmed(v view) bool      { return v.Contexts[v.Exec()].Latch != spec.Unarmed }
func isUnarmed(v view) bool    { return v.Contexts[v.Exec()].Latch == spec.Unarmed }
func inCall(v view) bool       { return v.Exec().IsTrampoline() }
func notInCall(v view) bool    { return !v.Exec().IsTrampoline() }
func isDoomed(v view) bool     { return v.Fibers[v.Current].Doomed }
func isFatal(v view) bool      { return v.Fibers[v.Current].Fatal }
func nests(v view) bool        { return v.Fibers[v.Current].Nests }
func inNested(v view) bool     { return nests(v) && inCall(v) }
func nonePinned(v view) bool   { return len(v.Pins()) == 0 }
func tooDeep(v view) bool      { return nests(v) && len(v.Pins()) >= v.bounds.Pins }
func namesDead(v view) bool    { return v.Contexts[v.action.A].Status == spec.Dead }
func namesDoomed(v view) bool  { return v.Fibers[v.action.A].Doomed }
func noToken(v view) bool      { _, holds := v.TokenOf(v.Current); return !holds }

func allAlive(v view) bool {
	return !anyBelow(v.bounds.Fibers, func(f int) bool { return v.isFree(spec.Regular(f)) })
}

func allCalled(v view) bool {
	return !anyBelow(v.bounds.Trampolines, func(t int) bool { return v.isFree(spec.Trampoline(t)) })
}

func (v view) isFree(x spec.Slot) bool {
	return v.Contexts[x].Status == spec.Dead && !v.bounds.Retired(v.State, x)
}

func allSubmitted(v view) bool {
	return !anyBelow(v.bounds.Tokens, func(k int) bool { return v.Tokens[k].State == spec.Free })
}

// anyBelow reports whether something holds for any of the numbers below n.
func anyBelow(n int, holds func(int) bool) bool {
	for i := range n {
		if holds(i) {
			return true
		}
	}
	return false
}

// Refusals is the table, the more special rows of a kind first.
func Refusals() []Refusal {
	const (
		chosen = "the scheduler chooses a free slot or token itself"
		bounds = "a bound of the model, not of the scheduler"
	)
	return []Refusal{
		{Kind: spec.Spawn, When: "every slot that is not retired is alive", applies: allAlive, Err: scheduler.ErrTooManyFibers},
		{Kind: spec.Spawn, When: "this one is alive", applies: always, NoCall: chosen},

		{Kind: spec.Next, When: "a fiber runs", applies: someoneRuns, Rule: "I2", Op: op.Next},
		{Kind: spec.Next, When: "no fiber is ready", applies: always, Answers: []spec.Answer{spec.AnswerRefused}},

		{Kind: spec.Yield, When: "no fiber runs", applies: noFiberRuns, Rule: "I2", Op: op.Yield},
		{Kind: spec.Yield, When: "a call executes that nests", applies: inNested, Rule: "NESTED-FRAMES", Op: op.Yield},
		{Kind: spec.Yield, When: "a wait is armed", applies: isArmed, Rule: "I13", Op: op.Yield},

		{Kind: spec.YieldPinned, When: "no fiber runs", applies: noFiberRuns, Rule: "I2", Op: op.Pump},
		{Kind: spec.YieldPinned, When: "a wait is armed", applies: isArmed, Rule: "I2", Op: op.Pump},
		{Kind: spec.YieldPinned, When: "no call executes that nests", applies: always, Rule: "I2", Op: op.Pump},
		{Kind: spec.Unpin, When: "a fiber runs", applies: someoneRuns, Rule: "I2", Op: op.Pump},
		{Kind: spec.Unpin, When: "none is pinned", applies: nonePinned, Rule: "I2", Op: op.Pump},
		{Kind: spec.Unpin, When: "the pinned call waits", applies: always, Rule: "I2", Op: op.Pump},
		{Kind: spec.FailPinned, When: "a fiber runs", applies: someoneRuns, Rule: "I2", Op: op.Pump},
		{Kind: spec.FailPinned, When: "none is pinned", applies: nonePinned, Rule: "CALL-ORDER", Op: op.Pump},
		{Kind: spec.FailPinned, When: "something may still wake the pinned call", applies: always, Rule: "CALL-ORDER", Op: op.Pump},

		{Kind: spec.ArmQueue, When: "no fiber runs", applies: noFiberRuns, Rule: "I13", Op: op.Arm},
		{Kind: spec.ArmQueue, When: "a wait is armed", applies: isArmed, Rule: "I13", Op: op.Arm},
		{Kind: spec.ArmQueue, When: "its tickets or its deadline are in use", applies: always, NoCall: bounds},

		{Kind: spec.ArmIO, When: "no fiber runs", applies: noFiberRuns, Rule: "I13", Op: op.Arm},
		{Kind: spec.ArmIO, When: "a wait is armed", applies: isArmed, Rule: "I13", Op: op.Arm},
		{Kind: spec.ArmIO, When: "a trampoline executes", applies: inCall, Rule: "I8", Op: op.Arm},
		{Kind: spec.ArmIO, When: "the token is not its own", applies: noToken, Rule: "I8", Op: op.Arm},
		{Kind: spec.ArmIO, When: "its tickets or its deadline are in use", applies: always, NoCall: bounds},

		{Kind: spec.ArmTimer, When: "no fiber runs", applies: noFiberRuns, Rule: "I13", Op: op.Arm},
		{Kind: spec.ArmTimer, When: "a wait is armed", applies: isArmed, Rule: "I13", Op: op.Arm},
		{Kind: spec.ArmTimer, When: "its tickets or its deadline are in use", applies: always, NoCall: bounds},

		{Kind: spec.ArmOutside, When: "no fiber runs", applies: noFiberRuns, Rule: "I13", Op: op.Arm},
		{Kind: spec.ArmOutside, When: "a wait is armed", applies: isArmed, Rule: "I13", Op: op.Arm},
		{Kind: spec.ArmOutside, When: "its tickets are in use", applies: always, NoCall: bounds},

		{Kind: spec.Promise, When: "something is promised", applies: always, NoCall: bounds},
		{Kind: spec.TakeBack, When: "nothing is promised", applies: always, Answers: []spec.Answer{spec.AnswerRefused}},

		{Kind: spec.Mask, When: "no fiber runs", applies: noFiberRuns, Rule: "EXECUTING", Op: op.Mask},
		{Kind: spec.Mask, When: "it is masked as deep as can be", applies: always, NoCall: bounds},
		{Kind: spec.Unmask, When: "no fiber runs", applies: noFiberRuns, Rule: "CALL-ORDER", Op: op.Unmask},
		{Kind: spec.Unmask, When: "it is not masked", applies: always, Rule: "CALL-ORDER", Op: op.Unmask},
		{Kind: spec.Interrupted, When: "no fiber runs", applies: always, Answers: []spec.Answer{spec.AnswerRefused}},

		{Kind: spec.Expire, When: "a fiber runs", applies: someoneRuns, Rule: "I2", Op: op.Poll},
		{Kind: spec.Expire, When: "a fiber is ready", applies: someoneReady, NoCall: "Poll begins the next batch, the first part of a Next"},
		{Kind: spec.Expire, When: "no deadline is live, no grace period runs", applies: always, Answers: []spec.Answer{spec.AnswerRefused}},

		{Kind: spec.Disarm, When: "no fiber runs", applies: noFiberRuns, Rule: "I13", Op: op.Disarm},
		{Kind: spec.Disarm, When: "nothing is armed", applies: isUnarmed, Rule: "I13", Op: op.Disarm},

		{Kind: spec.Block, When: "no fiber runs", applies: noFiberRuns, Rule: "I2", Op: op.Block},
		{Kind: spec.Block, When: "nothing is armed", applies: isUnarmed, Rule: "I13", Op: op.Block},

		{Kind: spec.WakeID, When: "it is not blocked, or on its own callee", applies: always, Rule: "I3", Op: op.Wake},

		{Kind: spec.Deliver, When: "the ticket was used", applies: always, Answers: []spec.Answer{spec.AnswerStale, spec.AnswerGone}},

		{Kind: spec.IoSubmit, When: "no fiber runs", applies: noFiberRuns, Rule: "I8", Op: op.Submit},
		{Kind: spec.IoSubmit, When: "it is doomed", applies: isDoomed, Err: scheduler.ErrKilled},
		{Kind: spec.IoSubmit, When: "a Fatal panic is in force", applies: isFatal, Verdict: true},
		{Kind: spec.IoSubmit, When: "every token is in use", applies: allSubmitted, Err: ioqueue.ErrFull},
		{Kind: spec.IoSubmit, When: "it holds a token", applies: func(v view) bool { return !noToken(v) }, NoCall: bounds},
		{Kind: spec.IoSubmit, When: "this token is in use", applies: always, NoCall: chosen},

		{Kind: spec.IoDone, When: "the operation is over", applies: always, Answers: []spec.Answer{spec.AnswerRefused}},

		{Kind: spec.Cancel, When: "it is dead", applies: noGrace, Err: scheduler.ErrGone},
		{Kind: spec.Cancel, When: "another's grace period runs", applies: always, NoCall: bounds},
		{Kind: spec.Kill, When: "it is dead", applies: always, Err: scheduler.ErrGone},

		{Kind: spec.Exit, When: "no fiber runs", applies: noFiberRuns, Rule: "I2", Op: op.Exit},
		{Kind: spec.Exit, When: "a call executes that nests", applies: inNested, Rule: "I2", Op: op.Exit},
		{Kind: spec.Exit, When: "a wait is armed", applies: isArmed, Rule: "I13", Op: op.Exit},
		{Kind: spec.Exit, When: "a trampoline executes", applies: inCall, Rule: "I2", Op: op.Exit},

		{Kind: spec.Acquire, When: "no fiber runs", applies: noFiberRuns, Rule: "I13", Op: op.Acquire},
		{Kind: spec.Acquire, When: "a wait is armed", applies: isArmed, Rule: "I13", Op: op.Acquire},
		{Kind: spec.Acquire, When: "it is doomed", applies: isDoomed, Err: scheduler.ErrKilled},
		{Kind: spec.Acquire, When: "a Fatal panic is in force", applies: isFatal, Verdict: true},
		{Kind: spec.Acquire, When: "as many calls are pinned as may be", applies: tooDeep, Err: scheduler.ErrTooDeep},
		{Kind: spec.Acquire, When: "every trampoline that is not retired is in use", applies: allCalled, Err: scheduler.ErrTooManyTrampolines},
		{Kind: spec.Acquire, When: "this trampoline is in use", applies: always, NoCall: chosen},

		{Kind: spec.Release, When: "no fiber runs", applies: noFiberRuns, Rule: "I4", Op: op.Release},
		{Kind: spec.Release, When: "a call that nests has a wait armed", applies: inNested, Rule: "I4", Op: op.Release},
		{Kind: spec.Release, When: "a wait is armed", applies: isArmed, Rule: "I13", Op: op.Release},
		{Kind: spec.Release, When: "a regular fiber executes", applies: notInCall, Rule: "I4", Op: op.Release},

		{Kind: spec.MoveOut, When: "it is dead", applies: namesDead, Err: scheduler.ErrGone},
		{Kind: spec.MoveOut, When: "it is not ready, or something ties it", applies: always, Err: scheduler.ErrImmovable},
		{Kind: spec.MoveIn, When: "every slot that is not retired is alive", applies: allAlive, Err: scheduler.ErrTooManyFibers},
		{Kind: spec.MoveIn, When: "this one is alive", applies: always, NoCall: chosen},
		{Kind: spec.Tie, When: "no fiber runs", applies: noFiberRuns, Rule: "EXECUTING", Op: op.Own},
		{Kind: spec.Tie, When: "it may not move, or is tied already", applies: always, NoCall: bounds},
		{Kind: spec.Untie, When: "no fiber runs", applies: noFiberRuns, Rule: "EXECUTING", Op: op.Own},
		{Kind: spec.Untie, When: "nothing ties it", applies: always, NoCall: "a lock that it does not own needs no release"},

		{Kind: spec.Lend, When: "no fiber runs", applies: noFiberRuns, Rule: "I2", Op: op.Lend},
		{Kind: spec.Lend, When: "a wait is armed", applies: isArmed, Rule: "I2", Op: op.Lend},
		{Kind: spec.Lend, When: "it nests", applies: always, Rule: "I2", Op: op.Lend},
		{Kind: spec.Recall, When: "a fiber runs", applies: someoneRuns, Rule: "I2", Op: op.Lend},
		{Kind: spec.Recall, When: "it is not lent", applies: always, Rule: "I2", Op: op.Lend},

		{Kind: spec.Hold, When: "a fiber runs", applies: someoneRuns, Rule: "I2", Op: op.Poll},
		{Kind: spec.Hold, When: "it is not the head of the ready queue, or must unwind", applies: always, NoCall: "Poll holds no other fiber"},
		{Kind: spec.Resume, When: "it is dead", applies: namesDead, Err: scheduler.ErrGone},
		{Kind: spec.Resume, When: "it was killed while it was held", applies: namesDoomed, NoCall: "it is paused, and that does not matter any more"},
		{Kind: spec.Resume, When: "it is not held", applies: always, Answers: []spec.Answer{spec.AnswerRefused}},

		{Kind: spec.Pick, When: "a fiber runs", applies: someoneRuns, Rule: "I2", Op: op.Next},
		{Kind: spec.Pick, When: "it is not in the ready queue, or is to be reaped", applies: always, NoCall: "Config.Choose has no such option"},

		{Kind: spec.EndRun, When: "a fiber runs", applies: someoneRuns, Rule: "I2", Op: op.Idle},
		{Kind: spec.EndRun, When: "a fiber is alive, or something is promised", applies: always, Answers: []spec.Answer{spec.AnswerRefused}},
	}
}
