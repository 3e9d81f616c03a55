package lua_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
)

// Values that go from one call to another are copied a bounded number of times, also in the small
// registry of a spawned fiber.
func TestManyValuesAreCopiedOnce(t *testing.T) {
	const n = 200_000
	for name, call := range map[string]string{
		"unpack":          "unpack({}, 1, n)",
		"string.byte":     "('x'):rep(n):byte(1, -1)",
		"resume":          "coroutine.wrap(function() return unpack({}, 1, n) end)()",
		"yield":           "coroutine.wrap(function() coroutine.yield(unpack({}, 1, n)) end)()",
		"argument resume": "coroutine.wrap(function(...) return ... end)(unpack({}, 1, n))",
		"pcall":           "select(2, pcall(unpack, {}, 1, n))",
		"match":           "select(2, ('x'):match('x'), unpack({}, 1, n))",
	} {
		t.Run(name, func(t *testing.T) {
			d := newDriver(t, lua.Config{Deep: true, MaxStack: 1 << 20}, 1<<40)
			fn, err := d.state.Load(strings.NewReader(fmt.Sprintf("local n = %d; print(select('#', %s))", n, call)), "p.lua")
			require.NoError(t, err)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d.spawn(d.state.Spawn(d.state.Base()), fn)
			for d.step() {
			}
			runtime.ReadMemStats(&after)
			require.Equal(t, fmt.Sprintln(n), d.out.String())
			require.Less(t, (after.TotalAlloc-before.TotalAlloc)/n, uint64(50*16), "bytes for each value")
		})
	}
}

func TestTooManyValuesAreRefusedAtOnce(t *testing.T) {
	for _, call := range []string{
		"unpack({}, 1, 2^31)", "unpack({}, 1, 2^62)", "unpack({}, -2^63, 2^62)", "('x'):rep(2^22):byte(1, -1)",
	} {
		for _, spawned := range []bool{false, true} {
			d := newDriver(t, lua.Config{Deep: true}, 1<<40)
			fn, err := d.state.Load(strings.NewReader("print(pcall(function() return "+call+" end))"), "p.lua")
			require.NoError(t, err)
			th := d.state.Main()
			if spawned {
				th = d.state.Spawn(d.state.Base())
			}
			d.spawn(th, fn)
			for d.step() {
			}
			require.Equal(t, "false\tp.lua:1: registry overflow\n", d.out.String(), call)
		}
	}
}
