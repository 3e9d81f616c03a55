package spec

import "github.com/selvage-dev/selvage/spec/graph"

// Bug is a deliberate mistake in the machine. The checks are only worth something if
// they find every one; scheduler.pml has the same mistakes under the same numbers.
type Bug uint8

const (
	// NoBug is the machine itself.
	NoBug Bug = iota
	// QueuesTwice: Cancel of a Runnable fiber puts it into the ready queue again.
	QueuesTwice
	// KeepsCurrent: a root that blocks stays current.
	KeepsCurrent
	// WakesAnything: Wake by ID accepts a Runnable fiber.
	WakesAnything
	// QueuesTrampoline: waking a parked trampoline puts it, not its root, into the
	// ready queue.
	QueuesTrampoline
	// IgnoresWait: a ticket of an older wait ends the current one.
	IgnoresWait
	// IgnoresLife: the death of a fiber does not end its generation.
	IgnoresLife
	// TrampolineDoesIO: a trampoline may wait for a token.
	TrampolineDoesIO
	// KeepsRegistration: an IO wait that ends otherwise than by its completion stays in
	// the waiter map.
	KeepsRegistration
	// LosesToken: the token of a dead owner is free although its operation is in flight.
	LosesToken
	// CallsArmed: a trampoline may be acquired while a wait is armed.
	CallsArmed
	// DropsLatch: a delivery to a context that has not blocked yet is lost.
	DropsLatch
	// DropsEarly: a completion that no fiber awaits yet is lost.
	DropsEarly
	// TakesNewest: the ready queue is a stack.
	TakesNewest
	// SleepsThroughCancel: Cancel of a blocked fiber only makes a note of it.
	SleepsThroughCancel
	// SleepsThroughKill: Kill of a blocked fiber with frames only makes a note of it.
	SleepsThroughKill
	// BlocksOverLatch: Block forgets that the wait has ended already.
	BlocksOverLatch
	// WakesHalfChain: waking a parked chain leaves its callers blocked.
	WakesHalfChain
	// YieldsArmed: Yield is allowed while a wait is armed.
	YieldsArmed
	// KeepsDeadline: a wait that has ended keeps its deadline.
	KeepsDeadline
	// DeliversToTimer: a delivery ends a Timer wait.
	DeliversToTimer
	// ExpiresInSilence: a deadline that has come ends no wait.
	ExpiresInSilence
	// TakesLatest: of two deadlines the later one ends its wait.
	TakesLatest
	// MasksKill: Kill of a blocked fiber that masks cancellation only makes a note of it.
	MasksKill
	// IgnoresMask: Cancel ends a wait although cancellation is masked.
	IgnoresMask
	// TellsTwice: Interrupted does not remember that it has reported the cancel.
	TellsTwice
	// KeepsGrace: the grace period of a fiber outlives it.
	KeepsGrace
	// EndlessGrace: the end of a grace period kills no fiber.
	EndlessGrace
	// LosesCurrent: a pump that ends leaves no fiber current.
	LosesCurrent
	// SwallowsEnd: a fiber that ends under a pump does not.
	SwallowsEnd
	// MissesInversion: a pump that lies above a call which may go on waits without end.
	MissesInversion
	// CountsOnePool: a pump gives up although an operation is awaited.
	CountsOnePool
	// KeepsPin: a pin outlives its pump.
	KeepsPin
	// CallsItDeadlock: a stack inversion is reported as a deadlock.
	CallsItDeadlock
	// FailsOutermost: of the pinned calls the wait of the outermost is ended.
	FailsOutermost
	// QueuesPinned: waking a pinned call enqueues its root.
	QueuesPinned
	// YieldsNested: a fiber that nests yields in a native call.
	YieldsNested
	// ParksNested: the callers of a call that is pinned are blocked too.
	ParksNested
	// Wraps: a slot is used again after its last generation.
	Wraps
	// MovesTied: who owns a lock moves.
	MovesTied
	// MovesUser: a fiber with an operation moves.
	MovesUser
	// MovesDoomed: a fiber that must unwind moves.
	MovesDoomed
	// MovesCancelled: a cancelled fiber moves.
	MovesCancelled
	// MovesCaller: a fiber in a native call moves.
	MovesCaller
	// KeepsMoved: the tickets of a fiber that has moved out pass for those of its slot's next fiber.
	KeepsMoved
	// QueuesMoved: a fiber that has moved out stays in the ready queue.
	QueuesMoved
	// BringsInFront: who moves in goes to the front of the ready queue.
	BringsInFront
	// ForgetsOutside: a verdict does not count waits that end from outside.
	ForgetsOutside
	// KeepsOutside: a wait from outside counts when it has ended.
	KeepsOutside
	// LendsArmed: a fiber is lent while a wait is armed.
	LendsArmed
	// KeepsLender: a lent fiber stays current.
	KeepsLender
	// ForgetsLent: a verdict does not count slices that workers run.
	ForgetsLent
	// KillsLent: a kill does not wait for the end of the slice that a worker runs.
	KillsLent
	// LosesRecalled: a recalled fiber is not current.
	LosesRecalled
	// JumpsLast: a fiber spawned at the front of the ready queue goes to its back.
	JumpsLast
	// ForgetsPromise: a verdict does not count what was promised for no wait in particular.
	ForgetsPromise
	// KeepsPromise: a promise that was taken back counts.
	KeepsPromise
	// ForgetsVerdict: a run in which a verdict has failed a pinned call ends as if none had.
	ForgetsVerdict
	// KeepsVerdict: a run ends with a verdict of the run before it.
	KeepsVerdict
	// QueuesHeld: a held fiber stays in the ready queue.
	QueuesHeld
	// HoldsDoomed: a fiber that must unwind is held.
	HoldsDoomed
	// HoldsThroughKill: Kill of a held fiber only makes a note of it.
	HoldsThroughKill
	// LosesResumed: a fiber that is resumed does not return to the ready queue.
	LosesResumed
	// ResumesInFront: it returns to the front of the ready queue.
	ResumesInFront
	// MovesHeld: a held fiber moves.
	MovesHeld
	// ForgetsHeld: a verdict does not count held fibers.
	ForgetsHeld
	// KeepsPicked: the fiber that was picked stays in the ready queue.
	KeepsPicked
	// PicksHead: the head of the ready queue is mounted, whichever fiber was picked.
	PicksHead

	lastBug = PicksHead
)

