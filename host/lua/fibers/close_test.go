package fibers

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/stackful"
)

// everywhere blocks a fiber in each kind of wait, in each kind of place.
const everywhere = `
	local ch, full, m = fiber.chan(), fiber.chan(1), fiber.mutex()
	full:send(1)
	m:lock()
	local idle = fiber.spawn(function() fiber.select{} end)
	local waits = {
		function() ch:recv() end, function() full:send(1) end, function() fiber.sleep(1e6) end, function() m:lock() end,
		function() idle:join() end, function() fiber.select{{ch, "recv"}, {full, "send", 1}} end, function() ch:recv(1e6) end,
		function() for v in ch:iter() do end end, function() coroutine.yield() end,
	}
	local function inside(wait)
		return {
			wait, function() pcall(wait) end, function() xpcall(error, wait) end,
			function() coroutine.wrap(function() coroutine.wrap(wait)() end)() end,
			function() table.sort({2, 1}, function() wait() end) end, function() ("x"):gsub("x", wait) end,
			function() return setmetatable({}, {__index = wait}).x end, function() fiber.mutex():with(wait) end,
			function() local name = tostring(wait); package.preload[name] = wait; require(name) end,
		}
	end
	for _, wait in ipairs(waits) do
		for _, body in ipairs(inside(wait)) do fiber.spawn(pcall, body); fiber.spawn(coroutine.wrap(body)) end
	end
	suspended = {}
	for i, wait in ipairs(waits) do
		suspended[i] = coroutine.wrap(function() fiber.mutex():with(function() coroutine.yield() end); wait() end)
		suspended[i]()
	end
	kept = fiber.spawn(function() local co = coroutine.wrap(function() pcall(coroutine.yield) end); co(); ch:recv() end)
`

// After each of these tests, the stage checks that closing the host left nothing behind.
func TestCloseUnwindsWhateverStateTheHostIsIn(t *testing.T) {
	states := map[string]func(s *stage){
		"new":             func(*stage) {},
		"after a program": func(s *stage) { s.play(`return 1`) },
		"after an error":  func(s *stage) { require.Error(t, s.try(everywhere+`error("x")`)) },
		"a syntax error":  func(s *stage) { require.Error(t, s.try(`x x`)) },
		"main returned":   func(s *stage) { require.NoError(t, s.try(everywhere+`fiber.sleep(1)`)) },
		"deadlocked":      func(s *stage) { s.deadlock(everywhere + `fiber.sleep(1e6) fiber.select{}`) },
		"deadlocked twice": func(s *stage) {
			s.deadlock(`fiber.select{}`)
			s.deadlock(everywhere + `m:unlock() fiber.chan():recv()`)
		},
		"interrupted":    func(s *stage) { s.interruptAfter(everywhere + `fiber.yield() interrupt() while true do end`) },
		"before the run": func(s *stage) { s.stop(); require.ErrorIs(t, s.try(everywhere), context.Canceled) },
		"never begun": func(s *stage) {
			require.NoError(t, s.State().Base().DoString(`for i = 1, 10 do fiber.spawn(function() print("never") end) end`))
		},
		"half begun": func(s *stage) {
			require.NoError(t, s.State().Base().DoString(`for i = 1, 10 do fiber.spawn(function() while true do end end) end`))
			sched := s.Runtime().Scheduler()
			for range 5 {
				sched.Finish(s.Runtime().Resume(sched, sched.ScheduleNext()))
			}
		},
		"closed before": func(s *stage) { s.Close() },
	}
	for name, reach := range states {
		for _, backing := range []stackful.Backing{stackful.Coroutine, stackful.Goroutine} {
			t.Run(name+"/"+backing.String(), func(t *testing.T) {
				cfg := slice(100)
				cfg.Runtime.Backing, cfg.Lua.Backing = backing, backing
				s := set(t, cfg)
				reach(s)
				require.Empty(t, s.printed())
			})
		}
	}
}

