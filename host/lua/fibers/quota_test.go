package fibers

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/quota"
)

// limited is a Config with quotas.
func limited(cfg Config, l quota.Limits) Config {
	cfg.Quota = l
	return cfg
}

// passed checks that the error is that of a quota.
func passed(t require.TestingT, err error, r quota.Resource) *quota.Error {
	var e *quota.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, r, e.Resource, "%v", err)
	return e
}

// loops is a program of random loops, in fibers, coroutines and protected calls.
func loops(t *rapid.T) string {
	var b strings.Builder
	for i := range rapid.IntRange(1, 4).Draw(t, "parts") {
		n := rapid.IntRange(0, 30).Draw(t, "turns")
		body := rapid.SampledFrom([]string{
			"x = x + 1", "t[#t + 1] = x", "s = (s .. 'a'):rep(2):sub(1, 40)", "fiber.yield()", "pcall(error, 'e')",
			"fiber.sleep(0.1)", "coroutine.wrap(function() x = x + 1 coroutine.yield() x = x + 2 end)()",
			"table.sort(t)", "x = x + #string.format('%5d', x)", "setmetatable({}, {__index = function() x = x + 1 end}).y = x",
		}).Draw(t, "body")
		how := rapid.SampledFrom([]string{"%s", "fiber.spawn(function() %s end):join()", "fiber.spawn(function() %s end)", "pcall(function() %s end)"}).Draw(t, "how")
		fmt.Fprintf(&b, "do local x, t, s = %d, {}, ''; "+how+" end\n", i, fmt.Sprintf("for _ = 1, %d do %s end", n, body))
	}
	return b.String()
}

// A program that uses N steps passes with a quota of N and ends at exactly N - 1 with one of N - 1; N is
// the same in every run. The budget decides only the order of the fibers' time slices.
func TestAQuotaOfStepsIsExact(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		program := loops(r) + "for _ = 1, 9 do fiber.yield() end fiber.sleep(100)"
		n := int64(0)
		for _, budget := range append(budgets(), 3) {
			run := func(limit int64) (quota.Spent, error) {
				cfg := limited(slice(budget), quota.Limits{Steps: limit})
				h := New(cfg)
				defer h.Close()
				_, err := h.Run(t.Context(), strings.NewReader(program), "p.lua")
				return h.Spent(), err
			}
			free, err := run(0)
			require.NoError(r, err)
			if n == 0 {
				n = free.Steps
			}
			require.Equal(r, n, free.Steps, "budget %d", budget)
			whole, err := run(n)
			require.NoError(r, err)
			require.Equal(r, free, whole)
			short := rapid.Int64Range(1, n-1).Draw(r, "limit")
			for _, limit := range []int64{short, n - 1} {
				spent, err := run(limit)
				require.Equal(r, limit, passed(r, err, quota.Steps).Limit)
				require.Equal(r, limit, spent.Steps)
			}
		}
	})
}

// A call costs three steps here: with the jump of the loop.
func TestNothingIsExecutedBeyondAQuotaOfSteps(t *testing.T) {
	for _, budget := range budgets() {
		for limit := range int64(40) {
			s := set(t, limited(slice(budget), quota.Limits{Steps: limit + 1}))
			marks := int64(0)
			s.global("mark", func(*glua.LState) int { marks++; return 0 })
			passed(t, s.try("while true do mark() end"), quota.Steps)
			require.Equal(t, (limit+2)/3, marks, "budget %d, limit %d", budget, limit+1)
		}
	}
}

