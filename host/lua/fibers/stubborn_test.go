package fibers

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

// stubborn are programs that catch whatever they can and go on for ever. ch is a channel
// that nobody sends to.
func stubborn() map[string]string {
	programs := map[string]string{
		"pcall of a wait":        `while true do pcall(ch.recv, ch) end`,
		"pcall of an error":      `while true do pcall(error) end`,
		"pcall of a sleep":       `while true do pcall(fiber.sleep, 1000) end`,
		"nested pcalls":          `local function f() while true do pcall(f) end end f()`,
		"a looping handler":      `while true do xpcall(error, function() while true do end end) end`,
		"a waiting handler":      `while true do xpcall(error, function() while true do pcall(ch.recv, ch) end end) end`,
		"a failing handler":      `while true do xpcall(function() ch:recv() end, function() error("again") end) end`,
		"a swallowing coroutine": `while true do coroutine.resume(coroutine.create(function() while true do pcall(ch.recv, ch) end end)) end`,
		"wrapped coroutines":     `while true do pcall(coroutine.wrap(function() pcall(function() while true do end end) end)) end`,
		"nested coroutines":      `local function f() while true do pcall(coroutine.wrap(function() f() end)) end end f()`,
		"deep recursion":         `local function f() return 1 + f() end while true do pcall(f) end`,
		"deep in a recursion":    `local function f(n) if n == 0 then while true do pcall(ch.recv, ch) end end return 1 + f(n - 1) end f(150)`,
		"table.sort":             `while true do pcall(table.sort, {3, 2, 1}, function() while true do pcall(ch.recv, ch) end end) end`,
		"string.gsub":            `while true do pcall(string.gsub, "x", "x", function() while true do pcall(ch.recv, ch) end end) end`,
		"metamethods":            `local t = setmetatable({}, {__index = function() while true do pcall(ch.recv, ch) end end}) while true do pcall(function() return t.x end) end`,
		"an iterator":            `for _ in function() while true do pcall(ch.recv, ch) end end do end`,
		"a lock":                 `local m = fiber.mutex() while true do pcall(m.with, m, function() pcall(ch.recv, ch) end) end`,
		"another's lock":         `while true do pcall(taken.lock, taken) end`,
		"another's rwmutex":      `while true do pcall(rw.rlock, rw) end`,
		"a read lock":            `local m = fiber.rwmutex() while true do pcall(m.rwith, m, function() pcall(ch.recv, ch) end) end`,
		"a permit":               `local s = fiber.semaphore(1) while true do pcall(s.with, s, function() pcall(s.acquire, s) end) end`,
		"a condition":            `local m = fiber.mutex() local c = fiber.cond(m) while true do pcall(m.with, m, function() pcall(c.wait, c) end) end`,
		"a once":                 `local o = fiber.once() while true do pcall(o.run, o, function() pcall(ch.recv, ch) error() end) end`,
		"a group":                `local g = fiber.group() g:spawn(ch.recv, ch) while true do pcall(g.wait, g) end`,
		"a timer":                `local t = fiber.timer(1000) while true do pcall(t.wait, t) end`,
		"after a shield":         `while true do pcall(fiber.shield, fiber.yield) end`,
		"select":                 `while true do pcall(fiber.select, {{ch, "recv"}, timeout = 1000}) end`,
		"a select of nothing":    `while true do pcall(fiber.select, {}) end`,
		"a join":                 `local t = fiber.spawn(ch.recv, ch) while true do pcall(t.join, t) end`,
		"a module":               `package.preload.m = function() while true do pcall(ch.recv, ch) end end while true do pcall(require, "m") end`,
		"an endless channel":     `for v in ch:iter() do end while true do end`,
	}
	maps.Copy(programs, busy())
	return programs
}

// endings are Lua expressions that end the fiber victim.
func endings() map[string]string {
	return map[string]string{"cancelled: enough": `victim:cancel("enough")`, "fiber killed": `kill(victim)`}
}

// kill is a global of these programs: a kill, which the library does not offer.
func (s *stage) openKill() {
	s.global("kill", func(L *glua.LState) int {
		_ = s.Runtime().Scheduler().Kill(s.checkTask(L).stack.ID(), nil)
		return 0
	})
}

