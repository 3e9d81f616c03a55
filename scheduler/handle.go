package scheduler

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// Handle stands for a fiber started from another goroutine. All its methods are safe
// for concurrent use. The owner writes result and err before it closes done, so they may be read
// after a receive from done and not before. It completes when the fiber has ended, or could not
// be spawned; never, if the owner stops running the scheduler before that (see Core.Close).
type Handle struct {
	core   *Core
	id     fiber.RegularID // the owner's: set when the fiber is spawned
	done   chan struct{}
	result any
	err    error
}

// Done is closed when the fiber has ended, or could not be spawned. What the fiber and its Ended
// hook did happens-before a receive from it returns.
func (h *Handle) Done() <-chan struct{} { return h.done }

// Result waits for the fiber's end and returns what it ended with; or ctx's cause if
// ctx ends first, and then the fiber continues.
func (h *Handle) Result(ctx context.Context) (any, error) {
	if ctx == nil {
		panic(missing(op.Spawn, "Handle.Result has no context: pass context.Background() to wait without a limit"))
	}
	select {
	case <-h.done:
		return h.result, h.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Cancel asks the owner to cancel the fiber, at its next poll. After the fiber's end it does
// nothing. The command follows that of Start in the inbox, so the fiber is known by then. Errors:
// ErrStopped, ErrInboxFull; then nothing was posted.
func (h *Handle) Cancel(cause error) error {
	return h.core.inbox.Do(func() {
		_ = h.core.Cancel(h.id.ID(), cause) // it may have ended meanwhile
	})
}

// finish completes the handle, once: as the fiber's Ended hook, or because there is no fiber.
func (h *Handle) finish(result any, err error) {
	h.result, h.err = result, err
	close(h.done)
}

// Start asks the owner, from any goroutine, to spawn a fiber at its next poll. data belongs to the
// fiber from now on. The fiber is not Movable, because its Handle cancels it here. o.Ended is
// called by the owner before the Handle completes.
//
// What prevents the spawn later (ErrTooManyFibers, ErrStopped, ErrCellTaken) is the Handle's error
// only. ErrStopped and ErrInboxFull, when the command cannot be posted, are returned as well.
func (s *Scheduler[T]) Start(data T, o Options) (*Handle, error) {
	h := &Handle{core: &s.Core, done: make(chan struct{})}
	o.Movable = false
	ended := o.Ended
	o.Ended = func(result any, err error) {
		if ended != nil {
			ended(result, err)
		}
		h.finish(result, err)
	}
	err := s.inbox.Do(func() {
		id, err := s.SpawnWith(data, o)
		if h.id = id; err != nil {
			h.finish(nil, err)
		}
	})
	if err != nil {
		h.finish(nil, err)
	}
	return h, err
}
