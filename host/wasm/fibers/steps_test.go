package fibers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// tasks is a program of tasks that work, call the host, and then wait without end.
func tasks(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("func child (i64) export local.get 0 i32.wrap_i64 call busy call yield i32.const 9 call busy i64.const 1 call sleep i32.const 1 i32.const 32 i64.const -1 call recv drop end\n")
	b.WriteString("func run () export i32.const 0 call chan drop i32.const 5 call busy\n")
	for range rapid.IntRange(0, 5).Draw(t, "tasks") {
		fmt.Fprintf(&b, "i32.const 64 i32.const 5 i64.const %d call spawn drop\n", rapid.IntRange(1, 300).Draw(t, "turns"))
		b.WriteString(rapid.SampledFrom([]string{"", "call yield\n", "call print\n", "i32.const 50 call busy\n"}).Draw(t, "between"))
	}
	return b.String() + "i32.const 1 i32.const 32 i64.const -1 call recv drop end"
}

func TestTheStepsOfAllTasksAreThoseOfTheAccount(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := tasks(r)
		cfg := fibers.Config{CountSteps: rapid.Bool().Draw(r, "counted")}
		if !cfg.CountSteps {
			cfg.Quota = quota.Limits{Steps: 1_000_000}
		}
		cfg.Wasm.Cache, cfg.Wasm.Runtime.Budget = cache, rapid.SampledFrom([]int{7, 100, 10_000}).Draw(r, "budget")
		h, err := fibers.New(cfg)
		require.NoError(r, err)
		defer h.Close()
		_, err = h.Run(t.Context(), "p.wasm", asm.Assemble(uses+text))
		var deadlock *scheduler.DeadlockError
		require.ErrorAs(r, err, &deadlock)
		sum := int64(0)
		for _, f := range h.Runtime().Fibers().Scheduler().Inspect().Snapshot(scheduler.Snapshot{}).Fibers {
			if id, regular := f.ID.Regular(); regular {
				steps, counted := h.Steps(id)
				require.True(r, counted)
				require.Positive(r, steps)
				sum += int64(steps)
			}
		}
		require.Equal(r, h.Spent().Steps, sum)
	})
}

func TestTheStepsOfTasksAreNotCountedUnlessAskedFor(t *testing.T) {
	cfg := fibers.Config{}
	cfg.Wasm.Cache = cache
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	_, err = h.Run(t.Context(), "p.wasm", asm.Assemble(uses+"func run () export i32.const 0 call chan i32.const 32 i64.const -1 call recv drop end"))
	require.Error(t, err)
	for _, f := range h.Runtime().Fibers().Scheduler().Inspect().Snapshot(scheduler.Snapshot{}).Fibers {
		id, _ := f.ID.Regular()
		_, counted := h.Steps(id)
		require.False(t, counted)
	}
	_, counted := h.Steps(fiber.RegularID(0))
	require.False(t, counted)
}