func TestNoProgramSurvivesACancelOrAKill(t *testing.T) {
	for name, body := range stubborn() {
		for want, ending := range endings() {
			for _, n := range []int{1, 100} {
				t.Run(fmt.Sprintf("%s/%s/%d", name, want, n), func(t *testing.T) {
					s := set(t, slice(n))
					s.openKill()
					s.play(fmt.Sprintf(`
						ch, taken = fiber.chan(), fiber.mutex()
						rw = fiber.rwmutex()
						fiber.spawn(function() taken:lock(); rw:lock(); fiber.chan():recv() end)
						fiber.yield()
						local victim = fiber.spawn(function() %s end)
						for i = 1, 30 do fiber.yield() end
						assert(victim:status() ~= "dead", "it ended by itself")
						%s
						local turns = {}
						while victim:status() ~= "dead" do table.insert(turns, 1); fiber.yield() end
						assert(#turns <= 1, "one slice must be enough")
						print(victim:join())`, body, ending))
					require.Equal(t, "false\t"+want+"\n", s.printed())
				})
			}
		}
	}
}

func TestTheEndOfTheMainProgramEndsEveryOther(t *testing.T) {
	s := set(t, slice(100))
	program := "ch, taken, rw = fiber.chan(), fiber.mutex(), fiber.rwmutex()\ntaken:lock() rw:lock()\n"
	for _, body := range stubborn() {
		program += "fiber.spawn(function() " + body + " end)\n"
	}
	s.play(program + `for i = 1, 20 do fiber.yield() end`)
	require.Zero(t, s.Runtime().Scheduler().Inspect().Live())
	require.NoError(t, s.try(`return "the host goes on"`))
}

func TestAShieldDoesNotStopAKillAndAKilledFiberSpawnsNothing(t *testing.T) {
	for _, n := range budgets() {
		s := set(t, slice(n))
		s.openKill()
		s.play(`
			local victim = fiber.spawn(function()
				fiber.shield(function() while true do pcall(fiber.sleep, 1) end end)
			end)
			fiber.sleep(1)
			victim:cancel()
			fiber.sleep(5)
			print(victim:status() ~= "dead")
			kill(victim)
			print(victim:join())
			local spawned = 0
			victim = fiber.spawn(function()
				kill(fiber.self())
				pcall(fiber.spawn, function() spawned = spawned + 1 end)
				pcall(function() fiber.group():spawn(function() spawned = spawned + 1 end) end)
			end)
			print(victim:join())
			fiber.sleep(1)
			print(spawned)`)
		require.Equal(t, "true\nfalse\tfiber killed\nfalse\tfiber killed\n0\n", s.printed())
	}
}

func TestNoLuaCodeRunsInAFiberThatIsGone(t *testing.T) {
	for _, ending := range endings() {
		s := set(t, slice(100))
		s.openKill()
		s.play(fmt.Sprintf(`
			local m, log = fiber.mutex(), {}
			local function never() table.insert(log, debug.traceback()) end
			local proxy = setmetatable({}, {__index = never, __tostring = never, __gc = never})
			local victim = fiber.spawn(function()
				xpcall(function()
					m:with(function() coroutine.wrap(function() pcall(fiber.sleep, 1000); never() end)(); never() end)
					never()
				end, never)
				never()
				return proxy.x
			end)
			fiber.sleep(1)
			%s
			print(victim:join())
			print(#log, log[1])`, ending))
		require.Regexp(t, "^false\t.*\n0\tnil\n$", s.printed())
	}
}

func TestAFiberCancelledBeforeItBeginsNeverDoes(t *testing.T) {
	for want, ending := range endings() {
		s := set(t, Config{})
		s.openKill()
		s.play(`local victim = fiber.spawn(function() print("never") end) ` + ending + ` print(victim:status(), victim:join())`)
		require.Equal(t, "runnable\tfalse\t"+want+"\n", s.printed())
	}
}

func TestAKilledFiberPoisonsTheLocksItHeld(t *testing.T) {
	s := set(t, Config{})
	s.openKill()
	s.play(`
		local m = fiber.mutex()
		local victim = fiber.spawn(function() m:with(fiber.sleep, 1000) end)
		local waiting = fiber.spawn(m.lock, m)
		fiber.sleep(1)
		kill(victim)
		print(waiting:join())
		print(pcall(m.lock, m))`)
	require.Regexp(t, `^(false\tp.lua:\d+: lock: mutex "p.lua:2 #1": the lock is poisoned: its owner died while it held it\n){2}$`, s.printed())
}
