package fibers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// said is the part of a deadlock report about each fiber: name, site and what it waits on.
func said(r *scheduler.Report) (lines []string) {
	for _, f := range r.Fibers {
		line := f.Name + " at " + f.Site
		for _, on := range f.On {
			line += " on " + on
		}
		lines = append(lines, line)
	}
	return lines
}

func TestADeadlockReportNamesTheLineOfEachFiberWhereverItIsBlocked(t *testing.T) {
	for _, n := range budgets() {
		s := set(t, slice(n))
		require.Equal(t, []string{
			"main at p.lua:15 on the end of f1.1",
			"plain at p.lua:4 on chan \"p.lua:2 #1\" (0 of 0 buffered, receivers waiting: 9, senders waiting: 0)",
			"pcall at p.lua:5 on chan \"p.lua:2 #1\" (0 of 0 buffered, receivers waiting: 9, senders waiting: 0)",
			"coroutines at p.lua:6 on chan \"p.lua:2 #1\" (0 of 0 buffered, receivers waiting: 9, senders waiting: 0)",
			"metamethod at p.lua:7 on chan \"p.lua:2 #1\" (0 of 0 buffered, receivers waiting: 9, senders waiting: 0)",
			"handler at p.lua:8 on chan \"p.lua:2 #1\" (0 of 0 buffered, receivers waiting: 9, senders waiting: 0)",
			"comparator at p.lua:9 on chan \"p.lua:2 #1\" (0 of 0 buffered, receivers waiting: 9, senders waiting: 0)",
			"iterator at p.lua:10 on chan \"p.lua:2 #1\" (0 of 0 buffered, receivers waiting: 9, senders waiting: 0)",
			"deep at p.lua:11 on chan \"p.lua:2 #1\" (0 of 0 buffered, receivers waiting: 9, senders waiting: 0)",
			"loaded at loaded:2 on chan \"p.lua:2 #1\" (0 of 0 buffered, receivers waiting: 9, senders waiting: 0)",
		}, said(s.deadlock(`
			ch = fiber.chan()
			local bodies = {
				function() ch:recv() end,
				function() pcall(xpcall, function() ch:recv() end, print) end,
				function() coroutine.wrap(function() coroutine.wrap(function() local v = ch:recv() return v end)() end)() end,
				function() return setmetatable({}, {__index = function() local v = ch:recv() return v end}).x end,
				function() xpcall(error, function() ch:recv() end) end,
				function() table.sort({2, 1}, function() ch:recv() end) end,
				function() for v in ch:iter() do end end,
				function() local function f(n) if n == 0 then ch:recv() else f(n - 1) end return 1 end f(50) end,
				loadstring("\nch:recv()", "loaded"),
			}
			local names, all = {"plain", "pcall", "coroutines", "metamethod", "handler", "comparator", "iterator", "deep", "loaded"}, {}
			for i, body in ipairs(bodies) do all[i] = fiber.spawn(body); all[i]:name(names[i]) end fiber.sleep(1) all[1]:join()`)))
	}
}

func TestADeadlockReportNamesEveryKindOfObject(t *testing.T) {
	s := set(t, Config{})
	r := s.deadlock(`
		local m, rw, sem, once = fiber.mutex(), fiber.rwmutex(), fiber.semaphore(2), fiber.once()
		local c, g = fiber.cond(m), fiber.group{wait = "any"}
		rw:rlock() sem:acquire()
		g:spawn(rw.lock, rw):name("writer")
		g:spawn(rw.rlock, rw):name("reader")
		g:spawn(sem.acquire, sem, 2):name("visitor")
		g:spawn(m.with, m, function() c:wait() end):name("waiter")
		g:spawn(once.run, once, function() fiber.chan():recv() end):name("runner")
		g:spawn(once.run, once, print):name("second")
		g:wait()`)
	require.Equal(t, []string{
		`main at p.lua:11 on the end of f1.1 on the end of f2.1 on the end of f3.1 on the end of f4.1 on the end of f5.1 on the end of f6.1 on a new member of group "p.lua:3 #6" (6 so far)`,
		`writer at  on rwmutex "p.lua:2 #2" (readers: 1, waiting: 2)`,
		`reader at  on rwmutex "p.lua:2 #2" (readers: 1, waiting: 2)`,
		`visitor at  on semaphore "p.lua:2 #3" (1 of 2 free, waiting: 1)`,
		`waiter at p.lua:8 on cond "p.lua:3 #5" of mutex "p.lua:2 #1" (waiting: 1, signaled: 0)`,
		`runner at p.lua:9 on chan "p.lua:9 #7" (0 of 0 buffered, receivers waiting: 1, senders waiting: 0)`,
		`second at  on once "p.lua:2 #4" (run by f5.1, waiting: 1)`,
	}, said(r))
	require.Equal(t, []fiber.ID{r.Fibers[0].ID}, r.Fibers[1].Holders)
	require.Equal(t, []fiber.ID{r.Fibers[5].ID}, r.Fibers[6].Holders)
}

