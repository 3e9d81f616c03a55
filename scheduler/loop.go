package scheduler

import (
	"context"

	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Loop decides when a run ends, for a host that owns the loop: by the end of its main fiber,
// by a panic that fails it, by its context, because its waits are used up (WaitRoom), or because
// nothing can continue. Run is a loop
// with one. It belongs to the owner, and there is one at a time:
//
//	l := s.Steps().Begin(ctx)
//	defer l.Close()
//	for {
//		l.CheckStop()
//		… slices, while not l.Stopping() …
//		if l.Stopping() || s.Poll() {
//			continue
//		}
//		if over, err := l.Sleep(); over {
//			return err
//		}
//	}
//
// A run ends in two steps. First something ends it (Core.ended, or the context), and
// CheckStop kills the fibers; then the loop continues until all have unwound, and Finished
// gives the result, as Run does.
type Loop struct {
	core  *Core
	ctx   context.Context
	call  string      // what began it, for a refusal
	began [16]uintptr // the stack of that call
}

// Begin starts a run that ends when ctx does. The context is the scheduler's until Close, so
// that the pumps of native calls inside the run see its end too. A second Begin before Close is
// refused, as a second Run is, with both places.
func (f Steps) Begin(ctx context.Context) *Loop { return f.begin(ctx, "Begin") }

func (f Steps) begin(ctx context.Context, call string) *Loop {
	l := &Loop{core: f.core, ctx: ctx}
	l.claim(call)
	if ctx == nil {
		l.release()
		f.core.refuseAs(op.Pump, rule.ValidArgument, "%s has no context: pass context.Background() for a run without a limit", call)
	}
	f.core.ctx = ctx
	f.endIfWaitsUsedUp() // fibers may be ready before the first poll
	return l
}

// CheckStop kills every fiber, and lets none begin, if something has ended the run. Call it
// between slices, once a turn; the fibers still have to unwind. O(1) until the run ends, then
// once O(slots).
func (l *Loop) CheckStop() { l.core.Steps().checkStop() }

// Stopping tells whether the fiber of the last slice has ended the run, as the main fiber or
// by a panic that fails it. No fiber runs after it, not even the rest of the batch: CheckStop
// comes next.
func (l *Loop) Stopping() bool { return l.core.ended != nil && !l.core.stopping }

// StopCause is what has ended the run, while the other fibers unwind: ErrMainReturned, the error
// of the main fiber, the panic that failed the run, ErrWaitsUsedUp, or the context's cause. Before
// that it is nil.
func (l *Loop) StopCause() error {
	ended, ctx := l.core.ended, context.Cause(l.ctx)
	switch {
	case !l.core.stopping:
		return nil
	case ctx != nil && (ended == nil || ended == ErrMainReturned):
		return ctx
	}
	return ended
}

// Finished tells whether an idle scheduler's verdict ends the run, and with which error (Run lists
// them). After a Deadlock the fibers are left as they are; otherwise every fiber has unwound.
func (l *Loop) Finished(v Verdict) (over bool, err error) {
	c := l.core
	if c.Steps().stopRequest() != nil {
		return false, nil // the other fibers have to be killed first
	}
	switch v.Kind {
	case Done:
		err = l.result()
	case Waiting:
		if !c.stopping || c.lent > 0 {
			return false, nil
		}
		err = l.result() // no fiber is left, so an open Sender has nothing to wake
	case Deadlock:
		err = v.Err()
	default:
		return false, nil
	}
	c.Steps().ReportUnobserved()
	return true, err
}

// Close is for the end of the loop, whatever ended it; defer it. The scheduler can then begin
// another run; fibers that a Deadlock has left blocked take part in it. A fiber that is still
// current, because its slice left by a panic, ends with a *PanicError; its native calls end with
// it. A second Close has no effect.
func (l *Loop) Close() {
	if l.core.active.Load() != l {
		return
	}
	if invariants.On {
		l.core.checkOwner(op.Pump)
	}
	defer l.release() // the end of a fiber can poison the scheduler
	defer l.core.endContextOfRun()
	l.endSlice()
	l.core.ctx, l.core.ended, l.core.stuck, l.core.stopping, l.core.lingers = nil, nil, nil, false, false
}

// Sleep parks an idle loop until there may be something to do, or tells that the run is over,
// as Finished does. Input that comes while the clock spins (SpinClock) needs no verdict.
func (l *Loop) Sleep() (over bool, err error) {
	f := l.core.Steps()
	if f.stopRequest() != nil || f.spin(f.NextDeadline()) {
		return false, nil
	}
	v := f.IdleVerdictWithReport()
	if over, err = l.Finished(v); !over && v.Kind == Waiting {
		f.sleep(l.ctx, v.Until)
	}
	return over, err
}

// result is what a run in which every fiber has ended returns. The return of the main fiber is
// not an error: it hides neither a pinned call that has failed nor the end of the context.
func (l *Loop) result() error {
	switch c := l.core; {
	case c.ended != nil && c.ended != ErrMainReturned:
		return c.ended
	case c.stuck != nil:
		return c.stuck
	}
	return l.ctx.Err()
}

// checkStop kills every fiber if something has ended the run, the pinned ones too, whose
// pumps end by that. Spawns are refused from then on (ErrStopped), or fibers that unwind
// could spawn others without end.
func (f Steps) checkStop() {
	if cause := f.stopRequest(); cause != nil {
		f.stop(cause)
	}
}

// stop kills with the cause, which the error of each fiber then wraps.
func (f Steps) stop(cause error) {
	f.core.stopping = true
	f.KillAll(cause)
}

// stopRequest is what has ended the run without the fibers having been killed for it yet: the
// end of a main fiber, a panic that fails the run, the last of its waits, or the context.
func (f Steps) stopRequest() error {
	switch c := f.core; {
	case c.ctx == nil || c.stopping:
		return nil
	case c.ended != nil:
		return c.ended
	case c.ctx.Err() == nil: // asked at every turn, and cheaper than the cause
		return nil
	}
	return context.Cause(f.core.ctx)
}

// context is that of the run; a host that owns its loop has none.
func (f Steps) context() context.Context {
	if f.core.ctx == nil {
		return context.Background()
	}
	return f.core.ctx
}
