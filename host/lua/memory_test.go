//go:build !purego

package lua_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/internal/stack"
	"github.com/selvage-dev/selvage/quota"
)

// limited is a driver with a memory quota.
func limited(t *testing.T, bytes, slice int64) (*driver, *quota.Account) {
	return limitedAs(t, lua.Config{}, bytes, slice)
}

func limitedAs(t *testing.T, c lua.Config, bytes, slice int64) (*driver, *quota.Account) {
	guest := quota.New("guest", quota.Limits{Memory: bytes})
	c.Memory, c.Deep = guest, true
	d := newDriver(t, c, slice)
	d.state.Base().SetGlobal("live", d.state.Base().NewFunction(func(L *glua.LState) int {
		L.Push(glua.LNumber(d.state.MeasureMemory()))
		return 1
	}))
	return d, guest
}

// refusedWith requires that a fiber has unwound because the memory quota was passed.
func refusedWith(t *testing.T, f *turn, guest *quota.Account) {
	t.Helper()
	require.ErrorAs(t, f.err, new(*stack.GoexitError))
	var passed *quota.Error
	require.ErrorAs(t, guest.Passed(), &passed)
	require.Equal(t, quota.Memory, passed.Resource)
}

// garbage is what a million times nothing refers to afterwards.
var garbage = map[string]string{
	"tables":     `local t = {i, x = i}`,
	"hash parts": `local t = {} t[i .. ""] = 1 t[i + 0.5] = 2`,
	"closures":   `local f = function() return i end`,
	"numbers":    `last = i * 1.5`,
	"strings":    `local s = "a string " .. i`,
	"results":    `local s = ("x"):rep(50) local u = s:upper()`,
	"a window":   `window[i % 100 + 1] = {i}`,
	"a list":     `head = {next = head} if i % 100 == 0 then head = nil end`,
}

func TestAMillionAllocationsOfGarbagePassUnderASmallQuota(t *testing.T) {
	n := 1_000_000
	if long.Full() {
		n *= 10
	}
	for name, body := range garbage {
		t.Run(name, func(t *testing.T) {
			d, guest := limited(t, 1<<20, 10_000)
			f := d.run(t, fmt.Sprintf(`window = {} for i = 1, %d do %s end`, n, body))
			require.NoError(t, f.err)
			require.NoError(t, guest.Passed())
		})
	}
}

// growth is what takes all memory if nothing stops it.
var growth = map[string]string{
	"tables":              `local t = {} while true do t[#t + 1] = {} end`,
	"an array":            `local t, n = {}, 0 while true do n = n + 1 t[n] = 1 end`,
	"a hash part":         `local t, n = {}, 0 while true do n = n + 1 t["k" .. n] = 1 end`,
	"an inner hash part":  `local p = setmetatable({}, {__newindex = {}}) local n = 0 while true do n = n + 1 p["k" .. n] = 1 end`,
	"globals":             `local n = 0 while true do n = n + 1 _G["k" .. n] = 1 end`,
	"raw assignments":     `local t, n = {}, 0 while true do n = n + 1 rawset(t, "k" .. n, 1) end`,
	"insertions":          `local t = {} while true do table.insert(t, 1) end`,
	"numbers":             `local t, n = {}, 0 for i = 1, 3e3 do t[i] = 0 end while true do for i = 1, 3e3 do local x = n * 1.1 n = n + 1 t[i] = n end t[#t + 1] = {unpack(t, 1, 100)} end`,
	"a string":            `local s = "x" while true do s = s .. s end`,
	"strings":             `local t, n = {}, 0 while true do n = n + 1 t[n] = "a string " .. n end`,
	"large strings":       `local t, n = {}, 0 while true do n = n + 1 t[n] = ("x"):rep(1e5) end`,
	"closures":            `local t, n = {}, 0 while true do n = n + 1 t[n] = function() return t end end`,
	"a list":              `local t while true do t = {t} end`,
	"coroutines":          `local t, n = {}, 0 while true do n = n + 1 t[n] = coroutine.wrap(coroutine.yield) t[n]() end`,
	"coroutines to begin": `local t, n = {}, 0 while true do n = n + 1 t[n] = coroutine.create(print) end`,
	"code":                `local t, n = {}, 0 while true do n = n + 1 t[n] = loadstring("return " .. n) end`,
	"arguments":           `local function f(...) f(1, ...) return 1 end f()`,
	"caught errors":       `local t = {} while true do pcall(error, {}) t[#t + 1] = select(2, pcall(error, {})) end`,
	"a caught end":        `local t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end`,
}

