package lua_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/stack"
)

// benchmarks are functions of n. The first three are CPU-bound and measure the meter.
var benchmarks = []benchmark{
	{"fannkuch", benched("fannkuch")},
	{"n-body", benched("nbody")},
	{"strings", buildStrings},
	{"calls", `local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end return fib(18)`},
	{"yield", `local w = coroutine.wrap(function() while true do coroutine.yield(1) end end) for i = 1, 5000 do w() end`},
	{"create", `for i = 1, 500 do coroutine.wrap(function() return i end)() end`},
	{"pcall", `local function f() end local pcall = pcall for i = 1, 20000 do pcall(f) end`},
	{"caught errors", `local function f() error("x") end local pcall = pcall for i = 1, 2000 do pcall(f) end`},
	{"generators", `for i = 1, 100 do for v in coroutine.wrap(function() for j = 1, 10 do coroutine.yield(j) end end) do end end`},
}

type benchmark struct{ name, source string }

// benched is a program of the bench command that does its work once.
func benched(name string) string {
	text, err := os.ReadFile(filepath.Join("..", "..", "bench", "lua", name+".lua"))
	if err != nil {
		panic(err)
	}
	return "(function(...)\n" + string(text) + "\nend)(1)"
}

// BenchmarkHosted runs programs hosted, pre-empted every 10,000 instructions, and bare,
// by turns, and reports the median of the ratios.
func BenchmarkHosted(b *testing.B) {
	for _, program := range benchmarks {
		for _, spawned := range []bool{false, true} {
			name := program.name + "/main"
			if spawned {
				name = program.name + "/spawned"
			}
			b.Run(name, func(b *testing.B) {
				race := newRace(b, lua.Config{}, program.source, spawned)
				defer race.close()
				for b.Loop() {
					race.round()
				}
				b.ReportMetric(race.ratio(), "hosted/bare")
			})
		}
	}
}

// race runs one program on two interpreters.
type race struct {
	bare    *glua.LState
	bareFn  *glua.LFunction
	state   *lua.State
	spawned bool
	fn      *glua.LFunction
	ratios  []float64

	leastBare, leastHosted time.Duration
}

func newRace(tb testing.TB, c lua.Config, source string, spawned bool) *race {
	r := &race{bare: glua.NewState(), state: lua.New(c), spawned: spawned}
	var err, err2 error
	r.bareFn, err = r.bare.LoadString(source)
	r.fn, err2 = r.state.Base().LoadString(source)
	if err != nil || err2 != nil {
		tb.Fatal(err, err2)
	}
	return r
}

func (r *race) close() {
	r.bare.Close()
	r.state.Close()
}

func (r *race) round() {
	bare, hosted := timed(r.runBare), timed(r.runHosted)
	r.ratios = append(r.ratios, float64(hosted)/float64(bare))
	r.leastBare, r.leastHosted = least(r.leastBare, bare), least(r.leastHosted, hosted)
}

func (r *race) runBare() {
	r.bare.Push(r.bareFn)
	r.bare.Call(0, 0)
}

func (r *race) runHosted() {
	c := &rider{}
	c.stack = stack.New(stack.Coroutine, func(*stack.Stack) {
		thread := r.state.Main()
		if r.spawned {
			thread = r.state.Spawn(r.state.Base())
		}
		if _, err := thread.Run(c, r.fn); err != nil {
			panic(err)
		}
	})
	for !c.stack.Resume() {
	}
	if c.stack.Err() != nil {
		panic(c.stack.Err())
	}
}

// least is the shorter one, or that which there is.
func least(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// ratio is the median of the rounds.
func (r *race) ratio() float64 {
	slices.Sort(r.ratios)
	return r.ratios[len(r.ratios)/2]
}

// undisturbed is the ratio of the shortest rounds.
func (r *race) undisturbed() float64 { return float64(r.leastHosted) / float64(r.leastBare) }

// objects is a program whose tables are in use for a while.
const objects = `
local list = {}
for i = 1, 12000 do
  local o = {id = i, name = "object", at = {i, i + 1}}
  o.next, o.sum = list[#list], i + o.at[2]
  list[#list + 1] = o
  if #list > 4000 then list = {} end
end
return #list`

// fib is calls and little else.
const fib = `local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end return fib(24)`

const buildStrings = `
local t = {}
for i = 1, 3000 do
  t[#t + 1] = "item" .. i .. ";"
  if #t >= 100 then t = {table.concat(t):sub(1, 50)} end
end
local s = ""
for i = 1, 500 do s = s .. string.char(65 + i % 26) end
return #s`
