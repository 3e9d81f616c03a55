package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// fastPath is a mask with the reason for every flag, and the operations that begin with it.
type fastPath struct {
	name        string
	mask, value word // the fast path wants word&mask == value
	facts       []fact
	operations  map[string]fastOperation
}

// fact tells why some bits are in or out of a mask.
type fact struct {
	is   place
	bits word
	why  string
}

// place says where bits are with respect to a mask.
type place uint8

const (
	in       place = iota + 1 // in the mask
	out                       // out of it: the fast path is right whether they are set or not
	never                     // out of it: never set where the rest of the mask agrees
	anywhere                  // out of it: set on contexts that this operation is not tested with
)

// fastOperation is one operation on a fast path.
type fastOperation struct {
	before   func(*flagged)            // what precedes the setting of the flag
	ready    func(*flagged) func() any // what follows it; returns the operation
	onlyFast bool                      // the slow path is for other fibers
}

// Facts that several masks share.
var (
	gate         = fact{in, gateMask, "the operation starts from one scheduling state, with no wait armed"}
	notCurrent   = fact{never, onCallee | tramp | lent, "is not set: the current root is Running, regular and not lent"}
	noWait       = fact{never, external | timed, "is set during a wait only, which the gate bits exclude"}
	doomedOnly   = fact{never, reapable, "is set only with killPending, which is in the mask"}
	keptOnly     = fact{never, holds, "is set only with kept, which is in the mask"}
	lastWait     = fact{out, kindMask | codeMask, "is of the last wait, and the next one overwrites it"}
	ofTheLast    = fact{out, kindMask | codeMask, "is of the last wait, and is left as it is"}
	aboutFiber   = fact{out, frames | nests | movable | operates, "describes the fiber and not its wait"}
	inRecord     = fact{out, hasExt, "tells where the source or token is stored, and the registry looks there"}
	mayArm       = fact{out, interrupts | reapable, "does not forbid to arm: Block interrupts the wait"}
	mustUnwind   = fact{in, interrupts, "the wait must be interrupted"}
	native       = fact{in, chained, "the executing context is a trampoline, not the root"}
	uncollected  = fact{in, owed, "what the last wait left at its source must be released"}
	keptSource   = fact{in, kept, "the kept source must be released"}
	needsRecord  = fact{never, interrupts | reapable | chained, "is set only with an extension record, which the mask excludes"}
	claimedFirst = fact{never, owed, "is never set with kept: Claim replaces one with the other"}
	unwinding    = fact{never, interrupts | reapable, "is not set: a fiber that has to unwind does not block"}
	endedWait    = fact{never, owed, "is set when a wait ends and cleared when the next begins"}
	replaced     = fact{never, kept | holds, "is cleared when a wait begins"}
	inChain      = fact{never, chained, "is not set: the root of a chain waits for its callee"}
	notTheSlot   = fact{never, tramp | lent, "is not set: the fiber is Blocked, in a regular slot"}
)

