package spec

// Answer is what an action tells its caller, where the caller must know. It is part
// of the graph: both twins give the same answer on every edge.
type Answer uint8

const (
	// NoAnswer: the action has nothing to tell.
	NoAnswer Answer = iota
	// AnswerRefused: the action is not enabled; the state is as it was.
	AnswerRefused

	// AnswerParked (Block): the context is blocked; leave the CPU.
	AnswerParked
	// AnswerRequeued (Block): the wait had ended; the root is in the ready queue with its
	// result; leave the CPU.
	AnswerRequeued
	// AnswerResumed (Block): the wait had ended; the trampoline goes on.
	AnswerResumed
	// AnswerCancelled (Block): the wait was not begun; the context goes on and unwinds.
	AnswerCancelled
	// AnswerKilled (Block): the wait was not begun; the context goes on and unwinds.
	AnswerKilled

	// AnswerWoken (Deliver, IoDone): the waiter will run again.
	AnswerWoken
	// AnswerLatched (Deliver, IoDone): the waiter had not blocked yet and cannot lose it.
	AnswerLatched
	// AnswerStale (Deliver): the ticket was spent, or of an older wait of a living fiber.
	AnswerStale
	// AnswerGone (Deliver): the fiber that armed the ticket is dead.
	AnswerGone
	// AnswerWrongSource (Deliver): the current wait is for a token; only its completion,
	// not a delivery, can end it.
	AnswerWrongSource

	// AnswerEarly (IoDone): no fiber awaits the token yet; the completion is kept.
	AnswerEarly
	// AnswerLate (IoDone): the token was abandoned; the completion is counted and dropped.
	AnswerLate

	// AnswerPinned (Block): the native call is blocked, its callers are not; pump.
	AnswerPinned
	// AnswerDeadlock (FailPinned, EndRun): no pinned call could go on.
	AnswerDeadlock
	// AnswerStackInversion (FailPinned, EndRun): a call could go on, and is buried under this one.
	AnswerStackInversion
)

var answerNames = [...]string{"-", "Refused", "Parked", "Requeued", "Resumed", "Cancelled", "Killed",
	"Woken", "Latched", "Stale", "Gone", "WrongSource", "Early", "Late",
	"Pinned", "Deadlock", "StackInversion"}

// String is the name in scheduler.pml, "-" for NoAnswer.
func (a Answer) String() string { return answerNames[a] }
