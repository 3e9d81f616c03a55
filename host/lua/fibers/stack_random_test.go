package fibers

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/scheduler"
)

// looker asks for the stacks of all fibers at each poll.
type looker struct {
	t      require.TestingT
	host   *Host
	memory scheduler.Snapshot
	every  int
	polls  int
	values int // how many it has seen
}

func (l *looker) Serve([]fiber.Token) {
	if l.polls++; l.polls%l.every != 0 {
		return
	}
	l.memory = l.host.rt().Scheduler().Inspect().Snapshot(l.memory)
	for _, f := range l.memory.Fibers {
		id, ok := f.ID.Regular()
		if !ok {
			continue
		}
		calls := l.host.Stack(id, true)
		require.NotNil(l.t, calls)
		require.Equal(l.t, functionIn(calls), l.host.Function(id))
		for _, c := range calls {
			require.NotEmpty(l.t, c.Function)
			for _, v := range c.Locals {
				require.True(l.t, utf8.ValidString(v.Value))
				require.LessOrEqual(l.t, utf8.RuneCountInString(v.Value), frame.MaxText)
				l.values++
			}
		}
	}
}

// functionIn is the innermost function of Lua in a stack: those of Go have no file.
func functionIn(calls []frame.Frame) string {
	for _, c := range calls {
		if c.File != "" {
			return c.Function
		}
	}
	return ""
}

func TestLookingAtStacksChangesNoRun(t *testing.T) {
	values := 0
	for i := range long.Cases(20, 500) {
		values += rapid.Custom(func(rt *rapid.T) int {
			program, cfg := randomRun(rt)
			want, _ := looked(t, program, cfg, 0)
			got, n := looked(t, program, cfg, rapid.IntRange(1, 4).Draw(rt, "every"))
			require.Equal(t, want, got, program)
			return n
		}).Example(i)
	}
	require.Greater(t, values, 1000)
}

// looked runs a program, which is looked at if every is not 0. It returns how many transitions the run has.
func looked(t *testing.T, program string, cfg Config, every int) (transitions uint64, values int) {
	h := New(cfg)
	defer h.Close()
	l := &looker{t: t, host: h, every: every}
	if every > 0 {
		h.rt().Scheduler().Ops().AddDevice(l)
	}
	_, err := h.Run(t.Context(), strings.NewReader(program), "p.lua")
	require.NoError(t, err)
	return h.rt().Scheduler().Inspect().Transitions(), l.values
}
