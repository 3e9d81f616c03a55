//go:build !purego

package vm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// returning are expressions of d, a call that goes down n levels and comes back: through every kind of
// loop, and with an error that Lua or Go catches in the middle.
func returning() map[string]string {
	return map[string]string{
		"calls":         `d(n)`,
		"an iterator":   `(function() local s = 0 for v in coming(3, n) do s = s + v end return s end)()`,
		"a comparison":  `(setmetatable({}, mt) == setmetatable({}, mt)) and d(n) or -1`,
		"less":          `(setmetatable({}, mt) < setmetatable({}, mt)) and d(n) or -1`,
		"less or equal": `(setmetatable({}, mt) <= setmetatable({}, mt)) and d(n) or -1`,
		"an index":      `setmetatable({}, mt)[n] + d(n)`,
		"a sum":         `(setmetatable({}, mt) + n) + d(n)`,
		"a sort":        `(function() local t = {5, 3, 1, 4, 2} table.sort(t, function(a, b) d(n) return a < b end) return table.concat(t, ",") end)()`,
		"gsub":          `(("abc"):gsub(".", function(c) return d(n) end))`,
		"pcall":         `select(2, pcall(d, n)) + d(n)`,
		"an error":      `tostring(select(2, pcall(fail, n))) .. d(n)`,
		"go's pcall":    `tostring(try(function() fail(n) end)) .. d(n)`,
		"xpcall":        `tostring(select(2, xpcall(function() fail(n) end, function(m) return m .. d(n) end))) .. d(n)`,
		"inner errors":  `tostring(select(2, pcall(function() local _, e = pcall(fail, n) return e .. d(n) end))) .. d(n)`,
		"go's inner":    `(("abc"):gsub(".", function(c) return try(function() fail(n) end) .. d(n) end))`,
		"an inner one":  `setmetatable({}, {__index = function() local _, e = pcall(fail, n) return e .. d(n) end})[n] .. d(n)`,
		"tail calls":    `(function() local function go(k) if k == 0 then return d(n) end return go(k - 1) end return go(50) end)()`,
	}
}

// shapes evaluates an expression at many depths, with many depths below each, twice in the same frame.
const shapes = `
	local function d(n) if n == 0 then return 0 end return 1 + d(n - 1) end
	local function fail(n) if n == 0 then error("down", 0) end return 1 + fail(n - 1) end
	local function coming(times, n) return function() times = times - 1 if times >= 0 then return d(n) end end end
	local n = 0
	local mt = {
		__eq = function() return d(n) == n end, __lt = function() return d(n) == n end, __le = function() return d(n) == n end,
		__index = function(_, k) return d(k) end, __add = function(_, k) return d(k) end,
	}
	local results = {}
	local function at(depth)
		if depth > 0 then local r = at(depth - 1) return r end
		local first, second = %[1]s, %[1]s
		return tostring(first) .. ":" .. tostring(second)
	end
	for _, depth in ipairs{0, 1, 5, 8, 9, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24, 25, 26, 27, 45, 46, 47, 48, 90, 94, 95, 96} do
		for _, down in ipairs{0, 1, 2, 3, 4, 10, 20, 40, 70} do
			n = down
			results[#results + 1] = at(depth)
		end
	end
	return table.concat(results, " ")`

// evaluate runs a program on a thread and returns its result.
func evaluate(t *testing.T, o func(m *vm.Meter) glua.Options, counted bool, program string) string {
	m := vm.New(vm.Best, glua.CallStackSize, func() {})
	m.Left = 1 << 40
	root := glua.NewState()
	defer root.Close()
	root.Options = o(m)
	root.Register("try", func(L *glua.LState) int {
		L.Push(L.CheckFunction(1))
		L.Push(glua.LString(L.PCall(0, 0, nil).(*glua.ApiError).Object.String()))
		return 1
	})
	fn, err := root.LoadString(program)
	require.NoError(t, err)
	L, _ := root.NewThread()
	if counted {
		m.Attach(L)
	}
	L.Push(fn)
	require.NoError(t, L.PCall(0, 1, nil))
	return L.Get(-1).String()
}

func TestAGrowingCallStackGivesTheResultsOfAFixedOne(t *testing.T) {
	small := func(m *vm.Meter) glua.Options { return m.Small(glua.RegistrySize) }
	full := func(m *vm.Meter) glua.Options { return m.Full(glua.RegistrySize) }
	for name, expression := range returning() {
		t.Run(name, func(t *testing.T) {
			program := fmt.Sprintf(shapes, expression)
			require.Equal(t, evaluate(t, full, false, program), evaluate(t, small, true, program))
		})
	}
}
