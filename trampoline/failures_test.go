package trampoline_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/assert"
)

var errBad, errEnough = errors.New("bad comparison"), errors.New("enough")

// stopping waits, and unwinds for what ends the wait.
func (r *fixture) stopping() *steps {
	return &steps{
		func() fiber.Outcome { return fiber.BlockOn(fiber.OnQueue()) },
		func() fiber.Outcome {
			_, result := r.Claim()
			assert.Equal(r.t, fiber.Cancelled, result.Code)
			return r.Unwind().Stop("guest:2")
		},
	}
}

// The natural reaction of native code, to pass the error on, ends the fiber with what ended the
// callee, whatever native code does before.
func TestNativeCodeThatPassesOnAFailureEndsItsFiberWithIt(t *testing.T) {
	natural := func(r *fixture, err error) fiber.Outcome { return r.Unwind().Fail(err, "native:1") }
	for name, react := range map[string]func(r *fixture, err error) fiber.Outcome{
		"the error": natural,
		"wraps it":  func(r *fixture, err error) fiber.Outcome { return natural(r, fmt.Errorf("sort: %w", err)) },
		"another":   func(r *fixture, _ error) fiber.Outcome { return natural(r, errors.New("sort failed")) },
		"by its machine": func(r *fixture, err error) fiber.Outcome {
			if r.Unwind().UnwindCause() == nil { // a killed fiber runs no deferred call
				r.Unwind().Panics().NextDefer()
			}
			return failed
		},
		"and calls again": func(r *fixture, err error) fiber.Outcome {
			again := r.again(func() fiber.Outcome { r.t.Error("the callee began"); return done })
			assert.Error(r.t, again)
			return natural(r, again)
		},
	} {
		for end, c := range map[string]struct {
			callee func(r *fixture) *steps
			end    func(s *scheduler.Scheduler[*native], id fiber.ID) error
			want   error
		}{
			"fails": {func(r *fixture) *steps {
				return &steps{func() fiber.Outcome { return r.Unwind().Fail(errBad, "guest:1") }}
			}, nil, errBad},
			"is cancelled": {(*fixture).stopping, func(s *scheduler.Scheduler[*native], id fiber.ID) error { return s.Cancel(id, errEnough) }, errEnough},
			"is killed":    {(*fixture).stopping, func(s *scheduler.Scheduler[*native], id fiber.ID) error { return s.Kill(id, errEnough) }, errEnough},
		} {
			inEveryWay(t, scheduler.Config{}, func(r *fixture) {
				var got error
				id := r.spawnReacting(c.callee(r), func(err error) fiber.Outcome {
					assert.ErrorIs(t, err, c.want)
					return react(r, err)
				}, func(_ any, err error) { got = err })
				if c.end != nil {
					r.peer(func() { assert.NoError(t, c.end(r.Scheduler, id.ID())) })
				}
				r.run()
				assert.ErrorIs(t, got, c.want, "%s, the callee %s", name, end)
				var p *scheduler.PanicError
				if panicked := errors.As(got, &p); panicked != (end == "fails") || panicked && p.Site != "guest:1" {
					t.Errorf("%s, the callee %s: the fiber ended with %v", name, end, got)
				}
			})
		}
	}
}

// A callee of a callee that fails ends both, and its site is that of the innermost.
func TestAFailurePassesThroughCallsOfCalls(t *testing.T) {
	inEveryWay(t, scheduler.Config{}, func(r *fixture) {
		var got error
		r.spawnReacting(&steps{func() fiber.Outcome {
			err := r.again(func() fiber.Outcome { return r.Unwind().Fail(errBad, "guest:9") })
			return r.Unwind().Fail(err, "guest:1")
		}}, func(err error) fiber.Outcome { return r.Unwind().Fail(err, "native:1") }, func(_ any, err error) { got = err })
		r.run()
		assert.EqualError(t, got, "guest:9: panic: bad comparison")
	})
}

// A cancelled callee may not look like one that succeeded, and one that fails gives its panic.
func TestACalleeThatEndsWithoutUnwindingIsRefusedByName(t *testing.T) {
	waits := func() fiber.Outcome { return fiber.BlockOn(fiber.OnQueue()) }
	for _, c := range []struct {
		callee func(r *fixture) *steps
		fix    string
	}{
		{func(r *fixture) *steps { return &steps{waits, func() fiber.Outcome { r.Claim(); return done }} }, "returned Done"},
		{func(r *fixture) *steps {
			return &steps{func() fiber.Outcome { return expired }, func() fiber.Outcome { r.TakeInterrupt(); return done }}
		}, "returned Done"},
		{func(*fixture) *steps { return &steps{func() fiber.Outcome { return failed }} }, "returned Panic, and no panic has ended its code"},
	} {
		inEveryWay(t, scheduler.Config{}, func(r *fixture) {
			id := r.spawn(c.callee(r), nil)
			r.peer(func() { _ = r.Cancel(id.ID(), errEnough) })
			err := func() (err error) {
				defer func() { err, _ = recover().(error) }()
				return r.Run(t.Context(), r)
			}()
			var broken *scheduler.ContractError
			if assert.ErrorAs(t, err, &broken) {
				assert.Contains(t, broken.Fix, c.fix)
			}
			r.run() // with the others
		})
	}
}

// A fiber that handles its cancellation by native calls in deferred code makes them as before.
func TestACallThatBeginsAfterTheCancellationMayEndWell(t *testing.T) {
	inEveryWay(t, scheduler.Config{}, func(r *fixture) {
		var id fiber.RegularID
		id = r.spawnReacting(&steps{func() fiber.Outcome { return done }}, func(err error) fiber.Outcome {
			assert.NoError(t, err)
			assert.NoError(t, r.Cancel(id.ID(), nil))
			code, _ := r.TakeInterrupt()
			assert.Equal(t, fiber.Cancelled, code)
			assert.NoError(t, r.again(func() fiber.Outcome { return done }))
			r.Unwind().Panics().Defer(0, "cleanup")
			r.Unwind().BeginPanic(panicstate.Exit, r.Unwind().Cause(r.Current()), "")
			r.Unwind().Panics().NextDefer()
			assert.NoError(t, r.again(func() fiber.Outcome { return done }))
			r.Unwind().Panics().EndDefer()
			r.Unwind().Panics().NextDefer()
			return failed
		}, func(_ any, err error) { assert.ErrorIs(t, err, scheduler.ErrCancelled) })
		r.run()
	})
}
