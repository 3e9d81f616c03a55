package fibers

import (
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
	"github.com/selvage-dev/selvage/wallclock"
)

// foreverWaits are all waits of a program, with the code before them; other is a task that never
// ends.
var foreverWaits = map[string]struct{ before, wait string }{
	"send":         {"", `fiber.chan():send(1)`},
	"recv":         {"", `fiber.chan():recv()`},
	"iter":         {"", `for _ in fiber.chan():iter() do end`},
	"select":       {"", `fiber.select{ {fiber.chan(), "recv"}, {fiber.chan(), "send", 1}, {other, "join"} }`},
	"sleep":        {"", `fiber.sleep(1e6)`},
	"yield":        {"", `while true do fiber.yield() end`},
	"join":         {"", `other:join()`},
	"mutex":        {"", `taken:lock()`},
	"with":         {"", `taken:with(print, "has it")`},
	"rlock":        {"", `written:rlock()`},
	"semaphore":    {"", `empty:acquire()`},
	"cond":         {"local m = fiber.mutex() m:lock()", `fiber.cond(m):wait()`},
	"once":         {"", `begun:run(print)`},
	"all of group": {"local g = fiber.group() g:add(other)", `g:wait()`},
	"any of group": {`local g = fiber.group{ wait = "any" } g:add(other)`, `g:wait()`},
	"rest":         {`local g = fiber.group{ wait = "any", rest = "cancel" } g:add(done) g:add(stubborn)`, `g:wait()`},
	"timer":        {"", `fiber.timer(1e6):wait()`},
	"scope":        {"", `fiber.scope(function() fiber.sleep(1e6) end)`},
	"require":      {"", `require "slow"`},
	"port":         {"local p = fiber.port()", `p:recv()`},
	"port iter":    {"local p = fiber.port()", `for _ in p:iter() do end`},
	"accept":       {`local l = net.listen("127.0.0.1:0")`, `l:accept()`},
	"accept all":   {`local l = net.listen("127.0.0.1:0")`, `for _ in l:iter() do end`},
	"server":       {`local s = http.serve("127.0.0.1:0", print)`, `s:wait()`},
	"read":         {`local l = net.listen("127.0.0.1:0") local c = net.dial(l:addr())`, `c:read("*l")`},
}

const waited = `
	package.preload.slow = function() fiber.sleep(1e6) end
	taken, written, empty, begun = fiber.mutex(), fiber.rwmutex(), fiber.semaphore(1), fiber.once()
	done = fiber.spawn(function() end)
	stubborn = fiber.spawn(function() fiber.shield(fiber.sleep, 1e6) end)
	other = fiber.spawn(function()
		taken:lock() written:lock() empty:acquire() fiber.spawn(require, "slow")
		begun:run(function() fiber.sleep(1e6) end)
	end)
	fiber.yield()
	local ready = fiber.chan(1)
	victim = fiber.spawn(function()
		%s
		ready:send(true)
		%s
		pcall(function() %s end)
		print("went on")
	end)
	ready:recv()
	fiber.yield() fiber.yield()
	%s
	print(victim:join(10))`

// The cause may be any error, also one that a wait can end with.
var causes = map[string]error{
	"a word":          errors.New("enough"),
	"a timeout":       stackful.ErrTimeout,
	"a closed object": errors.Join(wait.ErrClosed, net.ErrClosed),
	"another's end":   &stackful.TaskError{Task: "other", Err: errors.New("failed")},
}

func TestACancelledOrKilledFiberGoesNoFurtherWhateverItWaitsFor(t *testing.T) {
	for name, w := range foreverWaits {
		for why, cause := range causes {
			t.Run(name+", "+why, func(t *testing.T) {
				for _, stop := range []string{"cancel", "kill"} {
					endsInWait(t, w.before, w.wait, stop, cause)
				}
			})
		}
	}
}

func endsInWait(t *testing.T, before, code, stop string, cause error) {
	t.Helper()
	for _, early := range []bool{false, true} {
		cfg := Config{}
		cfg.Runtime.Clock = wallclock.New()
		s := set(t, cfg)
		s.global("stop", func(L *glua.LState) int {
			end := s.Runtime().Scheduler().Cancel
			if stop == "kill" {
				end = s.Runtime().Scheduler().Kill
			}
			require.NoError(t, end(s.tasks.types.receiver(L).stack.ID(), cause))
			return 0
		})
		first, then := "", "stop(victim)"
		if early {
			first, then = "stop(fiber.self())", ""
		}
		require.NoError(t, s.try(fmt.Sprintf(waited, before, first, code, then)))
		told := s.printed()
		require.NotContains(t, told, "went on")
		require.Contains(t, told, "false\t") // it has ended
	}
}
