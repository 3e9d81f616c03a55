package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Operate does an asynchronous operation and waits for its end: start gets the token
// under which the operation is known, and hands it with what is to be done to whatever
// does it (reactor.Pool.Submit, a device of the host's), which completes the token. What
// it ended with is in the completion, its own failure in Completion.Err.
//
// Errors, all of which say that nothing was done or that nobody will learn of it:
// start's, ioqueue.ErrFull, *Interrupt. The operation of a fiber that was interrupted is
// abandoned: whatever does it is told.
func (f *Fiber) Operate(start func(fiber.Token) error) (ioqueue.Completion, error) {
	return f.OperateBy(start, fiber.Never)
}

// OperateBy is Operate with a deadline, and ErrTimeout.
func (f *Fiber) OperateBy(start func(fiber.Token) error, deadline fiber.Time) (ioqueue.Completion, error) {
	if err := f.begin("Operate"); err != nil {
		return ioqueue.Completion{}, err
	}
	s := f.rt.sched
	tok, err := s.Submit()
	if err != nil {
		return ioqueue.Completion{}, err
	}
	if err := start(tok); err != nil {
		s.Complete(tok, ioqueue.Completion{Err: err}) // it never began: its end is here
		s.Completion(tok)
		return ioqueue.Completion{}, err
	}
	if _, _, err := f.Await(fiber.OnIO(tok).By(deadline), nil); err != nil {
		return ioqueue.Completion{}, err
	}
	done, _ := s.Completion(tok)
	return done, nil
}
