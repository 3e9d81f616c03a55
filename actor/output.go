package actor

import (
	"context"
	"errors"
	"iter"

	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// Next is the next output, after as much work as it takes to get one: turns, and slices
// of the fibers of asynchronous actors. What has been put out is read to the last before
// any end, and before ctx is looked at. Errors: if the system has ended, the *DeathError of
// its root, or ErrEnded if the root's death had no cause; ErrIdle, if there is nothing to do until this goroutine dispatches something;
// ctx's error, and then the system is as it was between two turns.
func (s *System[M]) Next(ctx context.Context) (out M, err error) {
	if ctx == nil {
		panic(&scheduler.ContractError{Rule: rule.ValidArgument, Op: op.Idle, Fix: "Next has no context: pass context.Background() to wait without a limit"})
	}
	for s.outputs.len() == 0 {
		if err := s.advance(ctx); err != nil {
			return out, err
		}
	}
	return s.outputs.pop(), nil
}

// All is the outputs up to the end of the system, each with a nil error. If it ends for
// another reason than that its root was needed no more, the last pair is that error, and
// so it is for ErrIdle and the end of ctx. The loop may dispatch; it may be left and
// another one begun.
func (s *System[M]) All(ctx context.Context) iter.Seq2[M, error] {
	return func(yield func(M, error) bool) {
		for {
			out, err := s.Next(ctx)
			if errors.Is(err, ErrEnded) || !yield(out, err) || err != nil {
				return
			}
		}
	}
}

func (s *System[M]) hasWork() bool {
	return s.queue.len() > 0 || s.hookCalls.len() > 0 ||
		len(s.rooms) > 0 && s.opens() || len(s.delayed) > 0 && s.wake() <= s.Now()
}

// due tells whether the system has something to do or to say without its fibers.
func (s *System[M]) due() bool { return s.hasWork() || s.outputs.len() > 0 || s.Ended() }

// advance gives the system a turn and its fibers some slices, so that neither keeps the
// other waiting; or it tells why there is nothing to do.
func (s *System[M]) advance(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case s.Ended() && s.reason != nil:
		return s.reason
	case s.Ended():
		return ErrEnded
	}
	s.refusePlayed()
	if s.hasWork() {
		s.Turn()
	}
	return s.drive(ctx, s)
}
