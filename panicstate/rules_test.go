package panicstate

import (
	"errors"
	"strings"
	"testing"
)

func TestADeferRegisteredAfterThePanicCannotRecoverIt(t *testing.T) {
	var s State
	s.Begin(Recoverable, "boom", "")
	s.Defer(1, "late") // by the host, while it unwinds
	s.NextDefer()
	if v, ok := s.Recover(2); ok {
		t.Fatalf("recovered %v", v)
	}
	if step, _ := s.EndDefer(); step != Continue {
		t.Fatalf("the unwind did not go on: %v", step)
	}
}

func TestADeferRegisteredByARunningDeferMayDoWhatItsParentMay(t *testing.T) {
	for _, parentIsLate := range []bool{false, true} {
		var s State
		if !parentIsLate {
			s.Defer(1, "parent")
		}
		s.Begin(Recoverable, "boom", "")
		if parentIsLate {
			s.Defer(1, "parent")
		}
		s.NextDefer()
		s.Defer(1, "child") // on its parent's frame
		s.EndDefer()
		if d, _ := s.NextDefer(); d.Call != "child" {
			t.Fatalf("next is %v", d)
		}
		if _, ok := s.Recover(2); ok == parentIsLate {
			t.Fatalf("child of a late parent %v: recovered %v", parentIsLate, ok)
		}
	}
}

func TestTheGenerationIsInheritedThroughDefersOfHelpersToo(t *testing.T) {
	var s State
	s.Defer(1, "parent")
	s.Begin(Recoverable, "boom", "")
	s.NextDefer()       // parent runs as frame 2 and calls a helper, frame 3
	s.Defer(3, "inner") // which defers
	s.Return(3)         // and returns
	s.Defer(1, "child") // inner registers on the frame that panicked
	s.EndDefer()
	s.EndDefer()
	s.NextDefer()
	if v, ok := s.Recover(2); !ok || v != "boom" {
		t.Fatalf("Recover = %v %v", v, ok)
	}
}

func TestATrampolinesPanicCanBeRecoveredByItsCaller(t *testing.T) {
	var callee, caller State
	callee.Begin(Recoverable, "boom", "lib.js:4")
	callee.NextDefer()
	for range 5 { // the caller has had more panics than the callee
		caller.Defer(1, nil)
		caller.Begin(Recoverable, "earlier", "")
		caller.NextDefer()
		caller.Recover(2)
		caller.EndDefer()
	}
	caller.Defer(1, "handler")
	handed, _ := callee.Outcome()
	caller.Adopt(handed)
	if p, _ := caller.Active(); p.Site != "lib.js:4" || p.Value != "boom" || p.Generation != 6 {
		t.Fatalf("the caller has %+v", p)
	}
	caller.NextDefer()
	if v, ok := caller.Recover(2); !ok || v != "boom" {
		t.Fatalf("Recover = %v %v; the generation was lost", v, ok)
	}
}

func TestAnAdoptedGenerationIsKeptWhenItIsHigher(t *testing.T) {
	var s State
	s.Adopt(Panic{Kind: Exit, Generation: 40})
	if p, _ := s.Active(); p.Generation != 40 {
		t.Fatalf("generation %d", p.Generation)
	}
}

func TestFatalSkipsDefersAndNothingSwallowsIt(t *testing.T) {
	var s State
	s.Defer(1, "never run")
	s.Defer(2, "running")
	s.Begin(Recoverable, "boom", "")
	s.NextDefer()
	s.Begin(Fatal, "killed", "main.lua:9")
	if v, ok := s.Recover(3); ok {
		t.Fatalf("a recover swallowed %v", v)
	}
	s.Begin(Recoverable, "pcall", "")
	s.Begin(Exit, "exit", "")
	s.Begin(Fatal, "killed again", "")
	s.Defer(3, "later")
	if d, ok := s.NextDefer(); ok {
		t.Fatalf("runs %v", d)
	}
	for _, ask := range []func() (Panic, bool){s.Active, s.Outcome} {
		if p, ok := ask(); !ok || p.Value != "killed" || p.Site != "main.lua:9" {
			t.Fatalf("in force: %+v %v; the first fatal panic stays", p, ok)
		}
	}
}

func TestAWeakerPanicDoesNotBecomeTheOutcomeButIsNotHidden(t *testing.T) {
	var s State
	both(&s)
	drain(&s)
	if p, ok := s.Outcome(); !ok || p.Kind != Exit || p.Value != "v" {
		t.Fatalf("outcome %+v %v, want the exit", p, ok)
	}
	if p, ok := s.Active(); !ok || p.Kind != Recoverable || p.Value != "w" {
		t.Fatalf("active %+v %v, want what went wrong while exiting", p, ok)
	}
}

func TestARecoveredPanicIsNoLongerInForce(t *testing.T) {
	var s State
	raise(&s, Recoverable)
	s.Recover(3)
	if p, ok := s.Active(); ok {
		t.Fatalf("%+v is in force", p)
	}
	if _, ok := s.Outcome(); ok {
		t.Fatal("a living fiber has an outcome")
	}
}

