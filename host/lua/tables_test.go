//go:build !purego

// A build with purego has gopher-lua's arrays: docs/lua.md, Limits.

package lua_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/lua"
)

// A distant integer key costs what another key costs. The largest of these arrays would have a
// gigabyte.
func TestADistantKeyAllocatesNoArray(t *testing.T) {
	for _, statement := range []string{
		"t[2^26 - 1] = 1", "t[1e6] = 1", "rawset(t, 2^26 - 1, 1)", "table.insert(t, 2^26 - 1, 1)",
		"t = { [2^26 - 1] = 1 }", "setmetatable(t, { __newindex = {} })[2^26 - 1] = 1",
		"setmetatable(t, { __newindex = function(t, k, v) rawset(t, k, v) end })[2^26 - 1] = 1",
		"for i = 1, 20 do t[i * 1e6] = 1 end", "t[1] = 1 for i = 2, 26 do t[2^i - 1] = 1 end",
	} {
		d := newDriver(t, lua.Config{}, 1<<40)
		fn, err := d.state.Load(strings.NewReader("for _ = 1, 5 do local t = {} "+statement+" end"), "p.lua")
		require.NoError(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		main := d.spawn(d.state.Main(), fn)
		for d.step() {
		}
		runtime.ReadMemStats(&after)
		require.NoError(t, main.err, statement)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(32<<20), statement)
	}
}

// The unused elements that one assignment adds to an array count as instructions, so that a time
// slice with such assignments does not become longer.
func TestUnusedElementsCountAsInstructions(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1000)
	main := d.run(t, "for i = 1, 100 do local t = {} t[2^14] = 1 end")
	require.Greater(t, main.polls, 90)
}

// edges are keys around the places where a key moves from the hash part to the array.
var edges = []int{-1, 0, 1, 2, 3, 16382, 16383, 16384, 16385, 16386, 32766, 32767, 32768, 32769, 32770, 40000, 49152, 49153, 1 << 20, 1<<26 - 1, 1 << 26}

func TestATableWithDistantKeysIsATable(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var program strings.Builder
		model := map[int]int{}
		key := rapid.OneOf(rapid.SampledFrom(edges), rapid.IntRange(16380, 16390), rapid.IntRange(32765, 32775))
		fmt.Fprint(&program, "local t = {}\nlocal inner = setmetatable({}, { __index = t, __newindex = t })\n")
		for value := 1; value <= rapid.IntRange(1, 25).Draw(r, "operations"); value++ {
			k := key.Draw(r, "key")
			switch rapid.IntRange(0, 6).Draw(r, "operation") {
			case 0, 1:
				fmt.Fprintf(&program, "t[%d] = %d\n", k, value)
				model[k] = value
			case 2:
				fmt.Fprintf(&program, "rawset(t, %d, %d)\n", k, value)
				model[k] = value
			case 3:
				fmt.Fprintf(&program, "inner[%d] = %d\n", k, value)
				model[k] = value
			case 4:
				fmt.Fprintf(&program, "t[%d] = nil\n", k)
				delete(model, k)
			case 5: // fill up to the key
				if from := max(1, k-20); k < 50000 {
					fmt.Fprintf(&program, "for i = %d, %d do t[i] = %d end\n", from, k, value)
					for i := from; i <= k; i++ {
						model[i] = value
					}
				}
			case 6: // change what is there
				fmt.Fprintf(&program, "for k, v in pairs(t) do if v %% 2 == 0 then t[k] = nil else t[k] = v + 2 end end\n")
				for k, v := range model {
					if model[k] = v + 2; v%2 == 0 {
						delete(model, k)
					}
				}
			}
		}
		most, sum := 0, 0
		for k, v := range model {
			most, sum = max(most, k), sum+v
			fmt.Fprintf(&program, "assert(t[%d] == %d and rawget(t, %d) == %d and inner[%d] == %d and unpack(t, %d, %d) == %d)\n", k, v, k, v, k, v, k, k, v)
		}
		for _, k := range edges {
			if _, is := model[k]; !is {
				fmt.Fprintf(&program, "assert(t[%d] == nil and rawget(t, %d) == nil)\n", k, k)
			}
		}
		fmt.Fprintf(&program, "local n, sum, seen = 0, 0, {}\nfor k, v in pairs(t) do n, sum = n + 1, sum + v assert(not seen[k]) seen[k] = true end\n")
		fmt.Fprintf(&program, "assert(n == %d and sum == %d, n .. ' ' .. sum) assert(table.maxn(t) == %d)\n", len(model), sum, most)
		fmt.Fprintf(&program, "assert(#t == 0 or t[#t] ~= nil) assert(t[#t + 1] == nil)\n")
		d := newDriver(t, lua.Config{}, 1<<40)
		main := d.run(t, program.String())
		require.NoError(r, main.err, program.String())
	})
}

// A long array, and a constructor, absorb the distant keys that they reach.
func TestAnArrayThatGrowsAbsorbsDistantKeys(t *testing.T) {
	for fill, more := range map[string]int{
		"for i = 1, n do t[i] = i end":                                            0,
		"for i = n, 1, -1 do t[i] = i end":                                        0,
		"local s = ('x'):rep(n - 1) t = { [n] = n, s:byte(1, -1) }":               0,
		"for i = 1, n do table.insert(t, i) end":                                  1,
		"for i = 1, n do table.insert(t, 1, i) end":                               1,
		"for i = 1, n - 1 do t[i] = i end table.insert(t, 1) t[n] = nil t[n] = n": 1,
	} {
		d := newDriver(t, lua.Config{Deep: true}, 1<<40)
		main := d.run(t, fmt.Sprintf(`local n = 20000 local t = { [n] = n } %s
			local count = 0
			n = n + %d
			for k in pairs(t) do count = count + 1 end
			assert(count == n and #t == n, count .. " " .. #t)
			for i = 1, n do assert(t[i], i) end`, fill, more))
		require.NoError(t, main.err, fill)
	}
}
