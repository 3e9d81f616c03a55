package main

import "testing"

func TestDeadlockReportTellsWhoIsBlockedWhereOnWhatAndWhoCouldWakeIt(t *testing.T) {
	e := guest(t, `local a, b = fiber.mutex(), fiber.mutex()
local ready = fiber.chan(2)
local function both(first, second)
  first:lock()
  ready:send(true)
  while #ready < 2 do fiber.yield() end
  second:lock()
end
fiber.spawn(both, a, b):name("ab")
fiber.spawn(both, b, a):name("ba")
fiber.chan(3):recv()`)
	e.want(t, statusDeadlock,
		"selvage: deadlock: all 3 fibers are blocked and nothing can wake them\n",
		`f0.1 "main" at p.lua:11 waits on chan "p.lua:11 #4" (0 of 3 buffered, receivers waiting: 1, senders waiting: 0); could be woken by any peer`+"\n",
		`f1.1 "ab" at p.lua:7 waits on mutex "p.lua:1 #2" (owner f2.1, waiting: 1); could be woken by f2.1 "ba"`+"\n",
		`f2.1 "ba" at p.lua:7 waits on mutex "p.lua:1 #1" (owner f1.1, waiting: 1); could be woken by f1.1 "ab"`+"\n",
		"cycle: f1.1 → f2.1 → f1.1\n")
}

func TestDeadlockReportFollowsJoins(t *testing.T) {
	e := guest(t, `local other
local me = fiber.self()
other = fiber.spawn(function() me:join() end)
other:join()`)
	e.want(t, statusDeadlock,
		`f0.1 "main" at p.lua:4 waits on the end of f1.1; could be woken by f1.1 "p.lua:3"`,
		`f1.1 "p.lua:3" at p.lua:3 waits on the end of f0.1; could be woken by f0.1 "main"`,
		"cycle: f0.1 → f1.1 → f0.1")
}

func TestDeadlockReportNamesEverySourceOfASelect(t *testing.T) {
	e := guest(t, `local full = fiber.chan(1)
full:send(1)
fiber.select{ { fiber.chan(), "recv" },
  { full, "send", 2 } }`)
	e.want(t, statusDeadlock, `f0.1 "main" at p.lua:`, `chan "p.lua:3 #2"`, `chan "p.lua:1 #1" (1 of 1 buffered, receivers waiting: 0, senders waiting: 1)`)
}

func TestDeadlockReportNamesTheLineInsideACoroutine(t *testing.T) {
	guest(t, `local ch = fiber.chan()
coroutine.wrap(function()
  ch:recv()
end)()`).want(t, statusDeadlock, `f0.1 "main" at p.lua:3 waits on chan "p.lua:1 #1"`)
}

// Only fibers that are all blocked forever are a deadlock.
func TestSleepersAndTimeoutsAreNoDeadlock(t *testing.T) {
	e := guest(t, `local ch = fiber.chan()
fiber.spawn(function() fiber.sleep(5) ch:send("late") end)
print(ch:recv(2))
print(ch:recv())`, "--virtual")
	e.want(t, statusDone)
	e.wantOut(t, "nil\ttimeout\nlate\ttrue\n")
}

func TestFailuresBehindADeadlockAreTold(t *testing.T) {
	guest(t, `local ch = fiber.chan()
fiber.spawn(function() ch:send(1 + nil) end)
ch:recv()`).want(t, statusDeadlock, "nothing joined it: p.lua:2:", "deadlock: the only fiber is blocked")
}

// What a fiber that has ended left behind is no way out of a deadlock.
func TestWaitingForEverOnNothing(t *testing.T) {
	guest(t, `fiber.select{}`).want(t, statusDeadlock, `f0.1 "main" at p.lua:1 waits on no object; no wake-up can come`)
}

func TestADeadlockAcrossIslandsIsADeadlock(t *testing.T) {
	e := guest(t, `local port = fiber.port()
fiber.island("north"):spawn(function(p) fiber.port():recv() end, port)
port:recv()`)
	e.want(t, statusDeadlock, "selvage: deadlock across 2 islands: ", `f0.1 "main" at p.lua:3 waits on port "p.lua:1 #1 on main"`)
}
