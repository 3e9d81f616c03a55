package fibers

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/profile"
)

// books are the records of the random programs below. A fiber can be cancelled before it has
// recorded a value that it got, so as many values may be missing as there were cancellations,
// including those by a scope. Violations are recorded too, because the operations around them
// catch errors.
const books = `
	local chans, locks, tasks = {fiber.chan(), fiber.chan(1), fiber.chan(5)}, {fiber.mutex(), fiber.mutex()}, {}
	local offered, sent, got, cancels, wrong = {}, {}, {}, {}, {}
	local function must(holds, what) if not holds then table.insert(wrong, what) end end
	local function value() local v = {}; offered[v] = true; return v end
	local function send(c, wait) local v = value(); if pcall(function() if c:send(v, wait) then table.insert(sent, v) end end) then end end
	local function give(c) local v = value(); pcall(function() if c:try_send(v) then table.insert(sent, v) end end) end
	local function take(v, ok) if ok == true then table.insert(got, v) end end
	local function choose(c, d, wait)
		local v = value()
		pcall(function()
			local i, r, ok = fiber.select{{c, "recv"}, {d, "send", v}, timeout = wait}
			if i == 1 then take(r, ok) elseif i == 2 then table.insert(sent, v) end
		end)
	end
	local function inside(i, op)
		pcall(function()
			if not locks[i]:lock(0.01) then return end
			must(not locks[-i], "two fibers inside"); locks[-i] = true
			op()
			locks[-i] = nil
			locks[i]:unlock()
		end)
	end
	local rw, permits, inner, writing = fiber.rwmutex(), fiber.semaphore(2), {}, false
	local function reading(op) pcall(function() if rw:rlock(0.01) then must(not writing, "beside a writer"); op(); rw:runlock() end end) end
	local function write() pcall(function() if rw:lock(0.01) then writing = true; fiber.yield(); writing = false; rw:unlock() end end) end
	local function permitted(op)
		pcall(function()
			if not permits:acquire(1, 0.01) then return end
			inner[fiber.self()] = true
			local n = 0; for t in pairs(inner) do if t:status() ~= "dead" then n = n + 1 end end
			must(n <= 2, "three inside")
			op()
			inner[fiber.self()] = nil
			permits:release()
		end)
	end
	local guard = fiber.mutex()
	local changed = fiber.cond(guard)
	local function look(wait) pcall(function() if guard:lock(0.01) then changed:wait(wait); guard:unlock() end end) end
	local loaded, loads = fiber.once(), 0
	local function load(op) pcall(loaded.run, loaded, function() op(); loads = loads + 1 end, 0.01) end
	local function together(op) local g = fiber.group{wait = "any", rest = "cancel"}; g:spawn(op); g:spawn(fiber.sleep, 0.001); g:wait() end
	local timer = fiber.timer(0.005)
	local function ring(wait) pcall(timer.wait, timer, wait) end
	local function alarm(wait) pcall(timer.reset, timer, wait) end
	local members = {}
	local function lifetime(op, wait)
		local mine = {}
		local function member()
			local t = fiber.self()
			mine[t] = true; members[t] = true
			op()
			mine[t] = nil; members[t] = nil
		end
		pcall(fiber.scope, function(s) s:spawn(member); member() end, {wait = "all", timeout = wait})
		for t in pairs(mine) do must(t:status() == "dead", "alive behind the end of its scope") end
	end
	local function start(f) table.insert(tasks, fiber.spawn(f)) end
	local function stop(n) local t = tasks[n % #tasks + 1]; if t ~= fiber.self() then table.insert(cancels, t); t:cancel() end end
	local function finish()
		for i, t in ipairs(tasks) do local ok, e = t:join(60); assert(ok or tostring(e):match("^cancelled"), tostring(e)) end
		for _, c in ipairs(chans) do repeat local v, ok = c:try_recv(); take(v, ok) until ok ~= true end
		local seen = {}
		for _, v in ipairs(got) do assert(offered[v], "a value from nowhere"); assert(not seen[v], "a value twice"); seen[v] = true end
		local missing = {}
		for t in pairs(members) do table.insert(cancels, t) end
		for _, v in ipairs(sent) do if not seen[v] then table.insert(missing, v) end end
		assert(#missing <= #cancels, "values are lost")
		assert(permits:try_acquire(2), "permits are lost")
		assert(not loaded:done() or loads > 0, "done by nobody")
		assert(#wrong == 0, wrong[1])
	end
`

