package stackful

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/stack"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
	"github.com/selvage-dev/selvage/wait"
)

// Fiber is the running function's own handle: its blocking calls are made through it,
// only by the function itself.
type Fiber struct {
	// Local is the host's own.
	Local any

	rt      *Runtime
	id      fiber.RegularID
	task    *Task // nil if it was started from another goroutine
	stack   *stack.Stack
	fn      Func
	result  any
	err     error
	out     fiber.Outcome // why the stack was last suspended
	started bool
	refused int                     // calls refused since it was killed
	call    trampoline.Call[*Fiber] // the innermost native call it is in
	foreign int                     // callbacks of foreign runtimes it is in
}

// patience is how many calls a killed fiber may make in vain before its stack is
// unwound for it.
const patience = 128

func (f *Fiber) main(*stack.Stack) {
	if rt := f.rt; rt.shown != nil {
		rt.shown.Label(f.ID())
		defer rt.shown.Unlabel() // the goroutine is used again
	}
	f.result, f.err = f.fn(f)
}

// end reports how the stack ended; the fiber is still current.
func (f *Fiber) end() fiber.Outcome {
	s := f.rt.sched
	if f.rt.explored && f.task != nil {
		f.touch(f.task.cell.Source())
	}
	if s.Inspect().Armed() {
		s.Disarm() // it panicked between Arm and Block
	}
	for id, inside := s.Inspect().Executing().Trampoline(); inside; id, inside = s.Inspect().Executing().Trampoline() {
		s.ReleaseTrampoline(id) // the native call that it left by unwinding
	}
	err := f.stack.Err()
	var panicked *stack.PanicError
	var exited *stack.GoexitError
	switch {
	case err == nil:
		s.SetResult(f.result, f.err)
		return fiber.Outcome{Kind: fiber.Done}
	case errors.As(err, &panicked):
		s.SetResult(nil, &scheduler.PanicError{Value: panicked.Value, Stack: panicked.Stack})
		return fiber.Outcome{Kind: fiber.Panic}
	case errors.As(err, &exited):
		err = &GoexitError{Stack: exited.Stack}
	}
	s.SetResult(nil, f.unwound(err))
	return fiber.Outcome{Kind: fiber.Done}
}

// unwound is the error of a stack that was unwound: the cancellation's or the kill's, if
// that is why.
func (f *Fiber) unwound(err error) error {
	s := f.rt.sched
	if cause := s.Unwind().Cause(f.ID()); cause != nil {
		return &Interrupt{Killed: s.Unwind().KillPending(f.ID()), Cause: cause, of: f.ID()}
	}
	return err
}

// ID is the fiber's own.
func (f *Fiber) ID() fiber.ID { return f.id.ID() }

// Runtime is what it runs on.
func (f *Fiber) Runtime() *Runtime { return f.rt }

// Task is what others join it by; nil for a fiber started from another goroutine.
func (f *Fiber) Task() *Task { return f.task }

// Now is the scheduler's time.
func (f *Fiber) Now() fiber.Time { return f.rt.sched.Now() }

// Yield lets every other ready fiber run first. The error is an *Interrupt.
func (f *Fiber) Yield() error {
	f.own("Yield")
	if err := f.suspendable(); err != nil {
		return err
	}
	f.suspend(fiber.Outcome{Kind: fiber.TimesliceExpired})
	return f.Checkpoint()
}

// Checkpoint tells, without giving up the CPU, whether the fiber has been killed or
// cancelled: a nil error or an *Interrupt. A long computation calls it now and then.
func (f *Fiber) Checkpoint() error {
	f.own("Checkpoint")
	code, cause := f.rt.sched.TakeInterrupt()
	if code == fiber.Pending {
		return nil
	}
	return f.interrupt(code, cause)
}

// Sleep waits for d. Errors: *Interrupt, wait.ErrDuration.
func (f *Fiber) Sleep(d time.Duration) error {
	if err := f.begin("Sleep"); err != nil {
		return err
	}
	at, err := wait.Deadline(f.Now(), d)
	if err != nil {
		return err
	}
	_, _, err = f.Await(fiber.Until(at), nil)
	return err
}