// interruptAfter runs a program that cancels the context of its own run.
func (s *stage) interruptAfter(program string) {
	s.t.Helper()
	s.global("interrupt", func(*glua.LState) int { s.stop(); return 0 })
	require.ErrorIs(s.t, s.try(program), context.Canceled)
	require.Zero(s.t, s.Runtime().Scheduler().Inspect().Live(), "all have unwound when Run returns")
}

func TestAHostRunsOneProgramAfterTheOther(t *testing.T) {
	s := set(t, Config{})
	s.play(`x = (x or 0) + 1; local c = fiber.chan(); fiber.spawn(c.send, c, 1); print(x, c:recv())`)
	require.ErrorContains(t, s.try(`x = x + 1; error("stops")`), "p.lua:1: stops")
	s.deadlock(`x = x + 1; fiber.chan():recv()`)
	values, err := s.Run(s.ctx, strings.NewReader(`x = x + 1; return x, nil, ...`), "last.lua", "arg")
	require.NoError(t, err)
	require.Equal(t, []glua.LValue{glua.LNumber(4), glua.LNil, glua.LString("arg")}, values)
	require.Equal(t, "1\t1\ttrue\n", s.printed())
}

func TestNothingOfADeadlockedProgramIsLeftInTheNextRun(t *testing.T) {
	s := set(t, Config{})
	r := s.deadlock(`ch, m = fiber.chan(), fiber.mutex(); fiber.spawn(function() m:with(function() ch:recv() end); print("never") end); ch:recv()`)
	require.Len(t, r.Fibers, 2)
	require.Equal(t, 2, s.Runtime().Scheduler().Inspect().Live())
	s.play(`print(ch:try_send("late"), pcall(m.lock, m)); fiber.sleep(1)`)
	require.Regexp(t, "^false\tfalse\t.*the lock is poisoned: its owner died while it held it\n$", s.printed())
}

func TestFailuresThatWereNotJoinedAreReportedHoweverTheRunEnds(t *testing.T) {
	for name, end := range map[string]string{
		"it returns": ``, "it fails": `error("main")`, "a deadlock": `fiber.chan():recv()`, "an interrupt": `interrupt() while true do end`,
	} {
		t.Run(name, func(t *testing.T) {
			s := set(t, Config{})
			s.global("interrupt", func(*glua.LState) int { s.stop(); return 0 })
			_ = s.try(`
				local seen = fiber.spawn(error, "seen"); seen:join()
				fiber.spawn(function() error({}) end):name("table")
				fiber.spawn(function() error("lost") end)
				fiber.spawn(function() fiber.sleep(1000) end) -- killed by the end
				local gone = fiber.spawn(function() fiber.sleep(1000) end)
				local unstarted = fiber.spawn(function() end)
				unstarted:cancel()
				fiber.yield() gone:cancel() fiber.yield() ` + end)
			var told []string
			for _, f := range s.failed {
				told = append(told, f.Error())
				require.NotEmpty(t, f.Err.(*GuestError).Traceback)
			}
			require.Equal(t, []string{ // that of the discarded task at once
				`fiber f2.1 "p.lua:4" failed and nothing joined it: p.lua:4: lost`,
				`fiber f1.2 "table" failed and nothing joined it: (error object is a table value)`,
			}, told)
		})
	}
}

func TestALimitOfFibersIsAnErrorOfTheSpawn(t *testing.T) {
	cfg := Config{}
	cfg.Runtime.MaxFibers = 10
	s := set(t, cfg)
	s.play(`
		local all = {}
		for i = 1, 9 do all[i] = fiber.spawn(fiber.sleep, 1) end
		print(pcall(fiber.spawn, print))
		all[1]:join()
		fiber.yield()
		print(fiber.spawn(string.upper, "room"):join())`)
	require.Equal(t, "false\tp.lua:4: spawn: too many fibers: 10 are alive; let some end first, or raise the limit (Config.Runtime.MaxFibers)\ntrue\tROOM\n", s.printed())
}