func TestAHostThatLosesCountOfItsFramesIsTold(t *testing.T) {
	for name, misuse := range map[string]func(s *State){
		"a deeper frame": func(s *State) { s.Defer(5, nil); s.Return(4) },
		"still running":  func(s *State) { s.Defer(1, nil); s.Return(1); s.Return(1) },
		"of its own":     func(s *State) { s.Defer(1, nil); s.Return(1); s.Defer(2, nil); s.EndDefer() },
	} {
		var s State
		func() {
			defer func() {
				var phase *PhaseError
				if err, _ := recover().(error); !errors.As(err, &phase) || !strings.Contains(err.Error(), name) {
					t.Errorf("%s: %v", name, err)
				}
			}()
			misuse(&s)
		}()
	}
}

func TestResetForgetsEverythingAndKeepsNothingAlive(t *testing.T) {
	var s State
	s.Defer(1, "call")
	raise(&s, Recoverable)
	s.Reset()
	if s.Phase() != Idle || s.generation != 0 {
		t.Fatalf("%v, generation %d", s.Phase(), s.generation)
	}
	for _, p := range s.pending[:cap(s.pending)] {
		if p.Call != nil {
			t.Fatalf("%v is kept alive", p.Call)
		}
	}
	for _, u := range s.unwinds[:cap(s.unwinds)] {
		if u.Value != nil {
			t.Fatalf("%v is kept alive", u.Value)
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	var s State
	call, value := any("call"), any("value")
	round := func() {
		s.Defer(1, call)
		s.Return(1)
		s.EndDefer()
		s.Defer(1, call)
		s.Begin(Recoverable, value, "site")
		s.NextDefer()
		s.Begin(Recoverable, value, "site")
		s.NextDefer()
		s.Reset()
		s.Begin(Fatal, value, "site")
		s.Reset()
	}
	round()
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Fatalf("%v allocations per round", n)
	}
}

func TestNamesAreForReports(t *testing.T) {
	for got, want := range map[string]string{
		Kind(0).String(): "none", Recoverable.String(): "recoverable", Exit.String(): "exit", Fatal.String(): "fatal", (Fatal + 1).String(): "invalid kind",
		Isolate.String(): "isolate", FailGroup.String(): "fail-group", FailRun.String(): "fail-run", (FailRun + 1).String(): "invalid policy",
		Continue.String(): "continue", Recovered.String(): "recovered", Returning.String(): "returning", Stop.String(): "stop", (Stop + 1).String(): "invalid step",
		Idle.String(): "idle", UnwindingFatal.String(): "unwinding-fatal", (UnwindingFatal + 1).String(): "invalid phase",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func BenchmarkDeferReturn(b *testing.B) {
	var s State
	call := any("call")
	b.ReportAllocs()
	for b.Loop() {
		s.Defer(1, call)
		s.Return(1)
		s.EndDefer()
		s.Return(1)
	}
}

func BenchmarkPanicRecover(b *testing.B) {
	var s State
	call, value := any("call"), any("value")
	b.Run("here", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Defer(1, call)
			s.Begin(Recoverable, value, "site")
			s.NextDefer()
			s.Recover(2)
			s.EndDefer()
			s.Return(1)
		}
	})
	b.Run("go", func(b *testing.B) {
		for b.Loop() {
			func() {
				defer func() { _ = recover() }()
				panic(value)
			}()
		}
	})
}

// Native code passes on what its call has handed over, by any panic of its own that is not
// stronger; it does so once, and before the deferred calls run.
func TestNativeCodePassesOnThePanicThatItsCallHandedOver(t *testing.T) {
	for _, c := range []struct {
		handed, begun Kind
		want          any
	}{
		{Recoverable, Recoverable, "the callee's"}, {Recoverable, Exit, "its own"}, {Exit, Recoverable, "the callee's"},
		{Exit, Exit, "the callee's"}, {Recoverable, Fatal, "its own"}, {Exit, Fatal, "its own"},
	} {
		var s State
		s.Adopt(Panic{Kind: c.handed, Value: "the callee's", Generation: 7})
		s.Begin(c.begun, "its own", "")
		if p, _ := s.Active(); p.Value != c.want || p.Kind != max(c.handed, c.begun) {
			t.Errorf("%v after %v: %+v is in force", c.begun, c.handed, p)
		}
		if _, handed := s.Handed(); handed {
			t.Errorf("%v after %v: the panic is passed on twice", c.begun, c.handed)
		}
	}
	var s State
	s.Adopt(Panic{Kind: Recoverable, Value: "the callee's"})
	s.Defer(1, nil)
	s.NextDefer()
	if p, handed := s.Handed(); handed {
		t.Errorf("%v is still the native code's to pass on in a deferred call", p)
	}
}
