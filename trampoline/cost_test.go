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
	for name, o := range map[string]scheduler.Options{"exit and re-enter": {}, "nesting": {Nests: true}} {
		t.Run(name, func(t *testing.T) {
			s, calls := solo(t, scheduler.Config{}, o)
			callee := trampoline.CalleeFunc(func() fiber.Outcome { return done })
			call := func() {
				outer, _ := calls.Enter(nil)
				inner, err := calls.Enter(nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := inner.Run(callee); err != nil {
					t.Fatal(err)
				}
				outer.Leave()
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
	call, err := calls.Enter(nil)
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
