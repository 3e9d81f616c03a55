package bridge

import (
	"errors"

	"github.com/selvage-dev/selvage/island"
)

// What a bridge reports, beside the errors of package island. Test with errors.Is.
var (
	// ErrTimeout: the other side has not answered for Config.Timeout.
	ErrTimeout = errors.New("bridge: the other side does not answer")
	// ErrRemote: the other side has refused. The error has its text, and is also the error of
	// package island that it was there.
	ErrRemote = errors.New("bridge: refused by the other side")
)

// errCommands is what the other side gets for all its requests.
var errCommands = errors.New("bridge: this side accepts no commands; set Config.AllowCommands of its bridge")

// remoteError is a refusal that has come over a bridge. Its text is untrusted, and no longer than a
// frame; only the index on the wire decides what errors.Is finds.
type remoteError struct {
	text string
	err  error // of package island, or nil
}

func (e *remoteError) Error() string { return e.text }

func (e *remoteError) Unwrap() error { return e.err }

func (e *remoteError) Is(target error) bool { return target == ErrRemote }

// remoteErrors are the errors that keep their identity on the wire. Their index is what is
// sent: add only at the end.
var remoteErrors = [...]error{nil, island.ErrUnknown, island.ErrDown, island.ErrFull, island.ErrProgram, island.ErrStale, island.ErrRequest, island.ErrFrame}
