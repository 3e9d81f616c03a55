package scheduler

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/quota"
)

// receivers are what a scheduler gives its host, which are all types with operations.
var receivers = map[string]func(s *Scheduler[int]) any{
	"Scheduler":   func(s *Scheduler[int]) any { return s },
	"Ops":         func(s *Scheduler[int]) any { return s.Ops() },
	"Steps":       func(s *Scheduler[int]) any { return s.Steps() },
	"Unwind":      func(s *Scheduler[int]) any { return s.Unwind() },
	"Attachments": func(s *Scheduler[int]) any { return s.Attachments() },
	"Inspect":     func(s *Scheduler[int]) any { return s.Inspect() },
	"Choices":     func(s *Scheduler[int]) any { return s.Choices() },
	"Calls":       func(s *Scheduler[int]) any { return s.Calls() },
	"Moves":       func(s *Scheduler[int]) any { return s.Moves() },
	"Inbox":       func(s *Scheduler[int]) any { return s.Inbox() },
	"Handle":      func(s *Scheduler[int]) any { h, _ := s.Start(0, Options{}); return h },
	"Waker":       func(s *Scheduler[int]) any { return s.Attachments().NewWaker() },
	"Group":       func(s *Scheduler[int]) any { return s.Attachments().NewGroup(nil, "", quota.Limits{}) },
	"Loop":        func(s *Scheduler[int]) any { return s.Steps().Begin(context.Background()) },
}

// Every exported method answers nil and zero arguments with an error, a contract error, or in
// its own way; none dereferences nil, also not later.
func TestNoExportedMethodDereferencesANilArgument(t *testing.T) {
	states := []func(s *Scheduler[int]){
		func(*Scheduler[int]) {},
		func(s *Scheduler[int]) { _, _ = s.Spawn(0); s.Poll(); s.ScheduleNext() },
		func(s *Scheduler[int]) { _, _ = s.Spawn(0); s.Poll(); s.ScheduleNext(); s.Arm(fiber.OnQueue()) },
	}
	calls := 0
	for _, of := range receivers {
		for _, enter := range states {
			p := niltest.Probe{
				Good: []any{context.Background(), MachineFunc[int](sleeper), new(fakeSource), new(ioqueue.Completion), new(testLink),
					new(ownerHook), context.Canceled, func() {}, func(fiber.Token) error { return context.Canceled }},
				Nil: []any{MachineFunc[int](nil)},
			}
			p.Methods(t, func() (any, func()) {
				s := New[int](Config{})
				enter(s)
				return of(s), func() {
					defer func() { assert.Nil(t, s.Inspect().Poisoned()) }()
					s.Inspect().Verify()
				}
			})
			calls += p.Calls
		}
	}
	if calls < 300 {
		t.Errorf("only %d calls", calls)
	}
}
