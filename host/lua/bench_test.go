package lua_test

import (
	"slices"
	"testing"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/stack"
)

// benchmarks are functions of n. The first three are CPU-bound and measure the meter.
var benchmarks = []struct{ name, source string }{
	{"fannkuch", fannkuch},
	{"n-body", nbody},
	{"strings", buildStrings},
	{"calls", `local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end return fib(18)`},
	{"yield", `local w = coroutine.wrap(function() while true do coroutine.yield(1) end end) for i = 1, 5000 do w() end`},
	{"create", `for i = 1, 500 do coroutine.wrap(function() return i end)() end`},
	{"pcall", `local function f() end local pcall = pcall for i = 1, 20000 do pcall(f) end`},
	{"caught errors", `local function f() error("x") end local pcall = pcall for i = 1, 2000 do pcall(f) end`},
	{"generators", `for i = 1, 100 do for v in coroutine.wrap(function() for j = 1, 10 do coroutine.yield(j) end end) do end end`},
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

// race runs one program on two interpreters.
type race struct {
	bare    *glua.LState
	bareFn  *glua.LFunction
	state   *lua.State
	spawned bool
	fn      *glua.LFunction
	ratios  []float64
}

func newRace(tb testing.TB, source string, spawned bool) *race {
	r := &race{bare: glua.NewState(), state: lua.New(lua.Config{}), spawned: spawned}
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

const fannkuch = `
local function fannkuch(n)
  local p, q, s, sign, maxflips, sum = {}, {}, {}, 1, 0, 0
  for i = 1, n do p[i] = i; q[i] = i; s[i] = i end
  repeat
    local q0 = p[1]
    if q0 ~= 1 then
      for i = 2, n do q[i] = p[i] end
      local flips = 1
      while true do
        local qq = q[q0]
        if qq == 1 then
          sum = sum + sign * flips
          if flips > maxflips then maxflips = flips end
          break
        end
        q[q0] = q0
        if q0 >= 4 then
          local i, j = 2, q0 - 1
          repeat local t = q[i]; q[i] = q[j]; q[j] = t; i = i + 1; j = j - 1; until i >= j
        end
        q0 = qq; flips = flips + 1
      end
    end
    if sign == 1 then
      local t = p[2]; p[2] = p[1]; p[1] = t; sign = -1
    else
      local t = p[2]; p[2] = p[3]; p[3] = t; sign = 1
      for i = 3, n do
        local sx = s[i]
        if sx ~= 1 then s[i] = sx - 1; break end
        if i == n then return sum, maxflips end
        s[i] = i
        local t = p[1]; for j = 1, i do p[j] = p[j + 1] end; p[i + 1] = t
      end
    end
  until false
end
return fannkuch(7)`

const nbody = `
local sqrt = math.sqrt
local bodies = {
  {x = 0, y = 0, z = 0, vx = 0, vy = 0, vz = 0, mass = 39.47},
  {x = 4.84, y = -1.16, z = -0.10, vx = 0.6, vy = 2.8, vz = -0.02, mass = 0.037},
  {x = 8.34, y = 4.12, z = -0.403, vx = -1.01, vy = 1.81, vz = 0.008, mass = 0.011},
  {x = 12.8, y = -15.1, z = -0.22, vx = 1.08, vy = 0.86, vz = -0.01, mass = 0.0017},
  {x = 15.3, y = -25.9, z = 0.17, vx = 0.97, vy = 0.59, vz = -0.03, mass = 0.002}}
local function advance(bodies, nbody, dt)
  for i = 1, nbody do
    local bi = bodies[i]
    local bix, biy, biz, bimass = bi.x, bi.y, bi.z, bi.mass
    local bivx, bivy, bivz = bi.vx, bi.vy, bi.vz
    for j = i + 1, nbody do
      local bj = bodies[j]
      local dx, dy, dz = bix - bj.x, biy - bj.y, biz - bj.z
      local dist2 = dx * dx + dy * dy + dz * dz
      local mag = sqrt(dist2)
      mag = dt / (mag * dist2)
      local bm = bj.mass * mag
      bivx = bivx - (dx * bm); bivy = bivy - (dy * bm); bivz = bivz - (dz * bm)
      bm = bimass * mag
      bj.vx = bj.vx + (dx * bm); bj.vy = bj.vy + (dy * bm); bj.vz = bj.vz + (dz * bm)
    end
    bi.vx = bivx; bi.vy = bivy; bi.vz = bivz
    bi.x = bix + dt * bivx; bi.y = biy + dt * bivy; bi.z = biz + dt * bivz
  end
end
for i = 1, 300 do advance(bodies, 5, 0.01) end
return bodies[1].x`

const buildStrings = `
local t = {}
for i = 1, 3000 do
  t[#t + 1] = "item" .. i .. ";"
  if #t >= 100 then t = {table.concat(t):sub(1, 50)} end
end
local s = ""
for i = 1, 500 do s = s .. string.char(65 + i % 26) end
return #s`