func TestGrowthEndsByTheMemoryQuota(t *testing.T) {
	for name, program := range growth {
		t.Run(name, func(t *testing.T) {
			const bytes = 4 << 20
			d, guest := limited(t, bytes, 10_000)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			f := d.run(t, program)
			runtime.ReadMemStats(&after)
			if name == "arguments" && !errors.As(f.err, new(*stack.GoexitError)) {
				require.ErrorContains(t, f.err, "overflow") // registers are limited too
				return
			}
			refusedWith(t, f, guest)
			require.Less(t, int64(after.HeapSys)-int64(before.HeapSys), int64(16*bytes))
		})
	}
}

// huge is one request that is larger than the quota: it is refused before anything is allocated.
var huge = map[string]string{
	"a repeated string": `return ("x"):rep(2e8)`,
	"a concatenation":   `local s = ("x"):rep(3e6) return s .. s .. s .. s .. s .. s .. s .. s .. s .. s`,
	"joined strings":    `local t, s = {}, ("x"):rep(3e6) for i = 1, 60 do t[i] = s end return table.concat(t)`,
	"a format":          `local s = ("x"):rep(3e6) return ("%s"):rep(60):format(unpack({s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s}))`,
	"a replacement":     `return (("x"):rep(3e6):gsub(".", ("y"):rep(100)))`,
}

func TestAHugeRequestIsRefusedBeforeItIsAllocated(t *testing.T) {
	for name, program := range huge {
		t.Run(name, func(t *testing.T) {
			const bytes = 8 << 20
			d, guest := limited(t, bytes, 10_000)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f := d.run(t, program)
			runtime.ReadMemStats(&after)
			refusedWith(t, f, guest)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(6*bytes))
		})
	}
}

// All fibers unwind, also one that is in a protected call or in a coroutine, and no fiber executes an
// instruction after the one that was refused.
func TestEveryFiberEndsWithTheQuota(t *testing.T) {
	d, guest := limited(t, 4<<20, 100)
	var last string
	d.state.Base().SetGlobal("mark", d.state.Base().NewFunction(func(L *glua.LState) int {
		require.NoError(t, guest.Passed())
		last = L.CheckString(1)
		return 0
	}))
	f := d.run(t, `
		for i = 1, 5 do
			fork(function() while true do mark("plain") end end)
			fork(function() while true do pcall(function() while true do mark("protected") end end) end end)
			fork(function() coroutine.wrap(function() while true do mark("coroutine") end end)() end)
		end
		local t = {}
		while true do t[#t + 1] = {} mark("grows") end`)
	refusedWith(t, f, guest)
	require.NotEmpty(t, last)
	for _, other := range d.all {
		require.ErrorAs(t, other.err, new(*stack.GoexitError))
	}
}

// Fibers move values between tables and stacks while others measure: no measurement misses one, although
// it is preempted after a few values.
func TestNoMeasurementMissesWhatMovesMeanwhile(t *testing.T) {
	const items, size = 40, 10_000
	for slice := int64(1); slice < 60; slice += 3 {
		d, guest := limited(t, 1<<30, slice)
		f := d.run(t, fmt.Sprintf(`
			local places, done = {}, false
			for i = 1, %d do places[i] = {item = ("x"):rep(%d)} end
			local function swap(a, b)
				local x = places[a].item places[a].item = false
				if a %% 2 == 0 then pause() end
				local y = places[b].item places[b].item = x
				places[a].item = y
			end
			for i = 1, %d, 2 do
				fork(function() for n = 1, 3 do swap(i, i + 1) pause() swap(i + 1, i) end end)
			end
			for i = 1, 6 do
				local n = live()
				assert(n > %d * %d, n)
				pause()
			end`, items, size, items, items, size))
		require.NoError(t, f.err)
		for d.step() {
		}
		for _, other := range d.all {
			require.NoError(t, other.err)
		}
		require.NoError(t, guest.Passed())
	}
}

// Where time is virtual, the same program ends after the same instruction in every run.
func TestARefusalIsDeterministic(t *testing.T) {
	for name, program := range growth {
		t.Run(name, func(t *testing.T) {
			var first string
			for range 2 {
				d, guest := limitedAs(t, lua.Config{MeasureAtOnce: true}, 2<<20, 10)
				f := d.run(t, program)
				if guest.Passed() == nil {
					continue
				}
				result := fmt.Sprint(f.polls, guest.Passed())
				if first == "" {
					first = result
				}
				require.Equal(t, first, result)
			}
		})
	}
}