// Each way to pass a quota, tried below everything that catches errors: none catches the end, nothing is
// written after it, and what follows is refused.
func TestNoProgramCatchesTheEndByAQuota(t *testing.T) {
	catching := map[string]string{
		"nothing":        "%s",
		"pcall":          "pcall(function() %s end)",
		"nested pcall":   "pcall(pcall, pcall, function() %s end)",
		"xpcall":         "xpcall(function() %s end, function() print('caught') end)",
		"coroutine":      "coroutine.resume(coroutine.create(function() %s end))",
		"wrap":           "pcall(coroutine.wrap(function() %s end))",
		"metamethod":     "pcall(function() local _ = setmetatable({}, {__index = function() %s end}).x end)",
		"shield":         "fiber.shield(function() %s end)",
		"error handler":  "xpcall(error, function() %s end)",
		"scope":          "pcall(fiber.scope, function() %s end)",
		"joined fiber":   "fiber.spawn(function() %s end):join()",
		"sort":           "pcall(table.sort, {1, 2}, function() %s end)",
		"gsub":           "pcall(string.gsub, 'a', 'a', function() %s end)",
		"caught forever": "while true do pcall(function() while true do %s end end) end",
	}
	for resource, use := range map[quota.Resource][]string{
		quota.Steps:  {"while true do end", "local function f() return f() end f()"},
		quota.Output: {"print(('x'):rep(101))", "io.write(('x'):rep(101))", "io.stdout:write('x', ('x'):rep(100))", "while true do print('caught?') end"},
		quota.Fibers: {"for _ = 1, 9 do fiber.spawn(wait) end", "for _ = 1, 9 do tasks[#tasks + 1] = fiber.spawn(wait) end",
			"fiber.scope(function(s) for _ = 1, 9 do s:spawn(wait) end end)"},
		quota.Timers: {"for _ = 1, 9 do tasks[#tasks + 1] = fiber.timer(100) end", "for _ = 1, 6 do fiber.spawn(fiber.sleep, 1) end fiber.sleep(0.5)",
			"for _ = 1, 5 do tasks[#tasks + 1] = fiber.timer(100) end fiber.chan():recv(5)"},
		quota.Time: {"fiber.sleep(1e6)", "for _ = 1, 1e6 do fiber.sleep(1) end"},
	} {
		limits := quota.Limits{Steps: 1e6, Output: 100, Fibers: 8, Timers: 5, Time: time.Hour}
		for _, program := range use {
			for name, catch := range catching {
				t.Run(fmt.Sprint(resource, " ", program, " ", name), func(t *testing.T) {
					s := set(t, limited(slice(100), limits))
					s.global("must_not_run", func(*glua.LState) int { t.Error("the program continues"); return 0 })
					err := s.try("tasks, wait = {}, function() fiber.chan():recv() end\n" + fmt.Sprintf(catch, program+" must_not_run()") + "\nmust_not_run()")
					passed(t, err, resource)
					require.LessOrEqual(t, s.out.Len(), 100)
					require.NotContains(t, s.out.String(), "caught\n")
					_, again := s.Call(s.ctx, "tostring", 1)
					passed(t, again, resource)
				})
			}
		}
	}
}

// Of each resource N are admitted, and one more ends the program.
func TestEachQuotaOfAProgramIsExact(t *testing.T) {
	const n = 7
	for resource, c := range map[quota.Resource]struct {
		limits  func(int64) quota.Limits
		program string // uses n
	}{
		quota.Output:     {func(n int64) quota.Limits { return quota.Limits{Output: n} }, "io.write('abc') print('xyz')"},
		quota.Fibers:     {func(n int64) quota.Limits { return quota.Limits{Fibers: n} }, "for _ = 1, 6 do fiber.spawn(fiber.sleep, 1) end"},
		quota.Timers:     {func(n int64) quota.Limits { return quota.Limits{Timers: n} }, "for _ = 1, 6 do fiber.spawn(fiber.sleep, 1) end fiber.sleep(1)"},
		quota.Time:       {func(n int64) quota.Limits { return quota.Limits{Time: time.Duration(n+1) * time.Second} }, "fiber.sleep(7)"},
		quota.Operations: {func(n int64) quota.Limits { return quota.Limits{Operations: n} }, "for _ = 1, 6 do fiber.spawn(operation) end operation()"},
	} {
		for _, budget := range budgets() {
			for limit, passes := range map[int64]bool{n: true, n - 1: false} {
				t.Run(fmt.Sprint(resource, budget, limit), func(t *testing.T) {
					s := set(t, limited(slice(budget), c.limits(limit)))
					s.global("operation", s.operation)
					err := s.try(c.program + " finished = true")
					require.Equal(t, passes, s.State().Base().GetGlobal("finished") == glua.LTrue)
					if passes {
						require.NoError(t, err)
					} else {
						passed(t, err, resource)
					}
				})
			}
		}
	}
}

