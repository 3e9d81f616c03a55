package main

import (
	"strings"
	"testing"
)

// misuses of the fiber library, each the second line of a program, and the message that
// must follow the position.
var misuses = map[string]string{
	`fiber.sleep(-1)`:                           "bad argument #1 to sleep (bad duration: -1 s is negative; want 0 or more",
	`fiber.sleep(0/0)`:                          "bad argument #1 to sleep (bad duration: NaN s is not a number",
	`fiber.sleep(math.huge)`:                    "bad argument #1 to sleep (bad duration: 1.7976931348623157e+308 s is too long",
	`fiber.sleep("soon")`:                       "bad argument #1 to sleep (number expected, got string)",
	`fiber.sleep()`:                             "bad argument #1 to sleep (number expected, got nil)",
	`fiber.self():join()`:                       "join: the end of f0.1: a fiber cannot wait for its own end",
	`fiber.self().join()`:                       "bad argument #1 to join (task expected, got nil; call it as task:method())",
	`fiber.self():name({})`:                     "bad argument #2 to name (string expected, got table)",
	`fiber.self():cancel({})`:                   "bad argument #2 to cancel (string expected, got table)",
	`fiber.self():nonsense()`:                   "attempt to call a non-function object",
	`fiber.mutex():unlock()`:                    `unlock: mutex "p.lua:2 #3": only the owner may unlock`,
	`m:unlock()`:                                `unlock: mutex "p.lua:1 #2": only the owner may unlock`,
	`m.lock(ch)`:                                "bad argument #1 to lock (mutex expected, got fiber.chan; call it as m:method())",
	`m:with(3)`:                                 "bad argument #2 to with (function expected, got number)",
	`m:lock("x")`:                               "bad argument #2 to lock (timeout: number of seconds expected, got string)",
	`local m = fiber.mutex() m:lock() m:lock()`: `lock: mutex "p.lua:2 #3": this fiber holds the lock already; unlock it first`,
	`ch.recv()`:                                 "bad argument #1 to recv (chan expected, got nil; call it as ch:method())",
	`ch.recv({})`:                               "bad argument #1 to recv (chan expected, got table; call it as ch:method())",
	`ch.recv(m)`:                                "bad argument #1 to recv (chan expected, got fiber.mutex; call it as ch:method())",
	`ch.send(io.stdout, 1)`:                     "bad argument #1 to send (chan expected, got userdata",
	`ch:recv(-1)`:                               "bad argument #2 to recv (bad duration: -1 s is negative",
	`ch:recv("x")`:                              "bad argument #2 to recv (timeout: number of seconds expected, got string)",
	`ch:send(1, 0/0)`:                           "bad argument #3 to send (bad duration: NaN s is not a number",
	`ch:close() ch:close()`:                     `close: chan "p.lua:1 #1": the channel is closed`,
	`ch:close() ch:send(1)`:                     `send: chan "p.lua:1 #1": the channel is closed`,
	`ch:close() ch:try_send(1)`:                 `send: chan "p.lua:1 #1": the channel is closed`,
	`ch:close() fiber.select{ { ch, "send", 1 } }`: `send: chan "p.lua:1 #1": the channel is closed`,
	`fiber.chan(-1)`:     "bad argument #1 to chan (capacity -1: want a whole number from 0",
	`fiber.chan(0.5)`:    "bad argument #1 to chan (capacity 0.5: want a whole number",
	`fiber.chan(1e300)`:  "bad argument #1 to chan (capacity 1e+300: want a whole number",
	`fiber.chan(0/0)`:    "bad argument #1 to chan (capacity NaN: want a whole number",
	`fiber.chan("big")`:  "bad argument #1 to chan (number expected, got string)",
	`fiber.select(ch)`:   "bad argument #1 to select (table expected, got userdata)",
	`fiber.select{ ch }`: `bad argument #1 to select (case 1: want {ch, "recv"}, {ch, "send", value}, {timer, "wait"} or {task, "join"}, got fiber.chan)`,
	`fiber.select{ {} }`: "bad argument #1 to select (case 1: chan, timer, task, port or sender expected, got nil)",
	`fiber.select{ { ch, "recv" }, { ch, "peek" } }`: `bad argument #1 to select (case 2: want "recv" or "send", got peek)`,
	`fiber.select{ timeout = "1" }`:                  "bad argument #1 to select (timeout: number of seconds expected, got string)",
	`fiber.select{ timeout = -1 }`:                   "bad argument #1 to select (bad duration: -1 s is negative",
	`fiber.spawn(3)`:                                 "bad argument #1 to spawn (function expected, got number)",
	`fiber.spawn()`:                                  "bad argument #1 to spawn (function expected, got nil)",
	`ch.field = 1`:                                   "attempt to index a non-table object",
}

func TestMisuseOfTheLibraryIsAnErrorThatNamesFileLineAndMistake(t *testing.T) {
	for statement, message := range misuses {
		t.Run(statement, func(t *testing.T) {
			program := "local ch, m = fiber.chan(), fiber.mutex()\n" + statement + "\nprint('went on')"
			e := guest(t, program, "--virtual")
			e.want(t, statusGuest, "selvage: p.lua:2: "+message, "stack traceback:")
			e.wantOut(t, "")
		})
	}
}

func TestMisuseCanBeCaughtAndChangesNothing(t *testing.T) {
	var program strings.Builder
	for statement := range misuses {
		program.WriteString("do local ch, m = fiber.chan(), fiber.mutex() assert(not pcall(function() " + statement + " end)) end\n")
	}
	program.WriteString("print('still here')")
	e := guest(t, program.String(), "--virtual")
	e.want(t, statusDone)
	e.wantOut(t, "still here\n")
}

func TestUnlockByANonOwnerNamesTheLockAndLeavesIt(t *testing.T) {
	e := guest(t, `local m = fiber.mutex()
local owner = fiber.spawn(function() m:lock() fiber.sleep(5) m:unlock() end)
fiber.sleep(1)
print(pcall(m.unlock, m))
print(m:lock(1))
print(m:lock())`, "--virtual")
	e.want(t, statusDone)
	e.wantOut(t, "false\tp.lua:4: unlock: mutex \"p.lua:1 #1\": only the owner may unlock\nnil\ttimeout\ntrue\n")
}

func TestMoreFibersThanAllowedIsAnErrorOfTheSpawn(t *testing.T) {
	const program = `local alive = 0
for i = 1, 100 do
  fiber.spawn(function() fiber.sleep(1) end)
  alive = alive + 1
end
print(alive)`
	guest(t, program, "--virtual", "--max-fibers", "10").want(t, statusGuest,
		"selvage: p.lua:3: spawn: too many fibers: 10 are alive; let some end first, or raise the limit (Config.Runtime.MaxFibers)",
		"selvage: the flag for Config.Runtime.MaxFibers is --max-fibers N")
	guest(t, program, "--virtual", "--max-fibers", "101").wantOut(t, "100\n")
	guest(t, `fiber.spawn(print)`, "--max-fibers", "1").want(t, statusGuest, "too many fibers: 1 are alive")
}

func TestALimitThatWasReachedCanBeWaitedFor(t *testing.T) {
	e := guest(t, `local count = { done = 0 }
for i = 1, 50 do
  local function job() fiber.sleep(1) count.done = count.done + 1 end
  while not pcall(fiber.spawn, job) do fiber.sleep(0.5) end
end
fiber.sleep(5)
print(count.done)`, "--virtual", "--max-fibers", "5")
	e.want(t, statusDone)
	e.wantOut(t, "50\n")
}
