package fibers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// realTime is the Config of a program that may make islands.
func realTime(budget int) Config {
	cfg := slice(budget)
	cfg.Runtime.Clock = wallclock.New()
	return cfg
}

func TestIslandsWorkTogetherThroughPorts(t *testing.T) {
	for name, story := range map[string]struct{ program, prints string }{
		"a function runs on another island, with copies of its arguments": {`
			local isl = fiber.island("north")
			local t = {1, {2, x = "y"}}
			local task = isl:spawn(function(a, b)
				a[1], a[2].x = 7, "changed"
				return a[1], a[2].x, b, fiber.self() ~= nil
			end, t, "text")
			print(task:join())
			print(t[1], t[2].x, isl:name())`,
			"true 7 changed text true\n1 y north\n"},
		"a copy has the distant keys": {`
			local t = { 1, 2, [20000] = "a", [2^20] = "b", [-1] = "c", [0.5] = "d" }
			local function all(t) return t[1], t[2], t[20000], rawget(t, 2^20), t[-1], t[0.5], table.maxn(t) end
			local task = fiber.island():spawn(function(t) return t, t[20000], rawget(t, 2^20) end, t)
			local ok, back, a, b = task:join()
			print(ok, a, b, all(back))
			local ch = fiber.chan(1)
			ch:send(t)
			print(all((ch:recv())))`,
			"true a b 1 2 a b c d 1048576\n1 2 a b c d 1048576\n"},
		"its error is the joiner's": {`
			local task = fiber.island():spawn(function() error({code = 4}) end)
			local ok, err = task:join()
			print(ok, type(err), err.code)
			print(select(2, fiber.island():spawn(function() local x = nil; return x.y end):join()):match("attempt to index.*"))`,
			"false table 4\nattempt to index a non-table object(nil) with key 'y'\n"},
		"what it sends comes in order, and after the last the end": {`
			local p = fiber.port(2)
			local isl = fiber.island()
			local task = isl:spawn(function(out) for i = 1, 5 do out:send(i) end out:close() end, p)
			io.write(p:recv(), " ")
			p:seal()
			for v in p:iter() do io.write(v, " ") end
			print(p:recv())
			print(p:try_recv())
			print(task:join())`, "1 2 3 4 5 nil false\nnil false\ntrue\n"},
		"both ends are cases of a select": {`
			local p, ch = fiber.port(), fiber.chan()
			local isl = fiber.island()
			isl:spawn(function(out)
				local back = fiber.port()
				print(fiber.select{{out, "send", back}})
				print(fiber.select{{back, "recv"}})
				out:send("done")
			end, p)
			local i, back = fiber.select{{ch, "recv"}, {p, "recv"}}
			back:send("to the island")
			print(fiber.select{{ch, "recv"}, {p, "recv"}})`,
			"1 nil true\n1 to the island true\n2 done true\n"},
		"a cancel reaches the fiber there": {`
			local p = fiber.port()
			local task = fiber.island():spawn(function(out) out:send("begun"); fiber.sleep(1e6) end, p)
			p:recv()
			task:cancel("enough")
			print(task:join())`, "false cancelled: enough\n"},
		"a timeout": {`
			local p = fiber.port()
			print(p:recv(0.01))`, "nil timeout\n"},
		"what cannot be sent is refused": {`
			local p, x = fiber.port(), 1
			local isl = fiber.island()
			local function why(f, ...) local _, e = pcall(f, ...) print((e:gsub("^.-: ", "", 1))) end
			why(isl.spawn, isl, function() return x end)
			why(isl.spawn, isl, print)
			why(isl.spawn, isl, function() end, function() end)
			local t = {} t.t = t
			why(isl.spawn, isl, function() end, t)`, `spawn: the function uses the local variable "x" of its surroundings, which the other island does not have; pass it as an argument
spawn: a Lua function expected, got one of the host's; wrap it in a function
a function cannot be sent to another island; send nil, booleans, numbers, strings, tables of them and ports
a table that is nested more than 100 deep, perhaps in itself, cannot be sent to another island
`},
	} {
		for _, budget := range budgets() {
			t.Run(name, func(t *testing.T) {
				s := set(t, realTime(budget))
				_, err := s.Run(s.ctx, strings.NewReader(story.program), "test.lua")
				require.NoError(t, err)
				require.Equal(t, story.prints, strings.ReplaceAll(s.out.String(), "\t", " "))
			})
		}
	}
}

func TestADeadlockAcrossIslandsNamesTheLinesOfAll(t *testing.T) {
	s := set(t, realTime(0))
	_, err := s.Run(s.ctx, strings.NewReader(`
local p = fiber.port()
fiber.island("north"):spawn(function(out)
	local mine = fiber.port()
	mine:recv()
	out:send(1)
end, p)
p:recv()`), "test.lua")
	var d *island.DeadlockError
	require.ErrorAs(t, err, &d)
	for _, part := range []string{"deadlock across 2 islands", "test.lua:8", "test.lua:5", "north"} {
		require.Contains(t, err.Error(), part)
	}
}

func TestIslandsEndWithTheProgram(t *testing.T) {
	s := set(t, realTime(0))
	_, err := s.Run(s.ctx, strings.NewReader(`
		local p = fiber.port()
		for i = 1, 3 do
			fiber.island():spawn(function(out) out:send(1); while true do end end, p)
		end
		for i = 1, 3 do p:recv() end`), "test.lua")
	require.NoError(t, err)
}

func TestVirtualTimeAndIslandsDoNotGoTogether(t *testing.T) {
	s := set(t, slice(0))
	_, err := s.Run(s.ctx, strings.NewReader("fiber.island()"), "test.lua")
	require.ErrorContains(t, err, "islands and ports need real time (Config.Runtime.Clock)")
}