// operation is a global of test programs: an operation that takes a second.
func (s *stage) operation(L *glua.LState) int {
	c := s.env.begin(L)
	_, err := c.fiber.OperateUntil(func(fiber.Token) error { return nil }, c.fiber.Within(time.Second))
	return c.ended(err)
}

// A scope has quotas of its own: its fibers end, also those that it has spawned elsewhere, and the error
// is raised in its owner.
func TestAScopeHasQuotas(t *testing.T) {
	for _, budget := range budgets() {
		s := set(t, limited(slice(budget), quota.Limits{Steps: 1e6}))
		s.play(`
			local other = fiber.spawn(function() fiber.sleep(1000) return "continues" end)
			local inner
			local function loop() inner = fiber.spawn(function() pcall(fiber.sleep, 1e6) end) pcall(function() while true do end end) end
			print(pcall(fiber.scope, loop, { steps = 1000, name = "s" }))
			print(inner:join())
			print(pcall(fiber.scope, function(s) fiber.sleep(5) s:spawn(fiber.sleep, 1e6) end, { time = 10, name = "t" }))
			print(pcall(fiber.scope, print, { output = 3, name = "o" }))
			print(fiber.scope(function() return 1 end, { steps = 100, fibers = 1, timers = 1, operations = 1, output = math.huge }))
			print(select(2, pcall(fiber.scope, print, { steps = -1 })))
			print(other:join())`)
		require.Equal(t, `false	p.lua:5: the quota of scope "s" is used up: steps, limit 1000
false	fiber killed: the quota of scope "s" is used up: steps, limit 1000
false	p.lua:7: the quota of scope "t" is used up: time, limit 10s
false	p.lua:8: the quota of scope "o" is used up: output, limit 3 bytes
1
bad argument #2 to (anonymous) (steps: number of steps above 0, or math.huge for no limit, expected, got -1)
true	continues
`, strings.ReplaceAll(s.out.String(), "p.lua:10: ", ""))
	}
}

// Two programs of one scheduler do not exist; two Hosts have quotas of their own. A Host that is served ends
// all calls when its quota is passed, and Serve returns.
func TestServeEndsWhenAQuotaIsPassed(t *testing.T) {
	h := New(limited(realTime(1000), quota.Limits{Steps: 100_000}))
	defer h.Close()
	require.NoError(t, h.prepare(t, `function wait() fiber.chan():recv() end function loop() while true do end end`))
	waits, err := h.Start("wait")
	require.NoError(t, err)
	loops, err := h.Start("loop")
	require.NoError(t, err)
	passed(t, h.Serve(t.Context()), quota.Steps)
	for _, call := range []*bind.Handle{waits, loops} {
		_, err = call.Result(t.Context())
		passed(t, err, quota.Steps)
	}
	require.EqualValues(t, 100_000, h.Spent().Steps)
	require.Zero(t, h.Spent().Fibers)
	passed(t, h.Serve(t.Context()), quota.Steps)
}

func (h *Host) prepare(t *testing.T, program string) error {
	_, err := h.Run(t.Context(), strings.NewReader(program), "p.lua")
	return err
}

