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
				race := newRace(b, program.source, spawned)
				defer race.close()
				for b.Loop() {
					race.round()
				}
				b.ReportMetric(race.ratio(), "hosted/bare")
			})
		}
	}
}

// race runs one program in two ways by turns.
type race struct {
	base, hosted interpreter
	ratios       []float64

	leastBase, leastHosted time.Duration
}

// interpreter has the program loaded: each call of run executes it once.
type interpreter struct{ run, close func() }

func newRace(tb testing.TB, source string, spawned bool) *race {
	return &race{base: onGopherLua(tb, source), hosted: inState(tb, lua.Config{}, source, spawned)}
}

// onGopherLua runs a program on gopher-lua alone.
func onGopherLua(tb testing.TB, source string) interpreter {
	L := glua.NewState()
	fn, err := L.LoadString(source)
	if err != nil {
		tb.Fatal(err)
	}
	return interpreter{func() {
		L.Push(fn)
		L.Call(0, 0)
	}, L.Close}
}

// inState runs a program in a State, on its main thread or on a new one each time.
func inState(tb testing.TB, c lua.Config, source string, spawned bool) interpreter {
	state := lua.New(c)
	fn, err := state.Base().LoadString(source)
	if err != nil {
		tb.Fatal(err)
	}
	return interpreter{func() { runHosted(state, fn, spawned) }, state.Close}
}

func runHosted(state *lua.State, fn *glua.LFunction, spawned bool) {
	c := &rider{}
	c.stack = stack.New(stack.Coroutine, func(*stack.Stack) {
		thread := state.Main()
		if spawned {
			thread = state.Spawn(state.Base())
		}
		if _, err := thread.Run(c, fn); err != nil {
			panic(err)
		}
	})
	for !c.stack.Resume() {
	}
	if c.stack.Err() != nil {
		panic(c.stack.Err())
	}
}

func (r *race) close() {
	r.base.close()
	r.hosted.close()
}

func (r *race) round() {
	base, hosted := timed(r.base.run), timed(r.hosted.run)
	r.ratios = append(r.ratios, float64(hosted)/float64(base))
	r.leastBase, r.leastHosted = least(r.leastBase, base), least(r.leastHosted, hosted)
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
func (r *race) undisturbed() float64 { return float64(r.leastHosted) / float64(r.leastBase) }

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
