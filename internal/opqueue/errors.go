package opqueue

import "errors"

// Errors of wrong calls by the scheduler. Each leaves the queue unchanged.
var (
	// ErrNotAwaited: there is no wait to take back.
	ErrNotAwaited = errors.New("ioqueue: the token is not awaited; if its result was delivered, take it")
	// ErrForgottenOwner: the tokens of an earlier fiber of the same slot were not abandoned
	// when it died.
	ErrForgottenOwner = errors.New("ioqueue: the slot still has tokens of another generation; call AbandonOwned when a fiber dies")
)
