package scheduler

import "github.com/selvage-dev/selvage/internal/op"

// Op names a transition or a call, for errors, histories and observers. It is comparable; its
// String is the name of the method, such as "ScheduleNext", or lower case for an internal
// step, such as "expire".
type Op = op.Op

// opPoisoned is the operation that never ends, of a poisoned scheduler. No edge has it.
const opPoisoned = Op(op.Limit)

// edge is one legal change of scheduling state. It packs, in the layout of a header's
// word so that the gate needs no conversion: the state it needs (bits 0–1), what to
// flip to get the state it leaves (the top two bits), the operation (from bit 2). The
// constants below are all edges there are.
type edge = word

const (
	flipShift = 30
	opShift   = 2

	spawned  = word(op.Spawn)<<opShift | (dead^runnable)<<flipShift | dead
	mounted  = word(op.Next)<<opShift | (runnable^running)<<flipShift | runnable
	yielded  = word(op.Yield)<<opShift | (running^runnable)<<flipShift | running
	parked   = word(op.Block)<<opShift | (running^blocked)<<flipShift | running
	requeued = word(op.Block)<<opShift | (running^runnable)<<flipShift | running
	// A caller parks with its callee (parked). A trampoline that is woken, and those below
	// it, are Running again (carried); only the root enters the ready queue (I4).
	woken    = word(op.Wake)<<opShift | (blocked^runnable)<<flipShift | blocked
	carried  = word(op.Wake)<<opShift | (blocked^running)<<flipShift | blocked
	killed   = word(op.Kill)<<opShift | (blocked^dead)<<flipShift | blocked
	exited   = word(op.Exit)<<opShift | (running^dead)<<flipShift | running
	reaped   = word(op.Reap)<<opShift | (runnable^dead)<<flipShift | runnable
	acquired = word(op.Acquire)<<opShift | (dead^running)<<flipShift | dead
	released = word(op.Release)<<opShift | (running^dead)<<flipShift | running
	movedOut = word(op.Move)<<opShift | (runnable^dead)<<flipShift | runnable
	movedIn  = word(op.Move)<<opShift | (dead^runnable)<<flipShift | dead
)

// numFaults is the size of the table of prepared errors. Its index is the low bits of a
// fiber's word, which are its state and whether a wait is armed, with the operation in the
// bits between. The gate adds the state its edge starts from. The states Runnable and Blocked
// occur only where a fiber is not in the state its place says, and no caller can cause that:
// those entries are violations of an invariant.
const numFaults = 1 << 9

// The table is large enough for the largest index: otherwise this constant is negative and does
// not compile.
const _ = uint(numFaults - (armed | latched | (op.Limit-1)<<opShift | stateMask) - 1)
