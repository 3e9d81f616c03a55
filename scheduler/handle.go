package scheduler

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
)

// Handle stands for a fiber started from another goroutine. All its methods are safe
// for concurrent use.
type Handle struct {
	core   *Core
	id     fiber.RegularID // the owner's: set when the fiber is spawned
	done   chan struct{}
	result any
	err    error
}

// Done is closed when the fiber has ended.
func (h *Handle) Done() <-chan struct{} { return h.done }

// Result waits for the fiber's end and returns what it ended with; or ctx's cause if
// ctx ends first, and then the fiber continues.
func (h *Handle) Result(ctx context.Context) (any, error) {
	select {
	case <-h.done:
		return h.result, h.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Cancel asks the owner to cancel the fiber. After its end it does nothing.
func (h *Handle) Cancel(cause error) error {
	return h.core.inbox.Do(func() {
		_ = h.core.Cancel(h.id.ID(), cause) // it may have ended meanwhile
	})
}

func (h *Handle) finish(result any, err error) {
	h.result, h.err = result, err
	close(h.done)
}

// Start asks the owner, from any goroutine, to spawn a fiber. The fiber is not Movable,
// because its Handle cancels it here. What prevents the spawn (ErrTooManyFibers) is the
// Handle's error; ErrStopped is returned at once.
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
