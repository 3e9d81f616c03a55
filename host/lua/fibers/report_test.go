package fibers

import (
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

func TestAProgramCanAskWhoIsStuckWhereverItIs(t *testing.T) {
	for _, n := range budgets() {
		s := set(t, slice(n))
		s.play(`
			local m = fiber.mutex()
			local function selfish() m:lock() fiber.self():name("selfish") fiber.chan():recv() end
			fiber.spawn(selfish)
			local a, b = {}, {}
			a.task = fiber.spawn(function() fiber.sleep(0.5) b.task:join() end)
			b.task = fiber.spawn(function() fiber.sleep(0.5) pcall(a.task.join, a.task) end)
			local behind = fiber.spawn(function() fiber.sleep(0.5) coroutine.wrap(function() b.task:join() end)() end)
			local patient = fiber.spawn(function() fiber.sleep(0.5) return b.task:join(100) end)
			fiber.spawn(function() m:lock() end)
			fiber.sleep(1)
			io.write(fiber.report())
			io.write(coroutine.wrap(fiber.report)() == fiber.report() and "the same in a coroutine\n" or "another\n")
			a.task:cancel()
			print(patient:join(), fiber.report())`)
		require.Equal(t, `partial deadlock: 3 fibers can only be woken by each other
  f2.1 "p.lua:6" at p.lua:6 waits on the end of f3.1; could be woken by f3.1 "p.lua:7"
  f3.1 "p.lua:7" at p.lua:7 waits on the end of f2.1; could be woken by f2.1 "p.lua:6"
  f4.1 "p.lua:8" at p.lua:8 waits on the end of f3.1; could be woken by f3.1 "p.lua:7"
cycle: f2.1 → f3.1 → f2.1
the same in a coroutine
true	nil
`, s.printed(), "slice %d", n)
	}
}

func TestAReportOfEveryoneTellsTheLineOfEach(t *testing.T) {
	s := set(t, slice(10))
	var report string
	s.global("look", func(*glua.LState) int {
		sched := s.Runtime().Scheduler()
		_ = sched.Inbox().Do(func() { report = sched.Inspect().DumpFibers() })
		return 0
	})
	s.play(`
		fiber.spawn(fiber.sleep, 10):name("sleeper")
		fiber.spawn(function() while true do end end)
		fiber.yield()
		look()
		for i = 1, 100 do end`)
	require.Equal(t, `3 fibers, 1 of them blocked
  f0.1 "main" at p.lua:6 is runnable
  f2.1 "p.lua:3" at p.lua:3 is runnable
  f1.1 "sleeper" waits on timer(10s)
`, report)
}