// Within is the instant d from now, for the deadline of a blocking call.
func (f *Fiber) Within(d time.Duration) fiber.Time { return f.Now().After(max(d, 0)) }

// Shield runs fn with cancellation postponed: a cancel that comes meanwhile takes effect at the
// first blocking call after fn. A kill is not postponed.
func (f *Fiber) Shield(fn func() error) error {
	f.own("Shield")
	f.rt.given("Shield", fn != nil, "a function")
	f.rt.sched.Unwind().Mask()
	defer f.rt.sched.Unwind().Unmask()
	return fn()
}

// Await is every blocking call of this package: it arms a wait on the sources, has
// park register the ticket with them, and suspends the stack until the wait ends.
// If park refuses, the wait is taken back and that is the error, unless the result has
// come already. Otherwise the error is nil for OK, Closed and Failed (the object knows
// more), ErrTimeout, an *Interrupt, or, if it has not waited, scheduler.ErrTooManyTimers or
// scheduler.ErrWaitsUsedUp. Hosts use it for waits of their own.
func (f *Fiber) Await(r fiber.Reason, park func(fiber.Ticket) error, sources ...fiber.Source) (fiber.Ticket, fiber.Result, error) {
	if err := f.beginWait("Await"); err != nil {
		return fiber.Ticket{}, fiber.Result{}, err
	}
	s := f.rt.sched
	if s.Attachments().WaitRoom() != nil || r.Deadline != fiber.Never { // the usual wait pays no call
		if err := f.waitRoom(r.Deadline); err != nil {
			return fiber.Ticket{}, fiber.Result{}, err
		}
	}
	t := f.arm(r, sources)
	if park != nil {
		if err := park(t); err != nil {
			if res, came := s.Disarm(); came {
				return t, res, nil
			}
			return t, fiber.Result{}, f.at(err)
		}
	}
	f.suspend(fiber.Outcome{Kind: fiber.Block})
	return f.claimed(t)
}

// claimed claims how the wait has ended in which the stack was suspended. The suspension is not part of
// it: a function that is entered before a switch and left after it costs a misprediction.
func (f *Fiber) claimed(t fiber.Ticket) (fiber.Ticket, fiber.Result, error) {
	if err := f.killed(); err != nil {
		return t, fiber.Result{}, err // not claimed: what was assigned goes back when it dies (I12)
	}
	s := f.rt.sched
	t, res := s.Claim()
	switch res.Code {
	case fiber.TimedOut:
		return t, res, ErrTimeout
	case fiber.Cancelled, fiber.Killed:
		return t, res, f.interrupt(res.Code, s.Unwind().Cause(f.ID()))
	}
	return t, res, nil
}

// waitRoom refuses a wait that has no number left, and a deadline for which there is no timer.
func (f *Fiber) waitRoom(deadline fiber.Time) error {
	if err := f.rt.sched.Attachments().WaitRoom(); err != nil || deadline == fiber.Never {
		return err
	}
	return f.killedBy(f.rt.sched.Attachments().TimerRoom())
}

// killedBy is the error of a call of the scheduler; the *Interrupt, if the call has passed a quota and
// ended the fiber's Group by that.
func (f *Fiber) killedBy(err error) error {
	if err != nil {
		if killed := f.killed(); killed != nil {
			return killed
		}
	}
	return err
}

func (f *Fiber) arm(r fiber.Reason, sources []fiber.Source) fiber.Ticket {
	if len(sources) == 1 && r == fiber.OnQueue() {
		return f.rt.sched.ArmOn(sources[0])
	}
	return f.rt.sched.Arm(r, sources...)
}

// killed refuses a call of a fiber that is doomed, or in which a Fatal panic is in force.
func (f *Fiber) killed() error {
	cause := f.rt.sched.Unwind().UnwindCause()
	if cause == nil {
		return nil
	}
	return f.interrupt(fiber.Killed, cause)
}

func (f *Fiber) interrupt(code fiber.Code, cause error) error {
	stopped := &Interrupt{Killed: code == fiber.Killed, Cause: cause, of: f.ID()}
	if stopped.Killed {
		if f.refused++; f.refused > patience {
			f.unwind(stopped)
		}
	}
	return stopped
}

