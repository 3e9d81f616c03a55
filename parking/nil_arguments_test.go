package parking_test

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/parking"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

func TestNoExportedFunctionDereferencesANilArgument(t *testing.T) {
	done := fiber.Outcome{Kind: fiber.Done}
	machine := scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome { return done })
	p := niltest.Probe{
		Good: []any{scheduler.New[int](scheduler.Config{}), machine, func() fiber.Outcome { return done }},
		Nil:  []any{scheduler.MachineFunc[int](nil), trampoline.CalleeFunc(nil)},
	}
	p.Func(t, "New", parking.New[int])
	for _, inSlice := range []bool{false, true} {
		p.Methods(t, func() (any, func()) {
			s := scheduler.New[int](scheduler.Config{})
			_, _ = s.SpawnWith(0, scheduler.Options{Frames: true})
			s.Poll()
			if inSlice {
				s.ScheduleNext()
			}
			return parking.New(s, machine), nil
		})
	}
	// Native code's own calls: what they are refused by leaves Run.
	p.Func(t, "Call", func(callee trampoline.Callee) {
		m := newVM(t, scheduler.Config{})
		m.spawn(func(*code) fiber.Outcome {
			return m.native.Run(func() fiber.Outcome { return fail(m.native.Call(callee)) })
		})
		_ = m.run()
	})
}
