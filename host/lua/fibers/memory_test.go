//go:build !race && !purego

package fibers

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/quota"
)

// holders are programs that hold memory in all the ways there are, and then call look. n is how much.
var holders = map[string]string{
	"tables":                      `local t = {} for i = 1, n do t[i] = {x = i, {}} end look()`,
	"globals":                     `for i = 1, n do _G["name" .. i] = i + 0.5 end look()`,
	"strings":                     `local t = {} for i = 1, n do t[i] = ("x"):rep(300 + i % 100) end look()`,
	"deep data":                   `local t for i = 1, n do t = {t} end look()`,
	"cyclic data":                 `local first = {} local t = first for i = 1, n do t.next = {back = t} t = t.next end t.next = first first = nil look()`,
	"closures":                    `local t = {} for i = 1, n do local a, b = i, {} t[i] = function() return a, b end end look()`,
	"code":                        `local t = {} for i = 1, n / 50 do t[i] = loadstring("return function(a) return a + " .. i .. " end") end look()`,
	"coroutines":                  `local t = {} for i = 1, n / 20 do t[i] = coroutine.wrap(function(a) coroutine.yield(a) end) t[i](i) end look()`,
	"deep coroutines":             `local t = {} for i = 1, n / 1000 do t[i] = coroutine.wrap(function() local function f(d) if d == 0 then coroutine.yield() else f(d - 1) end return 1 end f(500) end) t[i](i) end look()`,
	"fresh coroutines":            `local t = {} for i = 1, n / 10 do t[i] = coroutine.create(print) end look()`,
	"fibers":                      `for i = 1, n / 20 do fiber.spawn(function(a) fiber.sleep(1) return a end, {i}) end fiber.sleep(0.5) look()`,
	"fibers to begin":             `for i = 1, n / 20 do fiber.spawn(function(a) return a end, ("x"):rep(1000 + i)) end look()`,
	"results":                     `local t = {} for i = 1, n / 20 do t[i] = fiber.spawn(function() return ("x"):rep(1000 + i) end) end fiber.sleep(1) look()`,
	"failures":                    `local t = {} for i = 1, n / 20 do t[i] = fiber.spawn(function() error({("x"):rep(1000 + i)}) end) end fiber.sleep(1) look()`,
	"a channel":                   `local ch = fiber.chan(1e6) for i = 1, n do ch:send({}) end look()`,
	"channels":                    `local t = {} for i = 1, n / 10 do t[i] = fiber.chan(1) t[i]:send(i) end look()`,
	"values in transit":           `local ch, t = fiber.chan(), {} for i = 1, n / 20 do fiber.spawn(function() local v = ch:recv() fiber.sleep(1) t[i] = v end) end fiber.sleep(0.5) for i = 1, n / 20 do ch:send(("x"):rep(1000 + i)) end look()`,
	"waiting senders":             `local ch = fiber.chan() for i = 1, n / 20 do fiber.spawn(function() ch:send(("x"):rep(1000 + i)) end) end fiber.sleep(1) look()`,
	"nested calls":                `local t = {} for i = 1, n / 1000 do t[i] = coroutine.wrap(function() local function f(d) if d == 0 then coroutine.yield() else pcall(f, d - 1) end end f(i * 5) end) t[i]() end look()`,
	"nested sorts":                `local t = {} for i = 1, n / 1000 do t[i] = coroutine.wrap(function() local function f(d) table.sort({1, 2, 3}, function(a, b) if d == 0 then coroutine.yield() else f(d - 1) end return a < b end) end f(i * 5) end) t[i]() end look()`,
	"texts in progress":           `for i = 1, n / 400 do fiber.spawn(function() local k = 0 (("x"):rep(1e5) .. "yy"):gsub("y", function() k = k + 1 if k == 2 then fiber.sleep(1) end end) end) end fiber.sleep(0.5) look()`,
	"a deep stack":                `local function f(d) if d == 0 then look() else f(d - 1) end return 1 end f(math.min(n / 10, 15000))`,
	"matches":                     `local t = {} for i = 1, n / 20 do local s = ("x"):rep(1000) .. i t[i] = s:gmatch(".") end look()`,
	"parts of strings":            `local t = {} for i = 1, n / 10 do local s = ("x"):rep(1000) .. i t[i] = s:sub(2, 200) end look()`,
	"userdata":                    `local t = {} for i = 1, n / 10 do t[i] = newproxy(true) getmetatable(t[i]).x = i end look()`,
	"metatables":                  `local t = {} for i = 1, n do t[i] = setmetatable({}, {__index = t}) end look()`,
	"environments":                `local t = {} for i = 1, n / 10 do t[i] = setfenv(function() end, {i}) end look()`,
	"upvalues of dead coroutines": `local t = {} for i = 1, n / 20 do coroutine.wrap(function() local a = {} t[i] = function() return a end end)() end look()`,
}

// The size that the quota measures is that of Go's heap and stacks, within a fifth.
func TestWhatAProgramHoldsIsMeasuredWithinAFifth(t *testing.T) {
	for name, program := range holders {
		t.Run(name, func(t *testing.T) {
			if !inOwnProcess(t) { // the goroutines of another program may still be about to end
				return
			}
			var cfg Config
			cfg.Lua.Memory = quota.New("guest", quota.Limits{Memory: 1 << 40})
			h := New(cfg)
			defer h.Close()
			L := h.State().Base()
			var measured, used int64
			L.SetGlobal("n", glua.LNumber(20_000))
			L.SetGlobal("look", L.NewFunction(func(L *glua.LState) int {
				measured, used = h.State().MeasureMemory()-measured, inUse()-used
				return 0
			}))
			_, err := h.Run(context.Background(), strings.NewReader("look() "+program), "p.lua")
			require.NoError(t, err)
			t.Logf("measured %d, in use %d: %+.1f %%", measured, used, 100*(float64(measured)/float64(used)-1))
			most := 0.2
			if strings.HasPrefix(name, "nested") {
				most = 0.35 // Go stacks, whose size is a power of two, are estimates
			}
			const threads = 64 << 10 // stacks of threads that the Go runtime has begun meanwhile
			require.InDelta(t, used, measured, most*float64(used)+threads)
			require.Greater(t, used, int64(5*threads))
			runtime.KeepAlive(h)
		})
	}
}