// unwind ends the stack of a fiber that will not listen, with its defers. In a foreign
// callback a panic does it first, because a callback can contain one, and its foreign
// frames clean up; a Goexit, which passes over them, only if the panic is recovered again
// and again.
func (f *Fiber) unwind(stopped *Interrupt) {
	if f.foreign > 0 && f.refused <= 2*patience {
		panic(stopped)
	}
	runtime.Goexit()
}

// suspend ends the fiber's slice. A native call that nests pumps instead; what a pump
// fails with is in force in the fiber then (killed).
func (f *Fiber) suspend(o fiber.Outcome) {
	if f.rt.way == trampoline.Nesting && f.call.ID() != 0 {
		_ = f.call.Suspend(o)
		return
	}
	(*frames)(f).Park(o)
}

// own refuses a call made for f by code that is not f's.
func (f *Fiber) own(call string) {
	if f == nil || f.rt.sched.Current() != f.id.ID() {
		f.refuseOther(call)
	}
}

// refuseOther refuses a call for a fiber that does not run.
func (f *Fiber) refuseOther(call string) {
	if f == nil {
		(*Runtime)(nil).given(call, false, "a fiber")
	}
	panic(f.rt.refusal(call, rule.Executing, fmt.Sprintf(
		"called for %v while %v runs: a Fiber is used by its own function only", f.id, f.rt.sched.Current())))
}

// begin refuses a call that is not f's to make, or that comes after a kill.
func (f *Fiber) begin(call string) error {
	f.own(call)
	return f.killed()
}

// beginPoint is begin of a call that other fibers can notice. An explored run (Config.Choose) may run
// others first.
func (f *Fiber) beginPoint(call string, src fiber.Source) error {
	f.ownPoint(call, src)
	return f.killed()
}

// ownPoint is own with such a point.
func (f *Fiber) ownPoint(call string, src fiber.Source) {
	if f.own(call); f.rt.explored {
		f.point(src)
	}
}

// beginWait is begin of a call that may suspend the stack.
func (f *Fiber) beginWait(call string) error {
	if err := f.begin(call); err != nil {
		return err
	}
	return f.suspendable()
}

// use begins a call on an object, given by its source.
func (f *Fiber) use(call string, src fiber.Source) error {
	if err := f.beginPoint(call, src); err != nil {
		return err
	}
	return f.admit(call, src)
}

// useChan is use for a channel, which may be nil.
func (f *Fiber) useChan(call string, src fiber.Source) error {
	if err := f.beginPoint(call, src); err != nil {
		return err
	}
	return f.admitChan(call, src)
}

// give begins a call on an object that a killed fiber may still make.
func (f *Fiber) give(call string, src fiber.Source) error {
	f.ownPoint(call, src)
	return f.admit(call, src)
}

// admit refuses an object of another runtime, and none at all.
func (f *Fiber) admit(call string, src fiber.Source) error {
	if src == nil {
		f.rt.given(call, false, "an object to wait on")
	}
	return f.admitChan(call, src)
}

// admitChan is admit for a channel, which may be nil.
func (f *Fiber) admitChan(call string, src fiber.Source) error {
	if src == nil || f.rt.sched.Attachments().Bind(src.Anchored()) {
		return nil
	}
	return f.refuse(call, describe(src))
}

// describe is the text for an object in errors.
func describe(src fiber.Source) string {
	if d, ok := src.(fiber.Described); ok {
		return d.Describe()
	}
	return fmt.Sprintf("%T", src)
}

func (f *Fiber) refuse(call, object string) error {
	return f.at(&wait.Error{Op: strings.ToLower(call), Object: object, By: f.ID(), Err: wait.ErrForeign})
}

// wake hands on what an object decided.
func (f *Fiber) wake(w fiber.Wakeup) {
	f.rt.sched.Apply(w)
}

// wakeAll is wake for several, which were appended to rt.woken.
func (f *Fiber) wakeAll(woken []fiber.Wakeup, err error) error {
	for _, w := range woken {
		f.wake(w)
	}
	f.rt.woken = woken[:0]
	return f.at(err)
}
