package scheduler

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/internal/lazycontext"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// The causes with which a context ends that nothing has interrupted.
var (
	errFiberEnded = errors.New("scheduler: the fiber of the context has ended")
	errRunEnded   = errors.New("scheduler: the run of the context has ended, without the fiber: in another run its fiber gets another context")
)

// Context is the context of the current fiber, for Go functions that the host calls: with the
// values and the deadline of the context given to Run or Begin. Native calls have their fiber's.
// It ends
//
//   - when a cancellation reaches the fiber: at once, also if the fiber has not received it yet;
//     while the fiber masks cancellation, after the last Unmask. The cause wraps ErrCancelled and
//     the cause of the Cancel;
//   - when the fiber is killed, with the cause of the kill, which wraps ErrKilled;
//   - when the fiber ends, with a cause that wraps its error, if it has one;
//   - with the context of the run, and when the run ends.
//
// Each call in a run gives the same context, with one exception: while the fiber masks a
// cancellation that reached it before, there is a new one, which has not ended. In a later run, and
// in another scheduler, there is another context; one that was made before the fiber moved ends
// with its own run, or with the fiber.
//
// Any goroutine may use the context. It changes no state of a fiber and is seen by no observer; its
// deadline is in real time, whatever the Clock. The first call of a fiber allocates; a fiber for
// which there is none pays nothing. It is a contract error if no fiber is current (EXECUTING).
func (f Unwind) Context() context.Context {
	c := f.core
	c.enter(op.Note)
	if c.cur.word&stateMask != running {
		c.refuseAs(op.Note, rule.Executing, "Unwind.Context is the context of the fiber that executes, and none does: call it in a slice")
	}
	x := c.reg.keepExt(c.cur).contextIn(c.contextOfRun(), c.cur)
	c.leave()
	return x
}

// contextIn is the context for a run. A cancellation that is masked by now may have ended the one
// there was.
func (s *ext) contextIn(run context.Context, h *header) *fiberContext {
	why := s.interruption(h)
	for at := &s.contexts; *at != nil; {
		switch x := *at; {
		case x.Parent == run && (why != nil || x.Ended() == nil):
			return x
		case x.Ended() != nil:
			*at = x.earlier
		default:
			at = &x.earlier
		}
	}
	x := &fiberContext{lazycontext.Child{Parent: run}, s.contexts}
	s.contexts = x
	if why != nil {
		x.End(why)
	}
	return x
}

// interruption is why the fiber's contexts have ended while it lives, or nil.
func (s *ext) interruption(h *header) error {
	switch {
	case h.has(killPending):
		return s.cause
	case s.cancel == cancelTaken || h.has(cancelPending):
		return cancelError(s.cause)
	}
	return nil
}

// cancelError is what killError is for a kill.
func cancelError(cause error) error {
	if cause == ErrCancelled {
		return cause
	}
	return fmt.Errorf("%w: %w", ErrCancelled, cause)
}

// interruptContexts ends the contexts because of a cancellation that has reached the fiber, or a
// kill. What ends them is not called: goroutines that wait for it go on by themselves.
func (s *ext) interruptContexts(h *header) {
	if s.contexts != nil {
		s.endContexts(s.interruption(h))
	}
}

func (s *ext) endContexts(cause error) {
	for x := s.contexts; x != nil; x = x.earlier {
		x.End(cause)
	}
}

// finishContexts ends the contexts of a fiber that has ended. Those that were never used, as most
// are of a host that makes one for each fiber, share one context that has ended.
func (c *Core) finishContexts(s *ext, err error) {
	if s.contexts == nil {
		return
	}
	if err != nil {
		s.endContexts(fmt.Errorf("%w: %w", errFiberEnded, err))
		return
	}
	if c.pastContext == nil {
		c.pastContext = lazycontext.Past(errFiberEnded)
	}
	for x := s.contexts; x != nil; x = x.earlier {
		x.Finish(c.pastContext)
	}
}

// contextOfRun is the parent of the context that the current fiber gets now: that of its program, or of
// the run. Every run has one of its own: its
// end ends the contexts of all fibers, and of a context of the host's own kind, from which the
// standard library derives by a goroutine, only one is derived. A loop without Begin has no end.
func (c *Core) contextOfRun() context.Context {
	if p := c.groups.current().Program(); p != nil && p.Context != nil {
		return p.Context
	}
	if c.ctx == nil {
		return context.Background()
	}
	if c.runContext == nil {
		c.runContext = &lazycontext.Child{Parent: c.ctx}
	}
	return c.runContext
}

// endContextOfRun ends the contexts of the fibers that a run has left alive.
func (c *Core) endContextOfRun() {
	if c.runContext != nil {
		c.runContext.End(errRunEnded)
		c.runContext = nil
	}
}
