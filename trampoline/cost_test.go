//go:build !invariants

package trampoline_test

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// The checked build is left out: its checks take memory of their own.

func TestACallThatHasRunBeforeTakesNoMemory(t *testing.T) {
	callee := trampoline.CalleeFunc(func() fiber.Outcome { return done })
	for _, c := range []struct {
		way     trampoline.Way
		options scheduler.Options
		call    func(*trampoline.Pool[int]) error
	}{
		{trampoline.ExitAndReenter, scheduler.Options{}, func(calls *trampoline.Pool[int]) error {
			call, err := calls.Reenter()
			if err == nil {
				_, err = call.Run(callee)
			}
			return err
		}},
		{trampoline.Parking, scheduler.Options{Frames: true}, func(calls *trampoline.Pool[int]) error { return calls.Park(idle{}, callee) }},
		{trampoline.Nesting, scheduler.Options{Nests: true}, func(calls *trampoline.Pool[int]) error { return calls.Nest(callee) }},
	} {
		t.Run(c.way.String(), func(t *testing.T) {
			s, calls := solo(t, scheduler.Config{}, c.options)
			call := func() {
				if err := c.call(calls); err != nil {
					t.Fatal(err)
				}
			}
			call()
			if n := testing.AllocsPerRun(100, call); n != 0 {
				t.Errorf("%v allocations", n)
			}
			s.Inspect().Verify()
		})
	}
}

// Pump and everything in it: a call that waits for a deadline and finds it passed, and a
// turn of the others.
func TestAPumpTakesNoMemory(t *testing.T) {
	clock := scheduler.NewVirtualClock()
	s, calls := solo(t, scheduler.Config{Clock: clock}, scheduler.Options{Nests: true})
	call, err := calls.Enter(trampoline.Nesting, nil)
	if err != nil {
		t.Fatal(err)
	}
	wait := func() {
		if err := call.Suspend(fiber.BlockOn(fiber.Until(s.Now().After(1)))); err != nil {
			t.Fatal(err)
		}
		s.Claim()
		if err := call.Suspend(expired); err != nil {
			t.Fatal(err)
		}
	}
	for range 1000 {
		wait() // until the timer wheel has what it needs
	}
	if n := testing.AllocsPerRun(100, wait); n != 0 {
		t.Errorf("%v allocations", n)
	}
	call.Leave()
}
