package island

import "errors"

// What an island or the registry refuses. Test with errors.Is.
var (
	// ErrTaken: the name or the number is another island's. Registry.Number gives numbers.
	ErrTaken = errors.New("island: taken by another island")
	// ErrUnknown: no island has this name or address now.
	ErrUnknown = errors.New("island: no such island (or a later one has its number)")
	// ErrDown: the island has left the registry, or is about to.
	ErrDown = errors.New("island: it is shut down")
	// ErrFull: the mailbox is full: try again later, or raise Config.Mailbox.
	ErrFull = errors.New("island: its mailbox is full; wait, or raise Config.Mailbox")
	// ErrSealed: the registry takes no more islands, or the port no more senders.
	ErrSealed = errors.New("island: sealed; nobody may join any more")
	// ErrProgram: the island runs no program of this name.
	ErrProgram = errors.New("island: it has no program of this name")
	// ErrStale: the ticket or the fiber is not the current one. Nothing was changed.
	ErrStale = errors.New("island: stale; that wait, or that fiber, is over")
	// ErrFrame: bytes that are no command.
	ErrFrame = errors.New("island: not a frame")
	// ErrRequest: the command cannot be asked for, or not of this island.
	ErrRequest = errors.New("island: bad request")
)

// DownError is why a wait for an island, or an operation on its port, has failed: the
// island is gone, and what ended it. It is an ErrDown.
type DownError struct {
	Island Address
	Name   string
	Cause  error
}

// Error names the island and what ended it.
func (e *DownError) Error() string {
	s := "island: " + e.Name + " (" + e.Island.String() + ") is shut down"
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

// Is makes it an ErrDown.
func (e *DownError) Is(target error) bool { return target == ErrDown }

// Unwrap is the cause.
func (e *DownError) Unwrap() error { return e.Cause }
