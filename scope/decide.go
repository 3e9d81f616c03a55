package scope

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Cancel cancels the fibers of the scope, in the order of their spawning, with the cause
// (nil means scheduler.ErrCancelled); any fiber may, and if it is one of the scope it is
// cancelled with the others. The result is then a *CancelError. What decides first counts:
// Cancel of a scope that is decided or has ended does nothing.
func (s *Scope) Cancel(cause error) {
	if s.decided || s.ended {
		return
	}
	if cause == nil {
		cause = scheduler.ErrCancelled
	}
	s.verdict = &CancelError{Scope: s.opts.Name, Cause: cause}
	for _, o := range s.decide(cause, nil) {
		_ = s.core.Cancel(o.ID, o.Cause) // it is alive
	}
}

// Stop tells that the scope has done what it was for: its fibers are cancelled, with
// ErrStopped, and that is no error. The fiber that calls goes on; how it ends decides, and
// so can Cancel still. On a scope that is not open it does nothing.
func (s *Scope) Stop() {
	if s.cause != nil || s.ended {
		return
	}
	s.cause = ErrStopped
	for _, o := range s.roll.order(ErrStopped, false, nil) {
		if o.ID != s.core.Current() {
			_ = s.core.Cancel(o.ID, o.Cause) // it is alive
		}
	}
}

// decide fixes the result, but for failures still to come under WaitAll, and has all
// fibers cancelled.
func (s *Scope) decide(cause error, orders []fiber.Order) []fiber.Order {
	s.cause, s.decided = cause, true
	return s.roll.order(cause, false, orders)
}

// Died is the end of a fiber of the scope.
func (m *member) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	s := m.scope
	s.roll.remove(m)
	switch {
	case d.Err == nil:
		orders = s.succeeded(m, d, orders)
	case !s.obeyed(d):
		orders = s.failed(m, d, orders)
	}
	if s.roll.n == 0 {
		wakes = s.release(wakes)
	}
	return wakes, orders
}

// release ends the scope if its owner waits for that, or is dead. One that does neither
// may yet spawn.
func (s *Scope) release(wakes []fiber.Wakeup) []fiber.Wakeup {
	if !s.waiting.IsZero() {
		s.ended = true
		wakes = append(wakes, fiber.Wakeup{Ticket: s.waiting, Result: fiber.Result{Code: fiber.OK}})
		s.waiting = fiber.Ticket{}
	}
	s.ended = s.ended || s.closed
	return wakes
}

func (s *Scope) succeeded(m *member, d fiber.Death, orders []fiber.Order) []fiber.Order {
	switch any := s.opts.Policy == AnySuccess; {
	case !any && m.body:
		s.value = d.Result
	case any && !m.body && !s.decided:
		s.observe()
		s.value, s.failures = d.Result, nil
		return s.decide(ErrStopped, orders)
	}
	return orders
}

// obeyed tells whether the fiber ended because it was told to.
func (s *Scope) obeyed(d fiber.Death) bool {
	if d.Killed {
		return s.cause != nil
	}
	return d.Cause != nil && errors.Is(d.Err, d.Cause)
}

func (s *Scope) failed(m *member, d fiber.Death, orders []fiber.Order) []fiber.Order {
	if s.decided && s.opts.Policy != WaitAll {
		return orders // who joins the fiber learns of it
	}
	f := &Failure{Scope: s.opts.Name, Fiber: d.ID, Name: d.Name, Err: d.Err}
	s.failures = append(s.failures, failure{f, m.cell})
	if s.opts.Policy != CancelOnError || s.opts.IsolatePanics && panicked(d.Err) {
		return orders
	}
	return s.decide(f, orders)
}

// observe marks the failures as seen.
func (s *Scope) observe() {
	for _, f := range s.failures {
		if f.cell != nil {
			_, _, _ = f.cell.Result()
		}
	}
}

func panicked(err error) bool {
	var p *scheduler.PanicError
	return errors.As(err, &p)
}

// result is the verdict and the failures, joined if there are several.
func (s *Scope) result() error {
	var all []error
	if s.verdict != nil {
		all = append(all, s.verdict)
	}
	for _, f := range s.failures {
		all = append(all, f.Failure)
	}
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}

// keeper is the scope as the link of its owner.
type keeper Scope

// Died is the end of the owner before Close: it can supervise no fiber any more.
func (k *keeper) Died(_ fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	s := (*Scope)(k)
	s.closed = true
	if !s.decided {
		s.cause, s.decided = ErrOwnerDied, true
	}
	s.Try()
	return wakes, s.roll.order(ErrOwnerDied, true, orders)
}
