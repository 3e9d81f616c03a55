//go:build !race && !purego

package live_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/live"
)

// shapes are programs that return a value. n is a global.
var shapes = map[string]string{
	"an array of small integers":   `local t = {} for i = 1, n do t[i] = i % 100 end return t`,
	"an array of numbers":          `local t = {} for i = 1, n do t[i] = i end return t`,
	"an array of computed numbers": `local t = {} for i = 1, n do t[i] = i * 3 + i / 7 - 2 * i end return t`,
	"an array of one number":       `local t, x = {}, 0.5 for i = 1, n do t[i] = x end return t`,
	"an array with an exact size":  `local t = {} for i = 1, n do t[i] = {1, 2, 3} end return t`,
	"empty tables":                 `local t = {} for i = 1, n do t[i] = {} end return t`,
	"objects of a constructor":     `local t = {} for i = 1, n do t[i] = {x = i, y = i + 0.5, name = false} end return t`,
	"objects that grew":            `local t = {} for i = 1, n / 4 do local o = {} o.x = 1 o.y = 2 t[i] = o end return t`,
	"a hash table of strings":      `local t = {} for i = 1, n do t["key" .. i] = true end return t`,
	"a hash table of numbers":      `local t = {} for i = 1, n do t[i + 0.5] = i end return t`,
	"a set of tables":              `local t = {} for i = 1, n do t[{}] = true end return t`,
	"a table that was emptied":     `local t = {} for i = 1, n do t["key" .. i] = true end for i = 1, n do t["key" .. i] = nil end return t`,
	"a large window of keys":       `local t = {} for i = 1, n * 3 do t["key" .. i] = true t["key" .. i - 2000] = nil end return t`,
	"a window of keys":             `local t = {} for i = 1, n do t["key" .. i] = true t["key" .. i - 10] = nil end return t`,
	"short strings":                `local t = {} for i = 1, n do t[i] = "s" .. i end return t`,
	"strings":                      `local t = {} for i = 1, n do t[i] = ("x"):rep(i % 100 + 20) end return t`,
	"a string in many places":      `local t, s = {}, ("x"):rep(1e5) for i = 1, n do t[i] = s end return t`,
	"large strings":                `local t = {} for i = 1, n / 1000 do t[i] = ("x"):rep(5e4 + i) end return t`,
	"closures":                     `local t = {} for i = 1, n do t[i] = function() return i end end return t`,
	"closures that share":          `local t, a, b = {}, 1, 2 for i = 1, n do t[i] = function() return a + b end end return t`,
	"a list":                       `local t for i = 1, n do t = {next = t, value = i} end return t`,
	"a tree":                       `local function tree(d) if d == 0 then return {} end return {tree(d - 1), tree(d - 1)} end return tree(math.floor(math.log(n) / math.log(2)))`,
	"a cycle":                      `local t, first = {} first = t for i = 1, n do t.next = {} t.next.back = t t = t.next end t.next = first return first`,
	"code":                         `local t = {} for i = 1, n / 100 do t[i] = loadstring("local a = " .. i .. " return function(b, c) return a + b * c .. 'text' end") end return t`,
	"a matrix":                     `local t = {} local m = math.floor(math.sqrt(n)) for i = 1, m do t[i] = {} for j = 1, m do t[i][j] = i / j end end return t`,
	"memoized functions":           `local t = {} for i = 1, n / 10 do local cache = {} t[i] = function(x) cache[x] = i return cache end t[i](i) end return t`,
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// measured is the size of a value by a walk in steps of so much work.
func measured(v glua.LValue, work int64) int64 {
	w := live.New()
	w.Value(v)
	for {
		if _, all := w.Run(work); all {
			return w.Bytes()
		}
	}
}

// The sizes of maps and blocks are powers of two, so that each shape has several sizes.
func TestTheMeasuredSizeIsThatOfTheHeapWithinAFifth(t *testing.T) {
	for name, program := range shapes {
		t.Run(name, func(t *testing.T) {
			for _, n := range []float64{700, 10_000, 17_000, 23_000} {
				L := glua.NewState()
				before := heap()
				L.SetGlobal("n", glua.LNumber(n))
				require.NoError(t, L.DoString("function make() "+program+" end"))
				require.NoError(t, L.CallByParam(glua.P{Fn: L.GetGlobal("make"), NRet: 1}))
				v := L.Get(-1)
				L.SetGlobal("make", glua.LNil)
				used := heap() - before
				size := measured(v, 1000)
				t.Logf("n %.0f: measured %d, heap %d: %+.1f %%", n, size, used, 100*(float64(size)/float64(used)-1))
				require.Equal(t, size, measured(v, math.MaxInt64))
				if n > 1000 {
					require.InEpsilon(t, used, size, 0.2)
				}
				runtime.KeepAlive(v)
				L.Close()
			}
		})
	}
}
