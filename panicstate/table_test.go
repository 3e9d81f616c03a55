package panicstate

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// situations are all phases, each with every kind of panic that can be in force there,
// and a deferred call of frame 1 left where the phase can have one.
var situations = []struct {
	name  string
	phase Phase
	build func(s *State)
}{
	{"idle", Idle, func(*State) {}},
	{"returned", Returned, func(s *State) { s.Defer(2, nil); s.Return(2) }},
	{"in-defer/recoverable", InDefer, func(s *State) { raise(s, Recoverable) }},
	{"in-defer/recovered", InDefer, func(s *State) { raise(s, Recoverable); s.Recover(3) }},
	{"in-defer/exit", InDefer, func(s *State) { raise(s, Exit) }},
	{"in-defer/both", InDefer, func(s *State) { both(s); s.NextDefer() }},
	{"unwinding/recoverable", Unwinding, func(s *State) { s.Begin(Recoverable, "v", "") }},
	{"unwinding/exit", Unwinding, func(s *State) { s.Begin(Exit, "v", "") }},
	{"unwinding/both", Unwinding, both},
	{"handed/recoverable", Unwinding, func(s *State) { s.Adopt(Panic{Kind: Recoverable, Value: "v"}) }},
	{"handed/exit", Unwinding, func(s *State) { s.Adopt(Panic{Kind: Exit, Value: "v"}) }},
	{"ended/recoverable", Ended, func(s *State) { s.Begin(Recoverable, "v", ""); drain(s) }},
	{"ended/exit", Ended, func(s *State) { s.Begin(Exit, "v", ""); drain(s) }},
	{"unwinding-fatal", UnwindingFatal, func(s *State) { s.Begin(Fatal, "v", "") }},
}

// raise unwinds into a deferred call of frame 2, which runs as frame 3.
func raise(s *State, k Kind) {
	s.Defer(2, nil)
	s.Begin(k, "v", "")
	s.NextDefer()
}

// both is a panic raised in a deferred call of an exiting fiber, and come out of it.
func both(s *State) {
	s.Defer(2, nil)
	s.Defer(4, nil)
	raise(s, Exit)
	s.Begin(Recoverable, "w", "")
}

func drain(s *State) {
	for {
		if _, ok := s.NextDefer(); !ok {
			return
		}
		s.EndDefer()
	}
}

var operations = []struct {
	name string
	do   func(s *State) string
}{
	{"Begin(recoverable)", func(s *State) string { s.Begin(Recoverable, "n", ""); return "" }},
	{"Begin(exit)", func(s *State) string { s.Begin(Exit, "n", ""); return "" }},
	{"Begin(fatal)", func(s *State) string { s.Begin(Fatal, "n", ""); return "" }},
	{"Begin(none)", func(s *State) string { s.Begin(0, "n", ""); return "" }},
	{"Defer", func(s *State) string { s.Defer(3, "d"); return "" }},
	{"NextDefer", func(s *State) string { return found(s.NextDefer()) }},
	{"Return", func(s *State) string { return found(s.Return(3)) }},
	{"EndDefer", func(s *State) string { step, _ := s.EndDefer(); return step.String() }},
	{"Recover", func(s *State) string { return got(s.Recover(3)) }},
	{"Recover in a helper", func(s *State) string { return got(s.Recover(4)) }},
	{"Reset", func(s *State) string { s.Reset(); return "" }},
}

func found(d Deferred, ok bool) string { return got(d.Frame, ok) }

func got(v any, ok bool) string {
	if !ok {
		return "nothing"
	}
	return fmt.Sprint(v)
}

