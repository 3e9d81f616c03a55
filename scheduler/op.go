package scheduler

// Op names a transition or a call, for errors and histories.
type Op uint8

// The transitions of docs/design.md#transitions in its order, then the calls that change no state.
const (
	OpNone Op = iota
	OpSpawn
	OpNext
	OpYield
	OpArm
	OpDisarm
	OpBlock
	OpPark // a caller parks on its blocked callee
	OpWake
	OpDeliver
	OpExpire
	OpCancel
	OpKill
	OpExit
	OpReap
	OpAcquire
	OpRelease
	OpClaim
	OpSubmit
	OpComplete
	OpMask
	OpUnmask
	OpPanic
	OpRecover
	OpPoll
	OpIdle
	OpFinish
	OpOwn  // own or disown, link or unlink
	OpPump // pin, unpin or condemn a native call that nests
	OpNote // SetName, SetMain, Cell, SetAlarm, ReportUnobserved: no fiber is touched by it
	OpLend // lend a slice to another goroutine, or take it back
	OpMove // take a fiber out to another scheduler, or bring one in
	lastOp
)

// opPoisoned is the operation that never ends, of a poisoned scheduler. No edge has it.
const opPoisoned = Op(numOps)

// numOps is a power of two, so that an edge yields its operation by a mask.
const numOps = 32

const _ = uint8(numOps - lastOp) // they fit

var opNames = [numOps]string{"nothing", "Spawn", "ScheduleNext", "YieldCurrent", "Arm", "Disarm",
	"Block", "park", "Wake", "Deliver", "expire", "Cancel", "Kill", "Exit", "reap",
	"AcquireTrampoline", "ReleaseTrampoline", "Claim", "Submit", "Complete", "Mask", "Unmask",
	"BeginPanic", "Recover", "Poll", "Idle", "Finish", "Own", "Pump", "note", "Lend", "Move"}

// String is the name of the method, or lower case for an internal step.
func (o Op) String() string {
	if o < lastOp {
		return opNames[o]
	}
	return "invalid op"
}

// edge is one legal change of scheduling state. It packs, in the layout of a header's
// word so that the gate needs no conversion: the state it needs (bits 0–1), what to
// flip to get the state it leaves (the top two bits), the operation (from bit 2). The
// constants below are all edges there are.
type edge = word

const (
	flipShift = 30
	opShift   = 2

	spawned  = word(OpSpawn)<<opShift | (dead^runnable)<<flipShift | dead
	mounted  = word(OpNext)<<opShift | (runnable^running)<<flipShift | runnable
	yielded  = word(OpYield)<<opShift | (running^runnable)<<flipShift | running
	parked   = word(OpBlock)<<opShift | (running^blocked)<<flipShift | running
	requeued = word(OpBlock)<<opShift | (running^runnable)<<flipShift | running
	stacked  = word(OpPark)<<opShift | (running^blocked)<<flipShift | running
	woken    = word(OpWake)<<opShift | (blocked^runnable)<<flipShift | blocked
	carried  = word(OpWake)<<opShift | (blocked^running)<<flipShift | blocked
	killed   = word(OpKill)<<opShift | (blocked^dead)<<flipShift | blocked
	exited   = word(OpExit)<<opShift | (running^dead)<<flipShift | running
	reaped   = word(OpReap)<<opShift | (runnable^dead)<<flipShift | runnable
	acquired = word(OpAcquire)<<opShift | (dead^running)<<flipShift | dead
	released = word(OpRelease)<<opShift | (running^dead)<<flipShift | running
	movedOut = word(OpMove)<<opShift | (runnable^dead)<<flipShift | runnable
	movedIn  = word(OpMove)<<opShift | (dead^runnable)<<flipShift | dead
)
