package actor

import (
	"errors"
	"fmt"
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
	// ErrSpec: a Spec that has neither New nor Start, or both.
	ErrSpec = errors.New("actor: a Spec has either New or Start")
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

// Causes of ends that others bring with them.
var (
	// ErrParent: the parent has ended.
	ErrParent = errors.New("actor: its parent ended")
	// ErrSibling: a sibling has failed and all are restarted (AllForOne).
	ErrSibling = errors.New("actor: a sibling failed")
)

var errUnnamed = errors.New("actor: failed, and nobody said why")

// ErrIdle ends a reading of outputs: nothing is left to do and the actors that are alive
// wait; an *IdleError where fibers do. Dispatch something and read on.
var ErrIdle = errors.New("actor: idle; all actors wait for messages")

// PanicError is the failure of an actor whose code panicked.
type PanicError struct {
	Value any
	// Stack is where it panicked, as runtime/debug prints it.
	Stack []byte
}

// Error is the panic's value; read the stack from Stack.
func (e *PanicError) Error() string { return fmt.Sprintf("actor: panic: %v", e.Value) }

// Unwrap is the value, if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// GoexitError is the failure of an actor whose code called runtime.Goexit. It ends the
// goroutine that drove the system; the system is whole, and another one can go on.
type GoexitError struct {
	Stack []byte
}

// Error says so.
func (e *GoexitError) Error() string { return "actor: the handler called runtime.Goexit" }
