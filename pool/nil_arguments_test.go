package pool_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/pool"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestNoExportedFunctionDereferencesANilArgument(t *testing.T) {
	machine := scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
		return fiber.Outcome{Kind: fiber.Done}
	})
	p := niltest.Probe{Good: []any{context.Background()}, Skip: []string{"Hold"}}
	p.Func(t, "New", pool.New[int])
	p.Func(t, "New of nil fields", func(m func(int) scheduler.Machine[int], r *island.Registry) {
		made, err := pool.New(pool.Config[int]{Workers: 1, Machine: m, Registry: r, Spawn: map[string]func([]byte) (int, scheduler.Options, error){"nil": nil}})
		if err == nil {
			_, _ = made.Island(0).Do(context.Background(), island.Spawn(made.Island(0).Address(), "nil", nil))
		}
	})
	p.Func(t, "New without machines", func(m scheduler.Machine[int]) {
		_, _ = pool.New(pool.Config[int]{Workers: 1, Machine: func(int) scheduler.Machine[int] { return m }})
	})
	p.Methods(t, func() (any, func()) {
		made, err := pool.New(pool.Config[int]{Workers: 1, Machine: func(int) scheduler.Machine[int] { return machine }})
		require.NoError(t, err)
		return made, func() { _ = made.Run(context.Background()) }
	})
}
