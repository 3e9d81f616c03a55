//go:build invariants

package parking_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// spawnElsewhere calls Spawn on another goroutine, and returns what it panicked with.
func (m *vm) spawnElsewhere() (refused any) {
	seen := make(chan any)
	go func() {
		defer func() { seen <- recover() }()
		_, _ = m.Spawn(m.code())
	}()
	return <-seen
}

// Native code changes its goroutine at each switch; the owner is the one that runs.
func TestAGoroutineThatNativeCodeStartsMayNotUseItsScheduler(t *testing.T) {
	m := newVM(t, scheduler.Config{})
	var seen []any
	intrude := func(*code) fiber.Outcome { seen = append(seen, m.spawnElsewhere()); return fiber.Outcome{} }
	native := func(c *code) fiber.Outcome {
		return m.native.Run(func() fiber.Outcome {
			intrude(c)
			require.NoError(t, m.native.Call(m.code(intrude, yield, intrude)))
			return intrude(c)
		})
	}
	m.spawn(intrude, native, call([]step{native}), intrude)
	m.spawn(native, intrude)
	require.NoError(t, m.run())
	require.Len(t, seen, 15)
	for _, e := range seen {
		require.IsType(t, (*scheduler.ContractError)(nil), e)
		require.ErrorContains(t, e.(error), "ONE-OWNER")
	}
}
