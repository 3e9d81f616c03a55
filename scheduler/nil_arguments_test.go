package scheduler

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// withNil calls the method once with every argument nil or zero, and reports a nil dereference.
func withNil(t *testing.T, name string, method reflect.Value) {
	t.Helper()
	defer func() {
		if err, ok := recover().(error); ok {
			if bad := runtime.Error(nil); errors.As(err, &bad) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}()
	in := make([]reflect.Value, method.Type().NumIn())
	for i := range in {
		in[i] = reflect.Zero(method.Type().In(i))
	}
	if method.Type().IsVariadic() {
		in[len(in)-1] = reflect.MakeSlice(method.Type().In(len(in)-1), 1, 1) // one nil
		method.CallSlice(in)
		return
	}
	method.Call(in)
}

// Every exported method answers nil and zero arguments with an error, a contract error, or in
// its own way; none dereferences nil.
func TestNoExportedMethodDereferencesANilArgument(t *testing.T) {
	receivers := map[string]func(s *Scheduler[int]) any{
		"Scheduler":   func(s *Scheduler[int]) any { return s },
		"Ops":         func(s *Scheduler[int]) any { return s.Ops() },
		"Steps":       func(s *Scheduler[int]) any { return s.Steps() },
		"Unwind":      func(s *Scheduler[int]) any { return s.Unwind() },
		"Attachments": func(s *Scheduler[int]) any { return s.Attachments() },
		"Inspect":     func(s *Scheduler[int]) any { return s.Inspect() },
		"Calls":       func(s *Scheduler[int]) any { return s.Calls() },
		"Moves":       func(s *Scheduler[int]) any { return s.Moves() },
		"Inbox":       func(s *Scheduler[int]) any { return s.Inbox() },
		"Handle":      func(s *Scheduler[int]) any { h, _ := s.Start(0, Options{}); return h },
		"Waker":       func(s *Scheduler[int]) any { return s.Attachments().NewWaker() },
		"Loop":        func(s *Scheduler[int]) any { return s.Steps().Begin(context.Background()) },
	}
	states := map[string]func(s *Scheduler[int]){
		"idle":    func(*Scheduler[int]) {},
		"running": func(s *Scheduler[int]) { _, _ = s.Spawn(0); s.Poll(); s.ScheduleNext() },
		"armed":   func(s *Scheduler[int]) { _, _ = s.Spawn(0); s.Poll(); s.ScheduleNext(); s.Arm(fiber.OnQueue()) },
	}
	waits := map[string]bool{"WaitForInput": true, "Sleep": true} // parks without a deadline
	calls := 0
	for name, of := range receivers {
		for state, enter := range states {
			probe := reflect.TypeOf(of(New[int](Config{})))
			for i := range probe.NumMethod() {
				s := New[int](Config{})
				enter(s)
				receiver := reflect.ValueOf(of(s))
				if m := probe.Method(i).Name; !waits[m] || receiver.Method(i).Type().NumIn() > 0 {
					withNil(t, name+"."+m+", "+state, receiver.Method(i))
					calls++
				}
				if s.Inspect().Poisoned() == nil {
					func() {
						defer func() { _ = recover() }() // an operation under way is refused
						s.Inspect().Verify()
					}()
				}
			}
		}
	}
	if calls < 300 {
		t.Errorf("only %d calls", calls)
	}
}