// fastPaths are all masks of fastpath.go, and gateMask.
var fastPaths = []fastPath{
	{"gateMask", gateMask, running, []fact{
		gate, ofTheLast, aboutFiber,
		{out, interrupts | reapable | hasExt | chained | owed | kept | holds, "is no scheduling state: the operations look at it themselves"},
		{anywhere, external | onCallee | timed | tramp | lent, "is no scheduling state"},
	}, map[string]fastOperation{"YieldCurrent": {
		ready: func(f *flagged) func() any {
			return func() any { f.YieldCurrent(); return f.Inspect().State(f.id.ID()) }
		}, onlyFast: true,
	}}},

	{"armMask", armMask, running, []fact{
		gate, uncollected, keptSource, native,
		lastWait, mayArm, aboutFiber, inRecord, keptOnly, noWait, notCurrent,
	}, map[string]fastOperation{"ArmForQueue": {
		ready: func(f *flagged) func() any { return func() any { return f.ArmForQueue() } },
	}}},

	{"armOnMask", armOnMask, running, []fact{
		gate, uncollected, native,
		{in, holds, "the owned source must be listed before another one is kept"},
		{out, kept, "is what ArmOn replaces itself"},
		lastWait, mayArm, aboutFiber, inRecord, noWait, notCurrent,
	}, map[string]fastOperation{"ArmOn": {
		ready: func(f *flagged) func() any {
			return func() any { t := f.ArmOn(f.lock); f.lock.park(t); return t }
		},
	}}},

	{"blockMask", blockMask, running | armed, []fact{
		gate, native, mustUnwind,
		{out, kindMask | external | timed, "describes the wait, and Block parks for every wait"},
		{never, codeMask, "is Pending until the wait has ended"},
		aboutFiber, inRecord, doomedOnly, endedWait, replaced, notCurrent,
	}, map[string]fastOperation{"Block": {
		ready: func(f *flagged) func() any {
			if !f.h.has(armed) {
				f.ArmForQueue()
			}
			return func() any { return f.Block() }
		}, onlyFast: true,
	}}},

	{"blockForMask", blockForMask, running, []fact{
		gate, uncollected, keptSource, native, mustUnwind,
		lastWait, aboutFiber, inRecord, doomedOnly, keptOnly, noWait, notCurrent,
	}, map[string]fastOperation{
		"BlockForQueue": {ready: func(f *flagged) func() any {
			return func() any { t, how := f.BlockForQueue(); return []any{t, how} }
		}},
		"BlockForIO": {ready: func(f *flagged) func() any {
			tok := f.submit()
			return func() any { return f.BlockForIO(tok) }
		}},
	}},

	{"blockOnMask", blockOnMask, running | kept, []fact{
		gate, uncollected, native, mustUnwind,
		{in, kept, "the fast path is for the source that the fiber has kept"},
		{in, holds, "the owned source must be listed before it is waited on"},
		lastWait, aboutFiber, inRecord, doomedOnly, noWait, notCurrent,
	}, map[string]fastOperation{"BlockOn": {
		before: func(f *flagged) { f.waitFor(f.id, f.lock) },
		ready: func(f *flagged) func() any {
			return func() any { t, how := f.BlockOn(f.lock); f.lock.park(t); return []any{t, how} }
		},
	}}},

	{"claimMask", claimMask, running, []fact{
		gate, native, ofTheLast, aboutFiber, noWait, notCurrent,
		{out, owed, "is what Claim replaces with kept"},
		{out, kept | holds, "is of an earlier Claim, and this one changes nothing"},
		{out, hasExt, "is tested together with what the record holds"},
		{out, interrupts | reapable, "does not forbid to collect a result"},
	}, map[string]fastOperation{"Claim": {
		ready: func(f *flagged) func() any {
			return func() any { t, r := f.Claim(); return []any{t, r} }
		},
	}}},

	{"exitMask", exitMask, running, []fact{
		gate, uncollected, keptSource,
		{in, chained, "a fiber under a native call cannot end"},
		{in, hasExt, "what the record holds must be released"},
		{in, operates, "operations must be abandoned"},
		{out, kindMask | codeMask | frames | nests | movable, "is cleared with the slot"},
		{never, interrupts | reapable, "is set only with an extension record, which the mask excludes"},
		keptOnly, noWait, notCurrent,
	}, map[string]fastOperation{"KillCurrent": {
		ready: func(f *flagged) func() any {
			return func() any { result, err := f.KillCurrent(); return []any{result, err} }
		},
	}}},

	{"acquireMask", acquireMask, running | hasExt, []fact{
		gate,
		{in, hasExt, "the record must exist: it names the top of the chain"},
		{in, killPending | fatal, "a fiber that has to unwind begins no call"},
		{in, nests, "the nesting limit must be checked"},
		{out, cancelPending, "does not forbid a call: the next Block is interrupted"},
		{out, chained, "is set already if this is a call inside a call"},
		{out, frames, "is noted in the record before it is set"},
		{out, owed | kept | holds, "is of the root, whose waits a call does not change"},
		{out, movable | operates, "describes the fiber, and a call does not change it"},
		ofTheLast, doomedOnly, noWait, notCurrent,
	}, map[string]fastOperation{"AcquireTrampoline": {
		ready: func(f *flagged) func() any {
			f.ReleaseTrampoline(f.call()) // makes the record
			return func() any { return f.call() }
		},
	}}},

	{"releaseMask", releaseMask, running | chained, []fact{
		gate,
		{in, chained, "there must be a call to release"},
		{in, killPending, "the fiber may become reapable"},
		{out, frames | hasExt, "is set on every root of a chain"},
		{out, cancelPending, "does not forbid the end of a call"},
		{out, owed | kept | holds, "is of the root, whose waits a call does not change"},
		{out, movable | operates, "describes the fiber, and a call does not change it"},
		{never, nests, "is not set: the root that nests has armed and latched set during its calls"},
		{never, fatal, "is not set: the call has a record then, which is tested beside the mask"},
		ofTheLast, doomedOnly, noWait, notCurrent,
	}, map[string]fastOperation{"ReleaseTrampoline": {
		ready: func(f *flagged) func() any {
			call := f.call()
			return func() any { f.ReleaseTrampoline(call); return nil }
		},
	}}},

	{"ownMask", ownMask, running | kept, []fact{
		gate,
		{in, kept, "the flag holds stands for the kept source"},
		{in, holds, "the flag stands for one lock only"},
		{in, hasExt, "the header's ref is the source only without a record"},
		ofTheLast, aboutFiber, needsRecord, claimedFirst, noWait, notCurrent,
	}, map[string]fastOperation{"Own": {
		before: func(f *flagged) { f.waitFor(f.id, f.lock); f.own(); f.Attachments().Disown(f.lock) },
		ready:  func(f *flagged) func() any { return func() any { f.own(); return nil } },
	}}},

	{"disownMask", disownMask, running | holds, []fact{
		gate,
		{in, holds, "the fast path clears this flag"},
		{in, hasExt, "the latest lock may be in the record"},
		{out, kept, "is set whenever holds is"},
		ofTheLast, aboutFiber, needsRecord, claimedFirst, noWait, notCurrent,
	}, map[string]fastOperation{"Disown": {
		before: func(f *flagged) { f.waitFor(f.id, f.lock); f.own() },
		ready:  func(f *flagged) func() any { return func() any { f.Attachments().Disown(f.lock); return nil } },
	}}},

	{"submitMask", submitMask, running, []fact{
		{in, stateMask, "there must be a current fiber"},
		{in, killPending | fatal, "a fiber that has to unwind begins no operation"},
		{out, armed | latched | kindMask | codeMask | external | timed, "is of a wait, and an operation may begin between Arm and Block"},
		{out, chained, "does not matter: the operation is the root's"},
		{out, cancelPending, "does not forbid an operation"},
		{out, hasExt | owed | kept | holds, "is left as it is: an operation is recorded in its queue"},
		aboutFiber, doomedOnly, notCurrent,
	}, map[string]fastOperation{"Submit": {
		ready: func(f *flagged) func() any { return func() any { return f.submit() } },
	}}},

	{"singleMask", singleMask, singleWait, []fact{
		{in, gateMask | onCallee, "the fiber must be Blocked by a ticket"},
		{in, kindMask, "a ticket ends a Queue wait only"},
		{in, codeMask, "the result is written over Pending, which is 0"},
		{in, external, "external waits are counted"},
		{in, timed, "the timer must be removed"},
		{in, hasExt, "the record may name several sources: waitsWithExt looks"},
		aboutFiber, unwinding, inChain, endedWait, replaced, notTheSlot,
	}, map[string]fastOperation{
		"Deliver": {ready: func(f *flagged) func() any {
			t, _ := f.BlockForQueue()
			return func() any { return f.Deliver(t, ok) }
		}},
		"Apply": {ready: func(f *flagged) func() any {
			f.lock.park(f.ArmOn(f.lock))
			f.Block()
			return func() any { return f.Apply(f.wakeup()) }
		}},
	}},

	{"plainIOMask", plainIOMask, plainIO, []fact{
		{in, gateMask, "the fiber must be Blocked"},
		{in, kindMask, "it must wait for an operation"},
		{in, codeMask, "the result is written over Pending, which is 0"},
		{in, external, "external waits are counted"},
		{in, timed, "the timer must be removed"},
		{in, owed, "what an earlier wait left would have to be released"},
		{never, onCallee, "is not set: only a regular fiber without native calls awaits a token"},
		inRecord, aboutFiber, unwinding, inChain, replaced, notTheSlot,
	}, map[string]fastOperation{"Complete": {
		ready: func(f *flagged) func() any {
			tok := f.submit()
			f.BlockForIO(tok)
			return func() any { return f.Ops().Complete(tok, ioqueue.Completion{}) }
		},
	}}},

	{"drawMask", drawMask, runnable, []fact{
		{in, stateMask, "only a Runnable fiber is mounted"},
		{in, reapable, "the fiber is dead when its turn comes"},
		{never, armed | latched | external | timed | onCallee, "is set during a wait only; the fiber is Runnable"},
		{never, tramp | lent, "is not set: neither a trampoline nor a lent fiber is in the ready queue"},
		{out, interrupts | chained, "does not keep the fiber from running: it unwinds itself"},
		{out, hasExt | owed | kept | holds, "is left as it is"},
		ofTheLast, aboutFiber,
	}, map[string]fastOperation{"ScheduleNext": {
		ready: func(f *flagged) func() any {
			f.YieldCurrent()
			f.Poll() // draws the batch
			return func() any { f.mount(f.id); return f.Current() == f.id.ID() }
		}, onlyFast: true,
	}}},
}

func (f *flagged) own() { f.Attachments().Own(fiber.OwnerHook(f.lock)) }
