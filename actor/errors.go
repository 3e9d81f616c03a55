package actor

import (
	"errors"
)

// Why a call was refused; nothing has changed then. A refused message counts as Rejected.
var (
	// ErrGone: the caller is an actor that has ended (or was restarted since).
	ErrGone = errors.New("actor: the actor that calls has ended")
	// ErrEnded: the system has ended; it takes no more commands.
	ErrEnded = errors.New("actor: the system has ended")
	// ErrQueueFull: Options.MaxQueue commands wait already.
	ErrQueueFull = errors.New("actor: the command queue is full; read outputs, or raise Options.MaxQueue")
	// ErrInboxFull: as many messages as Spec.Inbox allows wait for the receiver already.
	ErrInboxFull = errors.New("actor: the receiver's inbox is full")
	// ErrTooManyActors: Options.MaxActors are alive already.
	ErrTooManyActors = errors.New("actor: too many actors; raise Options.MaxActors or kill some")
)

// Why a message is a dead letter.
var (
	// ErrUnknown: no actor has the handle; it has ended, or never was.
	ErrUnknown = errors.New("actor: no such actor")
	// ErrDown: the receiver has failed and waits to be restarted.
	ErrDown = errors.New("actor: the receiver is down until it is restarted")
	// ErrDropped: a newer message has pushed it out of a full inbox (DropOldest).
	ErrDropped = errors.New("actor: pushed out of a full inbox")
	// ErrBlocked: a middleware has blocked the command.
	ErrBlocked = errors.New("actor: blocked by a middleware")
	// ErrUnread: the receiver ended before it took the message out of its inbox.
	ErrUnread = errors.New("actor: the receiver ended before it read the message")
)

// ErrParent is the cause of an actor's end when its parent has ended.
var ErrParent = errors.New("actor: its parent ended")

// ErrTooManyRestarts is the failure of an actor whose children failed more often than its
// Supervision allows. The error that has it also has the *DeathError of the last child.
var ErrTooManyRestarts = errors.New("actor: children failed again")

var (
	errSibling = errors.New("actor: a sibling failed")
	errSpec    = errors.New("actor: a Spec has either New or Start")
)

var errUnnamed = errors.New("actor: failed, without a cause")

// ErrIdle ends a reading of outputs: no command is left, and all actors and fibers wait.
// Dispatch a message and read on. If fibers wait for something other than messages, the
// error's text is the wait-for graph (as scheduler.Inspect.Report gives it).
var ErrIdle = errors.New("actor: idle; all actors wait for messages")