// Every operation in every phase and kind: what it gives, and the phase after it. The
// word refused means a PhaseError and a state that did not change.
const table = `
                       | Begin(recoverable) | Begin(exit)  | Begin(fatal) | Begin(none) | Defer          | NextDefer       | Return          | EndDefer            | Recover           | Recover in a helper | Reset
idle                   | :unwinding         | :unwinding   | :unwinding-fatal      | refused     | :idle          | refused         | nothing:idle    | refused             | nothing:idle      | nothing:idle        | :idle
returned               | :unwinding         | :unwinding   | :unwinding-fatal      | refused     | :returned      | refused         | nothing:returned | returning:idle     | nothing:returned  | nothing:returned    | :idle
in-defer/recoverable   | :unwinding         | :unwinding   | :unwinding-fatal      | refused     | :in-defer      | refused         | nothing:in-defer | continue:unwinding | v:in-defer        | nothing:in-defer    | :idle
in-defer/recovered     | :unwinding         | :unwinding   | :unwinding-fatal      | refused     | :in-defer      | refused         | nothing:in-defer | recovered:idle     | nothing:in-defer  | nothing:in-defer    | :idle
in-defer/exit          | :unwinding         | :unwinding   | :unwinding-fatal      | refused     | :in-defer      | refused         | nothing:in-defer | continue:unwinding | nothing:in-defer  | nothing:in-defer    | :idle
in-defer/both          | :unwinding         | :unwinding   | :unwinding-fatal      | refused     | :in-defer      | refused         | nothing:in-defer | continue:unwinding | w:in-defer        | nothing:in-defer    | :idle
unwinding/recoverable  | refused            | refused      | :unwinding-fatal      | refused     | :unwinding     | nothing:ended   | refused         | refused             | nothing:unwinding | nothing:unwinding   | :idle
unwinding/exit         | refused            | refused      | :unwinding-fatal      | refused     | :unwinding     | nothing:ended   | refused         | refused             | nothing:unwinding | nothing:unwinding   | :idle
unwinding/both         | refused            | refused      | :unwinding-fatal      | refused     | :unwinding     | 2:in-defer      | refused         | refused             | nothing:unwinding | nothing:unwinding   | :idle
handed/recoverable     | :unwinding         | :unwinding   | :unwinding-fatal      | refused     | :unwinding     | nothing:ended   | refused         | refused             | nothing:unwinding | nothing:unwinding   | :idle
handed/exit            | :unwinding         | :unwinding   | :unwinding-fatal      | refused     | :unwinding     | nothing:ended   | refused         | refused             | nothing:unwinding | nothing:unwinding   | :idle
ended/recoverable      | refused            | refused      | :unwinding-fatal      | refused     | refused        | nothing:ended   | refused         | refused             | nothing:ended     | nothing:ended       | :idle
ended/exit             | refused            | refused      | :unwinding-fatal      | refused     | refused        | nothing:ended   | refused         | refused             | nothing:ended     | nothing:ended       | :idle
unwinding-fatal                 | :unwinding-fatal            | :unwinding-fatal      | :unwinding-fatal      | refused     | :unwinding-fatal        | nothing:unwinding-fatal  | nothing:unwinding-fatal  | stop:unwinding-fatal         | nothing:unwinding-fatal    | nothing:unwinding-fatal      | :idle
`

func TestEveryOperationInEveryPhaseAndKind(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if len(lines) != len(situations)+1 {
		t.Fatalf("%d rows for %d situations", len(lines)-1, len(situations))
	}
	for i, sit := range situations {
		cells := strings.Split(lines[i+1], "|")
		if strings.TrimSpace(cells[0]) != sit.name || len(cells) != len(operations)+1 {
			t.Fatalf("row %q is not %q with %d operations", cells[0], sit.name, len(operations))
		}
		for j, op := range operations {
			s := &State{}
			sit.build(s)
			if s.Phase() != sit.phase {
				t.Fatalf("%s is built in phase %v", sit.name, s.Phase())
			}
			if got, want := attempt(t, s, op.do), strings.TrimSpace(cells[j+1]); got != want {
				t.Errorf("%s while %s: %s, want %s", op.name, sit.name, got, want)
			}
			if err := check(s); err != nil {
				t.Errorf("%s while %s: %v", op.name, sit.name, err)
			}
		}
	}
}

// attempt does an operation and describes what came of it.
func attempt(t *testing.T, s *State, do func(*State) string) (result string) {
	t.Helper()
	before := snapshot(s)
	defer func() {
		refusal := recover()
		if refusal == nil {
			return
		}
		err, ok := refusal.(*PhaseError)
		if !ok || err.Op == "" || err.Fix == "" || err.Phase != s.Phase() {
			t.Errorf("refused with %v", refusal)
		}
		if !reflect.DeepEqual(before, snapshot(s)) {
			t.Errorf("refused, but changed: %+v", s)
		}
		result = "refused"
	}()
	gave := do(s)
	return fmt.Sprintf("%s:%v", gave, s.Phase())
}

func snapshot(s *State) State {
	c := *s
	c.pending = append([]pending{}, s.pending...)
	c.running = append([]running{}, s.running...)
	c.unwinds = append([]unwind{}, s.unwinds...)
	return c
}