// operation writes Lua code for a random operation on the objects of books.
func operation(t *rapid.T, depth int) string {
	ch := func() string { return fmt.Sprintf("chans[%d]", rapid.IntRange(1, 3).Draw(t, "chan")) }
	wait := func() string { return rapid.SampledFrom([]string{"0", "0.001", "0.002", "0.01"}).Draw(t, "wait") }
	kinds := 16
	if depth > 0 {
		kinds = 28
	}
	inner := func() string { return operation(t, depth-1) }
	switch rapid.IntRange(0, kinds).Draw(t, "operation") {
	case 0, 1:
		return "send(" + ch() + ", " + wait() + ")"
	case 2, 3:
		return "take(" + ch() + ":recv(" + wait() + "))"
	case 4:
		return "give(" + ch() + ")"
	case 5:
		return "take(" + ch() + ":try_recv())"
	case 6, 7:
		return "choose(" + ch() + ", " + ch() + ", " + wait() + ")"
	case 8:
		return "fiber.sleep(" + wait() + ")"
	case 9:
		return "fiber.yield()"
	case 10:
		return fmt.Sprintf("stop(%d)", rapid.IntRange(0, 20).Draw(t, "task"))
	case 11:
		return "pcall(chans[1].close, " + ch() + ")"
	case 12:
		return "write()"
	case 13:
		return "look(" + wait() + ")"
	case 14:
		return "changed:signal()"
	case 15:
		return "ring(" + wait() + ")"
	case 16:
		return "alarm(" + wait() + ")"
	case 17:
		return "reading(function() " + inner() + " end)"
	case 18:
		return "permitted(function() " + inner() + " end)"
	case 19:
		return "load(function() " + inner() + " end)"
	case 20:
		return "fiber.shield(function() " + inner() + " end)"
	case 21:
		return "together(function() " + inner() + " end)"
	case 22:
		return fmt.Sprintf("inside(%d, function() %s end)", rapid.IntRange(1, 2).Draw(t, "lock"), inner())
	case 23:
		return "coroutine.wrap(function() " + inner() + " end)()"
	case 24:
		return "table.sort({2, 1}, function(a, b) " + inner() + " return a < b end)"
	case 25:
		return "local _ = setmetatable({}, {__index = function() " + inner() + " end}).x"
	case 26:
		return "start(function() " + inner() + " end)"
	case 27:
		return "lifetime(function() " + inner() + " end, " + wait() + ")"
	default:
		return "xpcall(error, function() " + inner() + " end)"
	}
}

func TestRandomProgramsLoseNothingAndEnd(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	rapid.Check(t, func(t *rapid.T) {
		program, cfg := randomRun(t)
		if lua.CanProfile() && rapid.Bool().Draw(t, "profiled") {
			cfg.Lua.Profile = profile.Start(profile.Config{Interval: 20 * time.Microsecond})
			defer cfg.Lua.Profile.Stop()
		}
		h := New(cfg)
		_, err := h.Run(context.Background(), strings.NewReader(program), "p.lua")
		h.Runtime().Scheduler().Inspect().Verify()
		h.Close()
		require.NoError(t, err)
	})
}

// randomRun is a random program, and how it is run.
func randomRun(t *rapid.T) (string, Config) {
	var program strings.Builder
	program.WriteString(strings.ReplaceAll(books, "\n", " ") + "\n")
	for range rapid.IntRange(1, 6).Draw(t, "fibers") {
		program.WriteString("start(function()\n")
		for range rapid.IntRange(1, 8).Draw(t, "operations") {
			program.WriteString("do " + operation(t, 2) + " end\n")
		}
		program.WriteString("end)\n")
	}
	program.WriteString("finish()\n")
	cfg := slice(rapid.SampledFrom([]int{1, 2, 7, 100}).Draw(t, "slice"))
	cfg.Runtime.Seed = rapid.Uint64().Draw(t, "seed")
	return program.String(), cfg
}
