package scheduler

import (
	"context"
	"errors"
)

// Loop is how a run ends, for a host that owns the loop: by the end of its main fiber, by
// a panic that fails it, by its context, or because nothing can go on. Run is a loop with
// one. It is the owner's, and there is one at a time:
//
//	l := s.Begin(ctx)
//	defer l.End()
//	for {
//		l.Heed()
//		… slices, while not l.Ended() …
//		if l.Ended() || s.Poll() {
//			continue
//		}
//		if over, err := l.Rest(); over {
//			return err
//		}
//	}
type Loop struct {
	core *Core
	ctx  context.Context
}

// Begin starts a run that ends when ctx does.
func (c *Core) Begin(ctx context.Context) *Loop {
	c.ctx = ctx
	return &Loop{c, ctx}
}

// Heed looks whether something has ended the run: then it kills every fiber and lets none
// begin any more. Call it between slices, once a turn; the fibers still have to unwind.
func (l *Loop) CheckStop() { l.core.heed() }

// Ended tells whether the fiber whose slice was the last has ended the run, as the main fiber
// or by a panic that fails it. Nobody runs after it, not even the rest of the batch: Heed
// comes next.
func (l *Loop) Stopping() bool { return l.core.over != nil && !l.core.stopping }

// Ending is what has ended the run, while what is left has to unwind: ErrMainReturned, the
// panic that failed it, or the context's cause. Before that it is nil.
func (l *Loop) StopCause() error {
	over, ctx := l.core.over, context.Cause(l.ctx)
	switch {
	case !l.core.stopping:
		return nil
	case ctx != nil && (over == nil || errors.Is(over, ErrMainReturned)):
		return ctx // main was killed for it
	}
	return over
}

// Over tells whether an idle scheduler's verdict ends the run, and with which error: nil,
// a *DeadlockError (the fibers are left as they are), the panic that failed it, or the
// context's. Everybody has unwound then.
func (l *Loop) Finished(v Verdict) (over bool, err error) {
	c := l.core
	if c.ended() != nil {
		return false, nil // the others are to be killed first
	}
	switch v.Kind {
	case Done:
		err = l.outcome()
	case Waiting:
		if !c.stopping || c.lent > 0 {
			return false, nil
		}
		err = l.outcome() // nobody is left; a Sender still open keeps nobody waiting
	case Deadlock:
		err = v.Err()
	default:
		return false, nil
	}
	c.ReportUnobserved()
	return true, err
}

// End is after the loop, whatever ended it.
func (l *Loop) Close() { l.core.ctx, l.core.over, l.core.stopping = nil, nil, false }

// Rest parks an idle loop until there may be something to do, or tells that the run is over,
// as Over does. What comes while the clock stays awake for it (SpinClock) needs no verdict.
func (l *Loop) Sleep() (over bool, err error) {
	c := l.core
	if c.ended() != nil || c.comes(c.NextDeadline()) {
		return false, nil
	}
	v := c.IdleVerdictWithReport()
	if over, err = l.Finished(v); !over && v.Kind == Waiting {
		c.sleep(l.ctx, v.Until)
	}
	return over, err
}

// outcome is what a run in which every fiber has ended returns.
func (l *Loop) outcome() error {
	if over := l.core.over; over != nil && !errors.Is(over, ErrMainReturned) {
		return over
	}
	return l.ctx.Err()
}
