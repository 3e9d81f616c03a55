package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/wait"
)

// Scope is a scope as the code in it holds it: what it spawns through it has ended when
// Fiber.Scope returns.
type Scope struct {
	rt   *Runtime
	life *scope.Scope
}

// Scope runs body in a fiber of its own, and returns when that fiber and all others that were
// spawned into the scope have ended. By default the first of them that fails, by an error, a
// panic or a kill, cancels the others, the body included; see scope.Options. The value is the
// body's; with scope.AnySuccess it is that of the first success.
//
// If f is cancelled meanwhile, the fibers of the scope are cancelled with the same cause, and
// Scope returns the *Interrupt when they have ended. Within Shield that is postponed. If f is
// killed, they are killed with it. Other errors: *scope.Failure, *scope.CancelError, several of
// those joined, scheduler.ErrTooManyFibers.
//
// The body does not run on f: it uses the Fiber that it is given, and does not own the locks of f.
func (f *Fiber) Scope(o scope.Options, body func(f *Fiber, s *Scope) (any, error)) (any, error) {
	return f.ScopeUntil(o, fiber.Never, body)
}

// ScopeUntil is Scope with a deadline, at which all its fibers are cancelled. The error is
// then a *scope.CancelError with scope.ErrDeadline, when they have ended. One more error is
// scheduler.ErrTooManyTimers.
func (f *Fiber) ScopeUntil(o scope.Options, deadline fiber.Time, body func(f *Fiber, s *Scope) (any, error)) (any, error) {
	f.own("Scope")
	f.touchAll()
	f.rt.given("Scope", body != nil, "a function")
	if err := f.beginWait("Scope"); err != nil {
		return nil, err
	}
	if err := f.waitRoom(deadline); err != nil {
		return nil, err
	}
	s := &Scope{f.rt, scope.Open(&f.rt.sched.Core, o, deadline)}
	_, refused := s.rt.spawn(o.Name, func(f *Fiber) (any, error) { return body(f, s) }, s.enterBody)
	stopped := f.awaitEnd(s.life)
	if stopped != nil && stopped.Killed {
		return nil, stopped // its fibers are killed when it is dead
	}
	value, err := s.life.Close()
	switch {
	case refused != nil:
		return nil, refused
	case stopped != nil:
		return nil, stopped
	}
	return value, err
}

// awaitEnd waits until a scope has ended, and tells whether the fiber was cancelled or
// killed meanwhile.
func (f *Fiber) awaitEnd(life *scope.Scope) (stopped *Interrupt) {
	for !life.Try() {
		t, res, err := f.Await(life.Reason(), life.Park, life.Source()) // ScopeUntil has seen to it that it waits
		if i, ok := err.(*Interrupt); ok {
			stopped = i
		}
		if stopped != nil && stopped.Killed {
			return stopped
		}
		life.Collect(t, res)
	}
	return stopped
}

func (s *Scope) enterBody(f *Fiber, o scheduler.Options) (fiber.RegularID, error) {
	return scope.SpawnBody(s.rt.sched, s.life, f, o)
}

// Go spawns a fiber into the scope; f is the one that calls, usually one of the scope.
// Errors: *scope.ClosedError with the cause if the scope is stopping or has ended,
// wait.ErrForeign, and those of Runtime.Go.
func (s *Scope) Go(f *Fiber, name string, fn Func) (*Task, error) {
	f.own("Go")
	f.touchAll()
	t, err := f.rt.spawn(name, fn, func(child *Fiber, o scheduler.Options) (fiber.RegularID, error) {
		return scope.Spawn(f.rt.sched, s.life, child, o)
	})
	return t, f.at(err)
}

// Cancel cancels all fibers of the scope, and f too if it is one of them; the scope ends with a
// *scope.CancelError. A scope whose result is decided already, or that has ended, does not change.
// The error is wait.ErrForeign. A killed fiber may still cancel.
func (s *Scope) Cancel(f *Fiber, cause error) error {
	f.own("Cancel")
	f.touchAll()
	err := s.admit(f, "cancel")
	if err == nil {
		s.life.Cancel(cause)
	}
	return err
}

// Stop cancels all fibers of the scope except f, because the scope's work is done. The scope does
// not fail by it. The error is wait.ErrForeign.
func (s *Scope) Stop(f *Fiber) error {
	f.own("Stop")
	f.touchAll()
	err := s.admit(f, "stop")
	if err == nil {
		s.life.Stop()
	}
	return err
}

func (s *Scope) admit(f *Fiber, op string) error {
	if f.rt != s.rt {
		return f.at(&wait.Error{Op: op, Object: describe(s.life.Source()), By: f.ID(), Err: wait.ErrForeign})
	}
	return nil
}