func TestADeadlockReportShowsTheOwnersInACycle(t *testing.T) {
	s := set(t, Config{})
	r := s.deadlock(`
		local a, b = fiber.mutex(), fiber.mutex()
		local function both(x, y) x:lock(); fiber.sleep(1); y:lock() end
		local left = fiber.spawn(both, a, b)
		local right = fiber.spawn(both, b, a)
		left:name("left"); right:name("right")
		left:join()`)
	require.Equal(t, []string{
		`main at p.lua:7 on the end of f1.1`,
		`left at p.lua:3 on mutex "p.lua:2 #2" (owner f2.1, waiting: 1)`,
		`right at p.lua:3 on mutex "p.lua:2 #1" (owner f1.1, waiting: 1)`,
	}, said(r))
	left, right := r.Fibers[1], r.Fibers[2]
	require.Equal(t, []fiber.ID{left.ID}, r.Fibers[0].Holders)
	require.Equal(t, []fiber.ID{right.ID}, left.Holders)
	require.Equal(t, []fiber.ID{left.ID}, right.Holders)
	require.Equal(t, []fiber.ID{left.ID, right.ID}, r.Cycle)
}

func TestADeadlockReportShowsJoinsOfEachOther(t *testing.T) {
	s := set(t, Config{})
	r := s.deadlock(`
		local a, b
		a = fiber.spawn(function() return b:join() end)
		b = fiber.spawn(function() return a:join() end)
		a:join()`)
	require.Len(t, r.Cycle, 2)
	require.Len(t, r.Fibers, 3)
}

func TestAFiberThatCannotBeWokenIsReportedSo(t *testing.T) {
	s := set(t, Config{})
	r := s.deadlock(`
		fiber.spawn(function() fiber.select{} end)
		coroutine.wrap(function() pcall(fiber.select, {}) end)()`)
	require.Equal(t, []string{`main at p.lua:3`, `p.lua:2 at p.lua:2`}, said(r))
	require.Contains(t, r.String(), `"main" at p.lua:3 waits on no object; no wake-up can come`)
}

func TestAModuleThatNeverLoadsIsInTheReport(t *testing.T) {
	s := set(t, Config{})
	r := s.deadlock(`
		package.preload.stuck = function() fiber.chan():recv() end
		fiber.spawn(require, "stuck")
		fiber.yield()
		require("stuck")`)
	require.Equal(t, []string{
		`main at p.lua:5 on mutex "require stuck" (owner f1.1, waiting: 1)`,
		`p.lua:3 at p.lua:2 on chan "p.lua:2 #1" (0 of 0 buffered, receivers waiting: 1, senders waiting: 0)`,
	}, said(r))
	require.Equal(t, []fiber.ID{r.Fibers[1].ID}, r.Fibers[0].Holders)
}

func TestFibersWithADeadlineAreNoDeadlock(t *testing.T) {
	s := set(t, Config{})
	s.play(`
		local ch, m = fiber.chan(), fiber.mutex()
		fiber.spawn(function() m:lock(); ch:recv() end)
		fiber.spawn(m.lock, m)
		fiber.sleep(1e6)
		print(m:lock(1e6), fiber.now())`)
	require.Equal(t, "nil\t2000000\n", s.printed())
}
