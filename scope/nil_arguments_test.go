package scope_test

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/scope"
)

func TestNoExportedFunctionDereferencesANilArgument(t *testing.T) {
	fresh := func() *scheduler.Scheduler[int] {
		s := scheduler.New[int](scheduler.Config{})
		_, _ = s.Spawn(0)
		s.Poll()
		s.ScheduleNext()
		return s
	}
	s := fresh()
	p := niltest.Probe{Good: []any{&fresh().Core, s, scope.Open(&s.Core, scope.Options{}, fiber.Never), fiber.Never}}
	p.Func(t, "Open", scope.Open)
	p.Func(t, "Spawn", scope.Spawn[int])
	p.Func(t, "SpawnBody", scope.SpawnBody[int])
	p.Methods(t, func() (any, func()) {
		s := fresh()
		sc := scope.Open(&s.Core, scope.Options{}, fiber.Never)
		_, _ = scope.Spawn(s, sc, 1, scheduler.Options{})
		return sc, func() { _ = sc.Cause(); sc.Try() }
	})
}