func TestNoProgramCanHurtTheHostWithWhatItSends(t *testing.T) {
	for name, story := range map[string]struct{ program, prints string }{
		"an end to a port that is gone is sent on": {`
			local p = fiber.port(2)
			fiber.island():spawn(function(out) local mine = fiber.port() out:send(mine) mine:close() end, p):join()
			local gone = p:recv()
			print(select(2, pcall(gone.send, gone, 1)):match("no port .* is open") ~= nil, (tostring(gone):gsub(":.*", "")))
			fiber.island():spawn(function(s, out) out:send{s, pcall(s.close, s)} end, gone, p):join()
			local t = p:recv()
			print(t[2], pcall(t[1].try_send, t[1], 1) == false)`,
			"true sender\nfalse true\n"},
		"a small table that is many values": {`
			local t = {}
			for i = 1, 60 do t = {t, t} end
			print(select(2, pcall(fiber.island().spawn, fiber.island(), function() end, t)):match("more than %d+ values at once"))`,
			"more than 1048576 values at once\n"},
		"a port with room for more than there is": {`
			print(select(2, pcall(fiber.port, 2^30)):match("want a whole number.*"))`,
			"want a whole number from 1 to 65536)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := set(t, realTime(0))
			_, err := s.Run(s.ctx, strings.NewReader(story.program), "test.lua")
			require.NoError(t, err)
			require.Equal(t, story.prints, strings.ReplaceAll(s.out.String(), "\t", " "))
		})
	}
}

func TestAProgramMayMakeOnlySoManyIslands(t *testing.T) {
	cfg := realTime(0)
	cfg.MaxIslands = 3
	s := set(t, cfg)
	_, err := s.Run(s.ctx, strings.NewReader(`
		local first = fiber.island()
		print(first:spawn(function() fiber.island() fiber.island() return 2 end):join())
		print(select(2, pcall(fiber.island)))
		print(first:spawn(fiber.island):join())`), "test.lua")
	require.ErrorContains(t, err, "spawn: a Lua function expected")
	require.Equal(t, "true 2\ntest.lua:4: the program has 3 islands, and may have no more; spawn on those there are\n",
		strings.ReplaceAll(s.out.String(), "\t", " "))
}

// The owner of the island is blocked while its inbox fills: a cancellation needs no room in it.
func TestACancelReachesAnIslandWhoseInboxIsFull(t *testing.T) {
	gate, drained := make(chan struct{}), make(chan struct{})
	var inbox *scheduler.Inbox
	set1 := func(h *Host, name string, f func()) {
		L := h.State().Base()
		L.SetGlobal(name, L.NewFunction(func(*glua.LState) int { f(); return 0 }))
	}
	cfg := realTime(0)
	cfg.Runtime.MaxCommands = 8
	cfg.Islands = func(h *Host) {
		inbox = h.Runtime().Scheduler().Inbox()
		set1(h, "hold", func() { <-gate })
	}
	s := set(t, cfg)
	set1(s.Host, "fill", func() {
		require.NoError(t, inbox.Do(func() { close(drained) }))
		for inbox.Do(func() {}) == nil {
		}
	})
	set1(s.Host, "release", func() { close(gate); <-drained })
	_, err := s.Run(s.ctx, strings.NewReader(`
		local p = fiber.port()
		local isl = fiber.island()
		local task = isl:spawn(function(out) T = fiber.self() out:send("begun") fiber.sleep(1e6) end, p)
		p:recv()
		isl:spawn(function(out) out:send("holds") hold() end, p)
		p:recv()
		fill()
		task:cancel("enough")
		print(task:join())
		release()
		print(isl:spawn(function() return T:join() end):join())`), "test.lua")
	require.NoError(t, err)
	require.Equal(t, "false cancelled: enough\ntrue false cancelled: enough\n", strings.ReplaceAll(s.out.String(), "\t", " "))
}

// Each island has room for two fibers: an orphan would take the room of another.
func TestASpawnThatFindsNoRoomHereLeavesNothingThere(t *testing.T) {
	cfg := realTime(0)
	cfg.Runtime.MaxFibers = 2
	s := set(t, cfg)
	_, err := s.Run(s.ctx, strings.NewReader(`
		local isl = fiber.island()
		local full = fiber.spawn(fiber.sleep, 1e6)
		print(pcall(isl.spawn, isl, function() fiber.sleep(1e6) end))
		full:cancel()
		full:join()
		local alone = false
		for i = 1, 1000 do
			alone = alone or select(2, isl:spawn(function() return (pcall(fiber.spawn, function() end)) end):join())
		end
		print(alone)`), "test.lua")
	require.NoError(t, err)
	require.Regexp(t, "^false\t.*too many fibers.*\ntrue\n$", s.out.String())
}

// What Config.Record and Config.Observer receive belongs to the goroutine that runs the program.
func TestOnlyTheFirstIslandIsRecorded(t *testing.T) {
	cfg := realTime(0)
	recorded := uint64(0)
	cfg.Runtime.Record = func(entries []scheduler.Entry, _ bool, _ int) bool {
		recorded += uint64(len(entries))
		return true
	}
	s := set(t, cfg)
	_, err := s.Run(s.ctx, strings.NewReader(`
		local isl = fiber.island()
		for i = 1, 100 do isl:spawn(function() fiber.yield() end):join() end`), "test.lua")
	require.NoError(t, err)
	of := s.Runtime().Scheduler().Inspect()
	of.Flush()
	require.Equal(t, of.Transitions(), recorded)
}
