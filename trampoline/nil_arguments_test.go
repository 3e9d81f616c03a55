package trampoline_test

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// anyStack parks and nests anywhere.
type anyStack struct{}

func (anyStack) Allows(trampoline.Way) bool { return true }
func (anyStack) Park(fiber.Outcome)         {}

func TestNoExportedFunctionDereferencesANilArgument(t *testing.T) {
	machine := scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome { return done })
	callee := trampoline.CalleeFunc(func() fiber.Outcome { return done })
	p := niltest.Probe{
		Good: []any{scheduler.New[int](scheduler.Config{}), machine, callee, anyStack{}, trampoline.Parking},
		Nil:  []any{trampoline.CalleeFunc(nil)},
	}
	p.Func(t, "New", trampoline.New[int])
	for _, nests := range []bool{false, true} {
		fresh := func() *trampoline.Pool[int] {
			s := scheduler.New[int](scheduler.Config{})
			_, _ = s.SpawnWith(0, scheduler.Options{Frames: true, Nests: nests})
			s.Poll()
			s.ScheduleNext()
			return trampoline.New[int](s, nil)
		}
		p.Methods(t, func() (any, func()) { return fresh(), nil })
		p.Methods(t, func() (any, func()) {
			way := trampoline.Parking
			if nests {
				way = trampoline.Nesting
			}
			call, _ := fresh().Enter(way, anyStack{})
			return call, nil
		})
		if !nests {
			p.Methods(t, func() (any, func()) {
				r, _ := fresh().Reenter()
				return r, nil
			})
		}
	}
}
