package island

import "errors"

// What an island or the registry refuses. Test with errors.Is. A refusal has changed nothing.
var (
	// ErrTaken: another island has the name or the number. Registry.Number gives free numbers.
	ErrTaken = errors.New("island: the name or number is in use by another island")
	// ErrUnknown: no island or port has this name or address now.
	ErrUnknown = errors.New("island: no such island or port (or it has a later incarnation)")
	// ErrDown: the island has left the registry, or is shutting down.
	ErrDown = errors.New("island: it is shut down")
	// ErrFull: the mailbox is full. The caller is never blocked for that: it may be the owner of
	// an island that the full one waits for.
	ErrFull = errors.New("island: the mailbox is full; retry later or raise Config.Mailbox")
	// ErrSealed: the registry accepts no more islands, or the port no more senders.
	ErrSealed = errors.New("island: sealed; it accepts no more islands or senders")
	// ErrProgram: the island has no program of this name in Config.Programs.
	ErrProgram = errors.New("island: no program of this name")
	// ErrStale: that wait or that fiber has ended. Nothing was changed.
	ErrStale = errors.New("island: stale ticket or fiber")
	// ErrFrame: the bytes are not a valid frame, or a frame would be too long.
	ErrFrame = errors.New("island: malformed frame")
	// ErrRequest: the request is invalid; the text says why.
	ErrRequest = errors.New("island: invalid request")
)

// DownError says which island has ended, and why: a wait for it, or an operation on its port,
// has failed. It is an ErrDown.
type DownError struct {
	Island Address
	Name   string
	Cause  error // what ended it; nil if all its fibers had ended
}

// Error names the island and what ended it.
func (e *DownError) Error() string {
	s := "island: " + e.Name + " (" + e.Island.String() + ") is shut down"
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

// Unwrap returns ErrDown and the cause.
func (e *DownError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrDown}
	}
	return []error{ErrDown, e.Cause}
}
