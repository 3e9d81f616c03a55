package ioqueue

import "errors"

// Errors of calls by the owner. Each leaves the queue unchanged, except for counters.
var (
	// ErrFull: the limit of tokens is reached. Tokens whose cancellation has not been
	// acknowledged count too: what the outside still holds is not free.
	ErrFull = errors.New("ioqueue: too many operations; wait for Room, or raise the limit")
	// ErrNoRoom: no place is reserved for the ticket.
	ErrNoRoom = errors.New("ioqueue: no place is reserved for this ticket; claim a place once, in the fiber that waited for Room")
	// ErrUnknownToken: the token was never submitted here, or has ended.
	ErrUnknownToken = errors.New("ioqueue: no such token; a token ends when its result is taken or its owner dies")
	// ErrNotOwner: only the regular fiber that submitted a token can await it (I8); a
	// trampoline attaches a Cell.
	ErrNotOwner = errors.New("ioqueue: this fiber did not submit the token; await it in the fiber that did, or attach a cell")
	// ErrAwaited: a token has one wait at a time.
	ErrAwaited = errors.New("ioqueue: the token is already awaited or its result already delivered; take the result")
	// ErrAbandoned: the token was given up, and only its acknowledgement is due. It is also
	// the error of a Cell whose operation was abandoned.
	ErrAbandoned = errors.New("ioqueue: the operation was abandoned; submit a new one")
	// ErrCompleted: a Cell is completed once.
	ErrCompleted = errors.New("ioqueue: the cell is already completed; read its result")
	// ErrOrder: a registration must directly follow its Arm, so that arrival order is Seq
	// order (I11).
	ErrOrder = errors.New("ioqueue: the ticket is older than one already parked; park directly after Arm")
)
