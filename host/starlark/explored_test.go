package starlark_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/host/starlark"
	"github.com/selvage-dev/selvage/scheduler"
)

// What the steps of a program use is declared: DPOR finds every ending that all schedules have.
func TestDPORFindsTheEndingsOfAllSchedules(t *testing.T) {
	for _, source := range []string{
		"def f(i): print(i)\nts = [fiber.spawn(f, i) for i in range(3)]\nfor t in ts: t.join()",
		"ch = fiber.chan(1)\nts = [fiber.spawn(lambda i: ch.try_send(i), i) for i in range(2)]\nprint([t.join() for t in ts], ch.try_recv())",
		"a, b = fiber.mutex(), fiber.mutex()\ndef f(x, y):\n x.lock()\n y.lock()\n y.unlock()\n x.unlock()\nts = [fiber.spawn(f, a, b), fiber.spawn(f, b, a)]\nfor t in ts: t.join()",
	} {
		want, _ := endings(t, source, explore.Depth(explore.Unbounded))
		got, complete := endings(t, source, explore.DPOR())
		require.NotEmpty(t, complete, source)
		require.Greater(t, len(want), 1, source)
		require.Equal(t, want, got, source)
	}
}

// endings runs the schedules of a strategy, and returns how the runs ended.
func endings(t *testing.T, source string, s explore.Strategy) (list []string, complete string) {
	inner := explore.Guest(explore.Bounds{}, func(ctx context.Context, cfg scheduler.Config, output io.Writer) error {
		c := starlark.Config{}
		c.Access.Stdout, c.Runtime.Config = output, cfg
		h, err := starlark.New(c)
		if err != nil {
			return err
		}
		defer h.Close()
		_, err = h.Run(ctx, "p.star", []byte(source))
		return err
	})
	found := map[string]bool{}
	r, err := explore.Search(t.Context(), func(d *explore.Decisions) (explore.Ending, error) {
		ending, err := inner(d)
		found[fmt.Sprint(ending.Kind, ending.Output)] = true
		return explore.Ending{Kind: explore.Passed}, err
	}, explore.Options{Strategy: s, Runs: 2000})
	require.NoError(t, err, source)
	return slices.Sorted(maps.Keys(found)), r.Complete
}
