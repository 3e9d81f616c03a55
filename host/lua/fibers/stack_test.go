//go:build !purego

package fibers

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// written is a stack as text: a line for each call.
func written(calls []frame.Frame) string {
	var b strings.Builder
	for _, f := range calls {
		b.WriteString(f.Function)
		if f.File != "" {
			fmt.Fprintf(&b, " %s:%d", f.File, f.Line)
		}
		for _, v := range f.Locals {
			fmt.Fprintf(&b, " %s=%s", v.Name, v.Value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// stacks gives the programs show(task), which prints the stack of a task with values.
func (s *stage) stacks() {
	s.global("show", func(L *glua.LState) int {
		o, ok := as[*task](L.Get(1))
		if !ok {
			L.RaiseError("a task expected")
		}
		id, _ := o.of.stack.ID().Regular()
		calls := s.Stack(id, true)
		require.Equal(s.t, functionIn(calls), s.Function(id))
		s.out.WriteString(written(calls))
		return 0
	})
}

func TestTheStackOfAFiberHasItsCallsInEachState(t *testing.T) {
	for _, c := range stackCases {
		t.Run(c.name, func(t *testing.T) {
			budget := max(c.budget, 0)
			s := set(t, slice(budget))
			s.stacks()
			s.play(c.program)
			require.Equal(t, c.want[1:], s.printed())
		})
	}
}

func TestTheStackOfNoFiberIsNil(t *testing.T) {
	s := set(t, Config{})
	s.deadlock("fiber.chan():recv()")
	id, _ := s.rt().Scheduler().Inspect().Snapshot(scheduler.Snapshot{}).Fibers[0].ID.Regular()
	require.Equal(t, "recv\nmain chunk p.lua:1\n", written(s.Stack(id, true)))
	require.Equal(t, "main chunk", s.Function(id))
	s.play("")
	for _, none := range []fiber.RegularID{0, id} {
		require.Nil(t, s.Stack(none, true))
		require.Empty(t, s.Function(none))
	}
}

func TestTheStackOfAFiberOfAnotherHostIsNil(t *testing.T) {
	house := newHouse(t, spinning())
	one, two := house.host(Config{}), house.host(Config{})
	var own, other []frame.Frame
	var functions [2]string
	one.State().Base().SetGlobal("look", one.State().Base().NewFunction(func(L *glua.LState) int {
		id, _ := one.rt().Scheduler().Current().Regular()
		own, other = one.Stack(id, false), two.Stack(id, false)
		functions = [2]string{one.Function(id), two.Function(id)}
		return 0
	}))
	one.post("look()")
	ctx, stop := context.WithCancel(house.ctx)
	one.State().Base().SetGlobal("stop", one.State().Base().NewFunction(func(*glua.LState) int { stop(); return 0 }))
	one.post("stop()")
	require.ErrorIs(t, house.Serve(ctx), context.Canceled)
	require.Equal(t, "look\nmain chunk p.lua:1\n", written(own))
	require.Nil(t, other)
	require.Equal(t, [2]string{"main chunk", ""}, functions)
}

func TestAFiberOfTheLibraryHasNoCalls(t *testing.T) {
	s := set(t, Config{})
	task, err := s.env.spawnIn("go", func(f *stackful.Fiber) (any, error) {
		id, _ := f.Task().ID().Regular()
		require.Equal(t, []frame.Frame{}, s.Stack(id, true))
		require.Empty(t, s.Function(id))
		return nil, nil
	})
	require.NoError(t, err)
	s.play("fiber.sleep(1)")
	_, _, done := task.Result()
	require.True(t, done)
}