var bugNames = [...]string{"no bug", "queues twice", "keeps current", "wakes anything", "queues trampoline",
	"ignores wait", "ignores life", "trampoline does I/O", "keeps registration", "loses token", "calls armed",
	"drops latch", "drops early", "takes newest", "sleeps through cancel", "sleeps through kill",
	"blocks over latch", "wakes half chain", "yields armed",
	"keeps deadline", "delivers to timer", "expires in silence", "takes latest",
	"masks kill", "ignores mask", "tells twice",
	"keeps grace", "endless grace",
	"loses current", "swallows end", "misses inversion", "counts one pool", "keeps pin", "calls it deadlock",
	"fails outermost", "queues pinned", "yields nested", "parks nested", "wraps",
	"moves tied", "moves user", "moves doomed", "moves cancelled", "moves caller", "keeps moved", "queues moved",
	"brings in front", "forgets outside", "keeps outside", "lends armed", "keeps lender", "forgets lent",
	"kills lent", "loses recalled", "jumps last", "forgets promise", "keeps promise",
	"forgets verdict", "keeps verdict",
	"queues held", "holds doomed", "holds through kill", "loses resumed", "resumes in front", "moves held", "forgets held",
	"keeps picked", "picks head"}

// String is the name in words.
func (b Bug) String() string { return bugNames[b] }

// Bugs lists every mistake, without NoBug.
func Bugs() []Bug { return graph.Mistakes(lastBug) }