// A call may have quotas beside those of the Host, which continues.
func TestACallHasQuotasOfItsOwn(t *testing.T) {
	h := New(limited(slice(100), quota.Limits{Steps: 100_000}))
	defer h.Close()
	require.NoError(t, h.prepare(t, `function loop(n) for _ = 1, n do end return n end`))
	loop := Limited{Func: "loop", Quota: quota.Limits{Steps: 500, Fibers: 1}}
	_, err := h.Call(t.Context(), loop, 1e9)
	require.Equal(t, "loop", passed(t, err, quota.Steps).Account)
	values, err := h.Call(t.Context(), loop, 9)
	require.NoError(t, err)
	require.Equal(t, []any{9.0}, values)
	var ended []*bind.Handle
	for _, n := range []int{9, 1e9, 10} {
		handle, err := h.Start(loop, n)
		require.NoError(t, err)
		ended = append(ended, handle)
	}
	_, err = h.Call(t.Context(), "loop", 5000)
	require.NoError(t, err)
	for i, handle := range ended {
		if _, err := handle.Result(t.Context()); i == 1 {
			passed(t, err, quota.Steps)
		} else {
			require.NoError(t, err)
		}
	}
	_, err = h.Call(t.Context(), Limited{Func: "loop", Quota: quota.Limits{Steps: 1e9}}, 1e9)
	require.Empty(t, passed(t, err, quota.Steps).Account)
	require.EqualValues(t, 100_000, h.Spent().Steps)
}

// The memory of a Host is that of its program; garbage is given back, and what lives is not.
func TestAQuotaOfMemoryEndsTheProgram(t *testing.T) {
	s := set(t, limited(slice(100), quota.Limits{Memory: 4 << 20}))
	s.play(`for i = 1, 1e5 do local t = { i, {} } end`)
	require.InDelta(t, 2<<20, s.Spent().Memory, 2<<20)
	passed(t, s.try(`local t = {} pcall(function() for i = 1, 1e7 do t[i] = {i} end end) while true do end`), quota.Memory)
	s.Close()
	require.Zero(t, s.Spent().Memory)
}

// The islands of a program use its quotas. What one of them passes ends all.
func TestIslandsShareTheQuotasOfTheirProgram(t *testing.T) {
	for name, c := range map[string]struct {
		limits   quota.Limits
		resource quota.Resource
		program  string
	}{
		"steps": {quota.Limits{Steps: 1e6}, quota.Steps, `
			for i = 1, 3 do fiber.island():spawn(function() while true do pcall(function() while true do end end) end end) end
			fiber.chan():recv()`},
		"fibers": {quota.Limits{Fibers: 50}, quota.Fibers, `
			local p = fiber.port()
			fiber.island():spawn(function() while true do fiber.spawn(fiber.sleep, 1e6) end end)
			pcall(p.recv, p)`},
		"output": {quota.Limits{Output: 10}, quota.Output, `
			fiber.island():spawn(function() print("123456") end):join()
			print("123")
			fiber.sleep(1e6)`},
		"time": {quota.Limits{Time: time.Millisecond}, quota.Time, `
			fiber.island():spawn(function() while true do end end):join()`},
	} {
		t.Run(name, func(t *testing.T) {
			s := set(t, limited(realTime(1000), c.limits))
			passed(t, s.try(c.program), c.resource)
			if name == "steps" {
				require.InDelta(t, 1e6, s.Spent().Steps, 4*1000)
			}
			require.Zero(t, s.Spent().Fibers)
		})
	}
}

// What the fibers of a Host have used adds up, also without a quota.
func TestSpentAddsUp(t *testing.T) {
	s := set(t, slice(10))
	var during []quota.Spent
	s.global("look", func(*glua.LState) int { during = append(during, s.Spent()); return 0 })
	s.play(`
		look() look()
		fiber.spawn(fiber.sleep, 5) fiber.timer(100)
		print("12345")
		fiber.sleep(2)
		look()`)
	require.Equal(t, int64(2), during[1].Steps-during[0].Steps)
	require.Equal(t, quota.Spent{Steps: during[2].Steps, Fibers: 2, Timers: 2, Output: 6, Time: 2 * time.Second}, during[2])
	end := s.Spent()
	require.Equal(t, quota.Spent{Steps: end.Steps, Timers: 1, Output: 6, Time: 2 * time.Second}, end)
	require.Greater(t, end.Steps, during[2].Steps)
	require.EqualValues(t, math.MaxInt64, s.env.group.Account().Left(quota.Steps))
}
