package blocking

import (
	"errors"
)

var (
	// ErrClosed is what Submit returns after Close, the result of work that had not begun
	// when its pool was closed by force, and the cause in the context of work that had.
	ErrClosed = errors.New("blocking: the pool is closed")
	// ErrAbandoned is the cause in the context of work whose fiber no longer waits for it.
	ErrAbandoned = errors.New("blocking: no fiber waits for this work any more")
	// ErrStragglers is what Close returns if some work did not stop after its context ended.
	ErrStragglers = errors.New("blocking: not all work has ended")
	// ErrGoexit is the result of work that called runtime.Goexit, as testing's FailNow does.
	ErrGoexit = errors.New("blocking: the work called runtime.Goexit")
)
