package fibers

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/internal/long"
)

// loan is a table of objects of this host for another.
func (s *stage) loan() *glua.LTable {
	s.play(`loan = {chan = fiber.chan(1), mutex = fiber.mutex(), task = fiber.self(), rwmutex = fiber.rwmutex(),
		semaphore = fiber.semaphore(1), cond = fiber.cond(fiber.mutex()), once = fiber.once(), group = fiber.group(), timer = fiber.timer(1)}
		fiber.scope(function(s) loan.scope = s end)`)
	return s.State().Base().GetGlobal("loan").(*glua.LTable)
}

func TestNoArgumentsHangOrCrashTheLibrary(t *testing.T) {
	source, err := os.ReadFile("testdata/anyargs.lua")
	require.NoError(t, err)
	loan := set(t, Config{}).loan()
	s := set(t, slice(1000))
	s.State().Base().SetGlobal("loan", loan)
	fn, err := s.State().Load(bytes.NewReader(source), "anyargs.lua")
	require.NoError(t, err)
	s.State().Base().SetGlobal("anyargs", fn)
	thin := "1"
	if raced || !long.Full() {
		thin = "13"
	}
	require.NoError(t, s.try(`anyargs(loan, `+thin+`)`))
	require.Equal(t, "true\ttrue\ttrue\t0\n", s.printed())
}

func TestObjectsOfAnotherHostAreRefused(t *testing.T) {
	loan := set(t, Config{}).loan()
	s := set(t, Config{})
	s.State().Base().SetGlobal("foreign", loan)
	s.play(`
		local ch, m, t = foreign.chan, foreign.mutex, foreign.task
		local rw, sem, cond, once, group = foreign.rwmutex, foreign.semaphore, foreign.cond, foreign.once, foreign.group
		local own, ours = fiber.chan(), fiber.group()
		for _, use in ipairs{
			function() ch:send(1) end, function() ch:recv() end, function() ch:try_send(1) end, function() ch:try_recv() end,
			function() ch:close() end, function() return #ch end, function() ch:cap() end, function() ch:iter() end,
			function() own.recv(ch) end, function() fiber.select{{ch, "recv"}} end, function() fiber.select{{own, "recv"}, {ch, "send", 1}, default = true} end,
			function() foreign.timer:wait() end, function() foreign.timer:stop() end, function() foreign.timer:reset(1) end, function() fiber.select{{foreign.timer, "wait"}} end,
			function() m:lock() end, function() m:unlock() end, function() m:with(print) end,
			function() m:try_lock() end, function() rw:lock() end, function() rw:unlock() end, function() rw:with(print) end,
			function() rw:rlock() end, function() rw:try_rlock() end, function() rw:runlock() end, function() rw:rwith(print) end,
			function() sem:acquire() end, function() sem:try_acquire() end, function() sem:release() end, function() sem:with(print) end,
			function() cond:wait() end, function() cond:signal() end, function() cond:broadcast() end, function() fiber.cond(m) end,
			function() once:run(print) end, function() once:done() end, function() group:spawn(print) end, function() group:wait() end,
			function() group:cancel() end, function() group:add(fiber.self()) end, function() ours:add(t) end,
			function() t:join() end, function() t:cancel() end, function() t:status() end, function() t:name("x") end, function() return t.id end,
			function() foreign.scope:spawn(print) end, function() foreign.scope:cancel() end, function() foreign.scope:stop() end,
		} do
			local ok, e = pcall(use)
			assert(not ok and e:match("^p.lua:%d+: this %l+ belongs to another Lua state$"), tostring(e))
		end
		print(fiber.spawn(pcall, ch.recv, ch):join())`)
	require.Equal(t, "true\tfalse\t this chan belongs to another Lua state\n", s.printed())
}

// waits are calls that only a fiber can make; ch is a channel with room, dead a task that
// has ended.
func waits() []string {
	return []string{
		`fiber.yield()`, `fiber.sleep(0)`, `fiber.self()`, `ch:send(1)`, `ch:recv()`, `ch:try_send(1)`, `ch:try_recv()`, `ch:close()`,
		`ch:iter()()`, `fiber.select{default = true}`, `fiber.mutex():lock()`, `fiber.mutex():unlock()`, `fiber.mutex():with(print)`, `dead:join()`,
		`fiber.timer(0)`, `fiber.scope(print)`,
		`fiber.mutex():try_lock()`, `fiber.rwmutex():lock()`, `fiber.rwmutex():rlock()`, `fiber.rwmutex():try_rlock()`, `fiber.rwmutex():runlock()`,
		`fiber.rwmutex():rwith(print)`, `fiber.semaphore(1):acquire()`, `fiber.semaphore(1):try_acquire()`, `fiber.semaphore(1):release()`,
		`fiber.semaphore(1):with(print)`, `fiber.cond(fiber.mutex()):wait()`, `fiber.cond(fiber.mutex()):signal()`, `fiber.cond(fiber.mutex()):broadcast()`,
		`fiber.once():run(print)`, `fiber.group():spawn(print)`, `fiber.group():add(dead)`, `fiber.group():wait()`, `fiber.group():cancel()`, `fiber.shield(print)`,
	}
}

func TestHostCodeOutsideOfAFiberIsToldThatOnlyAFiberCanWait(t *testing.T) {
	s := set(t, Config{})
	outside := func(when string) {
		for _, call := range waits() {
			err := s.State().Base().DoString(call)
			require.ErrorContains(t, err, "<string>:1: only a fiber can do this", "%s %s", call, when)
		}
		require.NoError(t, s.State().Base().DoString(`print(fiber.now(), #ch, ch:cap(), dead:status(), dead:name("n"), dead:cancel()) pcall(require, "none")`), when)
		require.Regexp(t, `^[\d.]+\t0\t1\tdead\tn\n$`, s.printed())
	}
	s.play(`ch = fiber.chan(1); dead = fiber.spawn(function() end); dead:join()`)
	outside("after a program")
	s.deadlock(`fiber.chan():recv()`)
	outside("while a fiber is parked")
	s.global("call", func(L *glua.LState) int {
		outside("from a fiber's Go function, on the host's own stack")
		return 0
	})
	s.play(`call(); fiber.sleep(1); coroutine.wrap(call)()`)
}

func TestHostCodeMaySpawnBeforeTheProgramRuns(t *testing.T) {
	s := set(t, Config{})
	require.NoError(t, s.State().Base().DoString(`early = fiber.spawn(function(...) fiber.sleep(1); return ... end, "early"); early:name("e")`))
	s.play(`print(early:join()) print(early:name())`)
	require.Equal(t, "true\tearly\ne\n", s.printed())
}

func TestAGoFunctionOfTheHostMayCallLuaThatWaits(t *testing.T) {
	for _, n := range budgets() {
		s := set(t, slice(n))
		s.global("twice", func(L *glua.LState) int {
			for range 2 {
				L.Push(L.CheckFunction(1))
				L.Call(0, 1)
			}
			return 2
		})
		s.global("explode", func(*glua.LState) int { panic("in Go") })
		s.play(`
			local ch = fiber.chan()
			fiber.spawn(function() for i = 1, 3 do fiber.sleep(1); ch:send(i) end end)
			print(twice(function() return ch:recv() end))
			print(pcall(twice, function() ch:recv(); explode() end))
			print(fiber.spawn(explode):join())`)
		require.Equal(t, "1\t2\nfalse\tin Go\nfalse\tin Go\n", s.printed())
	}
}
