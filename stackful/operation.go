package stackful

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Operate starts an asynchronous operation and waits for its end. start gets the token of the
// operation and passes it to the device that does the work (blocking.Pool.Submit, a device of the
// host), which completes the token. The result is in the completion, a failure of the operation in
// Completion.Err.
//
// While the scheduler has as many operations as it may (Config.MaxTokens), the fiber waits
// first, in order of arrival.
//
// Errors: that of start, and *Interrupt. After one of them the operation was not started or its
// result is lost. The operation of a fiber that was interrupted is abandoned, and its device
// receives the token to cancel it.
func (f *Fiber) Operate(start func(fiber.Token) error) (ioqueue.Completion, error) {
	return f.OperateUntil(start, fiber.Never)
}

// OperateUntil is Operate with a deadline, of both waits together, ErrTimeout, and
// scheduler.ErrTooManyTimers: then nothing was begun.
func (f *Fiber) OperateUntil(start func(fiber.Token) error, deadline fiber.Time) (ioqueue.Completion, error) {
	f.own("Operate")
	f.touchAll()
	f.rt.given("Operate", start != nil, "a function")
	if err := f.beginWait("Operate"); err != nil {
		return ioqueue.Completion{}, err
	}
	tok, err := f.submit(deadline)
	if err != nil {
		return ioqueue.Completion{}, err
	}
	operation, err := f.rt.sched.Ops().Begin(tok, func(tok fiber.Token) error {
		if err := f.waitRoom(deadline); err != nil {
			return err
		}
		return start(tok)
	})
	if err != nil {
		return ioqueue.Completion{}, err
	}
	t := operation.Arm(deadline)
	f.suspend(fiber.Outcome{Kind: fiber.Block})
	if _, _, err := f.claimed(t); err != nil {
		return ioqueue.Completion{}, err
	}
	return operation.Completion()
}

// submit has a token given out, and waits for it if it must.
func (f *Fiber) submit(deadline fiber.Time) (fiber.Token, error) {
	s := f.rt.sched
	tok, err := s.Ops().Submit()
	if !errors.Is(err, ioqueue.ErrFull) {
		return tok, f.killedBy(err)
	}
	park := func(t fiber.Ticket) error { return s.Ops().Room().Park(t, 0) }
	t, _, err := f.Await(fiber.OnQueue().WithDeadline(deadline), park, s.Ops().Room().Source())
	if err != nil {
		return 0, err
	}
	tok, err = s.Ops().SubmitReserved(t)
	return tok, f.killedBy(err)
}
