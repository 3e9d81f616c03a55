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
//
// In a native call (Call) another fiber does the operation for f, because only the fiber that
// owns a token can await it, and not its native calls (I8). That fiber calls start, so start must
// not use f, and scheduler.ErrTooManyFibers is one more error.
func (f *Fiber) Operate(start func(fiber.Token) error) (ioqueue.Completion, error) {
	return f.OperateUntil(start, fiber.Never)
}

// OperateUntil is Operate with a deadline, of both waits together, ErrTimeout, and
// scheduler.ErrTooManyTimers: then nothing was begun.
func (f *Fiber) OperateUntil(start func(fiber.Token) error, deadline fiber.Time) (ioqueue.Completion, error) {
	f.own("Operate")
	given("Operate", start != nil, "a function")
	if err := f.beginWait("Operate"); err != nil {
		return ioqueue.Completion{}, err
	}
	s := f.rt.sched
	if s.Inspect().Executing().IsTrampoline() {
		return f.operateOnFiber(start, deadline)
	}
	tok, err := f.submit(deadline)
	if err != nil {
		return ioqueue.Completion{}, err
	}
	if err := f.begun(tok, deadline, start); err != nil {
		return ioqueue.Completion{}, err
	}
	if _, _, err := f.Await(fiber.OnIO(tok).WithDeadline(deadline), nil); err != nil {
		return ioqueue.Completion{}, err
	}
	done, _ := s.Ops().Completion(tok)
	return done, nil
}

// submit has a token given out, and waits for it if it must.
func (f *Fiber) submit(deadline fiber.Time) (fiber.Token, error) {
	s := f.rt.sched
	tok, err := s.Ops().Submit()
	if !errors.Is(err, ioqueue.ErrFull) {
		return tok, err
	}
	park := func(t fiber.Ticket) error { return s.Ops().Room().Park(t, 0) }
	t, _, err := f.Await(fiber.OnQueue().WithDeadline(deadline), park, s.Ops().Room().Source())
	if err != nil {
		return 0, err
	}
	return s.Ops().SubmitReserved(t)
}

// begun calls start. An operation that does not begin, because start fails or panics or its
// end could not be waited for, ends here: nothing else would complete its token.
func (f *Fiber) begun(tok fiber.Token, deadline fiber.Time, start func(fiber.Token) error) (err error) {
	err = errNotBegun
	defer func() {
		if err != nil {
			f.rt.sched.Ops().Complete(tok, ioqueue.Completion{Err: err})
			f.rt.sched.Ops().Completion(tok)
		}
	}()
	if full := f.timerRoom(deadline); full != nil {
		err = full
	} else {
		err = start(tok)
	}
	return err
}

// errNotBegun is never returned to a caller: a panic passes on instead.
var errNotBegun = errors.New("stackful: the operation was not begun")

// operateOnFiber has another fiber do the operation. If the wait for that one ends first, it is
// cancelled, and with it the operation.
func (f *Fiber) operateOnFiber(start func(fiber.Token) error, deadline fiber.Time) (ioqueue.Completion, error) {
	var done ioqueue.Completion
	var failed error
	var panicked any
	helper, err := f.rt.Go("operation of "+f.ID().String(), func(f *Fiber) (any, error) {
		defer func() { panicked = recover() }()
		done, failed = f.OperateUntil(start, deadline)
		return nil, nil
	})
	if err != nil {
		return ioqueue.Completion{}, err
	}
	if _, err := f.Join(helper); err != nil {
		if _, _, over := helper.Result(); !over {
			_ = f.rt.sched.Cancel(helper.ID(), err) // it is alive
		}
		return ioqueue.Completion{}, err
	}
	if panicked != nil {
		panic(panicked)
	}
	return done, failed
}
