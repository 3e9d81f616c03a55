package ioqueue

import "errors"

// Errors of the owner's side. Each leaves the queue as it was, counters apart.
var (
	// ErrFull: the limit of tokens is reached. Tokens whose cancellation has not been
	// acknowledged count too: what the outside still holds is not free.
	ErrFull = errors.New("ioqueue: too many operations; wait for Room, or raise the limit")
	// ErrNoRoom: no place is kept for the ticket.
	ErrNoRoom = errors.New("ioqueue: no place is kept for this ticket; a place is claimed once, by the fiber that waited for Room")
	// ErrUnknownToken: never submitted here, or over and collected.
	ErrUnknownToken = errors.New("ioqueue: no such token; a token ends when its result is taken or its owner dies")
	// ErrNotOwner: a token is awaited by the regular fiber that submitted it and by
	// nobody else (I8); a trampoline attaches a Cell.
	ErrNotOwner = errors.New("ioqueue: not the fiber that submitted the token; the submitter awaits, a trampoline attaches a cell")
	// ErrAwaited: one wait per token.
	ErrAwaited = errors.New("ioqueue: the token is already awaited or its result already delivered; take the result")
	// ErrNotAwaited: there is no wait to take back.
	ErrNotAwaited = errors.New("ioqueue: nobody awaits the token; a delivered result is taken, not un-awaited")
	// ErrAbandoned: the token was given up and only its acknowledgement is due. It is
	// also what a Cell ends with whose operation was abandoned.
	ErrAbandoned = errors.New("ioqueue: the operation was abandoned")
	// ErrForgottenOwner: an earlier fiber of the same slot died and its tokens are
	// still here.
	ErrForgottenOwner = errors.New("ioqueue: the slot still has tokens of another generation; call AbandonOwned when a fiber dies")
	// ErrCompleted: a Cell is completed once.
	ErrCompleted = errors.New("ioqueue: the cell is already completed; read its result")
	// ErrOrder: a registration must directly follow its Arm (I11).
	ErrOrder = errors.New("ioqueue: the ticket is older than one already parked; park directly after Arm")
)
