//go:build !purego

package fibers_test

import (
	"fmt"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/profile"
	"github.com/selvage-dev/selvage/wallclock"
)

// sampled runs a program with a sample for each instruction.
func sampled(t *testing.T, cfg fibers.Config, program string) *pprof.Profile {
	t.Helper()
	p := profile.Start(profile.Config{Steps: 1})
	defer p.Stop()
	cfg.Lua.Profile = p
	h := fibers.New(cfg)
	defer h.Close()
	_, err := h.Run(t.Context(), strings.NewReader(program), "p.lua")
	require.NoError(t, err)
	c := p.Copy()
	require.NoError(t, c.CheckValid())
	return c
}

// stacks are the steps of each stack, as "function:line" from the innermost call outwards.
func stacks(p *pprof.Profile) map[string]int64 {
	return sums(p, func(l *pprof.Location) string {
		if line := l.Line[0].Line; line > 0 {
			return fmt.Sprint(l.Line[0].Function.Name, ":", line)
		}
		return l.Line[0].Function.Name
	})
}

// byFunction is stacks without the lines.
func byFunction(p *pprof.Profile) map[string]int64 {
	return sums(p, func(l *pprof.Location) string { return l.Line[0].Function.Name })
}

func sums(p *pprof.Profile, show func(*pprof.Location) string) map[string]int64 {
	all := map[string]int64{}
	for _, s := range p.Sample {
		var calls []string
		for _, l := range s.Location {
			calls = append(calls, show(l))
		}
		all[strings.Join(calls, " < ")] += s.Value[1]
	}
	return all
}

// own are the steps of each function itself.
func own(p *pprof.Profile) map[string]int64 {
	all := map[string]int64{}
	for _, s := range p.Sample {
		all[s.Location[0].Line[0].Function.Name] += s.Value[1]
	}
	return all
}

func TestAProfileHasTheStepsOfEachLine(t *testing.T) {
	got := stacks(sampled(t, fibers.Config{}, `local function loop(n)
  local x = 0
  for i = 1, n do
    x = x + i
  end
end
loop(100)
loop(200)`))
	require.Equal(t, int64(300), got["loop:4 < main chunk:7"]+got["loop:4 < main chunk:8"])
	require.Equal(t, int64(200), got["loop:4 < main chunk:8"])
	require.Equal(t, int64(2), got["loop:2 < main chunk:7"]+got["loop:2 < main chunk:8"])
}

func TestAProfileNamesFunctionsByTheirDefinitions(t *testing.T) {
	got := own(sampled(t, fibers.Config{}, `local function plain() end
function global() end
local M = {field = function() end}
function M.dotted() return plain, M end
function M:method() end
M.inner = {}
function M.inner.deep() end
local late
late = function() late = nil end
local shown = plain
shown() global() M.field() M.dotted() M:method() M.inner.deep() late()
local function outer() function M.upvalue() end end
outer() M.upvalue();
(function() end)()`))
	for _, name := range []string{
		"plain", "global", "field", "M.dotted", "M.method", "M.inner.deep", "late", "outer", "M.upvalue", "function <p.lua:14>", "main chunk",
	} {
		require.Positive(t, got[name], "%s: %v", name, got)
	}
}

func TestAProfileHasCallsThroughGoFunctions(t *testing.T) {
	got := stacks(sampled(t, fibers.Config{}, `local function work()
  local x = 1
end
pcall(work)
table.sort({2, 1}, function(a, b)
  work() return a < b
end)
xpcall(function() error("no") end, work)
local s = string.rep("x", 3)
setmetatable({}, {__index = work}).field = nil
local _ = setmetatable({}, {__index = work}).field`))
	for _, stack := range []string{
		"work:2 < pcall < main chunk:4", "work:2 < function <p.lua:5>:6 < table.sort < main chunk:5", "work:2 < error < function <p.lua:8>:8 < xpcall < main chunk:8",
		"string.rep < main chunk:9", "work:2 < main chunk:11",
	} {
		require.Positive(t, got[stack], "%s: %v", stack, got)
	}
}

func TestAProfileOfACoroutineHasItsResumersBelow(t *testing.T) {
	got := stacks(sampled(t, fibers.Config{}, `local function work()
  local x = 1
end
local inner = coroutine.wrap(function()
  work() coroutine.yield() work()
end)
local outer = coroutine.create(function()
  inner()
end)
coroutine.resume(outer)
inner()`))
	require.Equal(t, int64(1), got["work:2 < function <p.lua:4>:5 < inner < function <p.lua:7>:8 < coroutine.resume < main chunk:10"], "%v", got)
	require.Equal(t, int64(1), got["work:2 < function <p.lua:4>:5 < inner < main chunk:11"], "%v", got)
}

func TestAProfileLabelsSamplesWithTheirFiber(t *testing.T) {
	p := sampled(t, fibers.Config{}, `local function spin(n) for i = 1, n do end end
local w = fiber.spawn(spin, 100):name("worker")
fiber.sleep(1)
fiber.spawn(spin, 100):join()`)
	got := map[string]int64{}
	for _, s := range p.Sample {
		if s.Location[0].Line[0].Function.Name == "spin" {
			got[s.Label["fiber"][0]+" "+s.Label["name"][0]] += s.Value[1]
		}
	}
	require.Len(t, got, 2)
	require.Equal(t, got["f1.1 worker"], got["f1.2 p.lua:4"], "%v", got)
	require.Greater(t, got["f1.1 worker"], int64(100))
}

func TestAProfileHasTheIslandsOfAProgram(t *testing.T) {
	var cfg fibers.Config
	cfg.Runtime.Clock = wallclock.New()
	got := own(sampled(t, cfg, `local isle = fiber.island("one")
isle:spawn(function()
  local function inside() for i = 1, 100 do end end
  inside()
end):join()`))
	require.Equal(t, int64(106), got["inside"], "%v", got)
}

func TestAProgramIsWatchedOrProfiled(t *testing.T) {
	p := profile.Start(profile.Config{Steps: 1})
	defer p.Stop()
	require.PanicsWithValue(t, "lua: Config.Profile beside Config.Watcher, which Races and AccessPoints set: a program is either watched or profiled; leave one out: "+rule.Cite(rule.ValidArgument), func() {
		fibers.New(fibers.Config{Races: true, Lua: lua.Config{Profile: p}})
	})
}
