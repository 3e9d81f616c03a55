package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/trampoline"
)

// Call runs fn as native code does that calls back into the VM: on a trampoline above f and
// the calls it is in. fn may make every call of f. When it waits, the whole stack is
// suspended, with the native frames that led here; with Config.Nesting other fibers run above
// them instead, and if nothing can end the wait that way, every call of the fiber is
// refused with a *scheduler.StackInversionError or *scheduler.DeadlockError as the cause,
// until it has unwound.
//
// A panic of fn continues in the caller after the trampoline has been released; the caller's
// deferred calls may recover it. Errors besides fn's own: *Interrupt, trampoline.ErrForeignStack
// (see Foreign), scheduler.ErrTooManyTrampolines, scheduler.ErrTooDeep.
func (f *Fiber) Call(fn Func) (any, error) {
	f.own("Call")
	f.rt.given("Call", fn != nil, "a function")
	if err := f.begin("Call"); err != nil {
		return nil, err
	}
	call, err := f.rt.calls.Enter(f.rt.way, (*frames)(f))
	if err != nil {
		return nil, err
	}
	outer := f.call
	f.call = call
	defer func() {
		f.call = outer
		call.Leave()
	}()
	return fn(f)
}

// Foreign runs fn, which was called by a foreign runtime: a callback out of C. While it runs, a
// coroutine must not be suspended, and no other coroutine entered above it: the Go runtime would
// end the process (golang/go#67499). So every wait in fn is refused with
// trampoline.ErrForeignStack, and so is Call, whether it would wait or not. With
// Config.Backing Goroutine nothing is refused. A killed fiber that continues in fn is unwound by a
// panic with its *Interrupt, which the callback has to contain like any other panic.
func (f *Fiber) Foreign(fn func() error) error {
	f.own("Foreign")
	f.touchAll()
	f.rt.given("Foreign", fn != nil, "a function")
	f.foreign++
	defer func() { f.foreign-- }()
	return fn()
}

// suspendable refuses a wait on a stack that cannot be left.
func (f *Fiber) suspendable() error {
	if f.foreign > 0 && f.rt.backing != Goroutine {
		return trampoline.ErrForeignStack
	}
	return nil
}

// frames is a fiber's stack as the calls made on it see it.
type frames Fiber

// Allows tells whether the stack may be left, or others entered above it.
func (s *frames) Allows(trampoline.Way) bool { return (*Fiber)(s).suspendable() == nil }

// Park suspends the stack.
func (s *frames) Park(o fiber.Outcome) {
	s.out = o
	s.stack.Suspend()
}
