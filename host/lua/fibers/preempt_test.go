package fibers

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
)

func TestAThousandRunawayFibersDoNotStopOneThatWorks(t *testing.T) {
	runaways := 1000
	if raced {
		runaways = 100
	}
	s := set(t, slice(1000))
	s.play(fmt.Sprintf(`
		local runaways = {}
		for i = 1, %d do runaways[i] = fiber.spawn(function() while true do end end) end
		local worker = fiber.spawn(function()
			local n, ch = 0, fiber.chan(1)
			for i = 1, 5000 do n = n + i; if i %% 1000 == 0 then ch:send(n); n = ch:recv() end end
			return n
		end)
		print(worker:join())
		for _, t in ipairs(runaways) do t:cancel("enough") end
		for _, t in ipairs(runaways) do local ok, e = t:join(); assert(not ok and e == "cancelled: enough", e) end
		print("all gone")`, runaways))
	require.Equal(t, "true\t12502500\nall gone\n", s.printed())
}

// busy are endless loops in the places where Go code has called Lua.
func busy() map[string]string {
	return map[string]string{
		"a loop":            `while true do end`,
		"a comparator":      `table.sort({2, 1}, function() while true do end end)`,
		"a callback":        `("x"):gsub("x", function() while true do end end)`,
		"__index":           `local _ = setmetatable({}, {__index = function() while true do end end}).x`,
		"__newindex":        `setmetatable({}, {__newindex = function() while true do end end}).x = 1`,
		"__call":            `setmetatable({}, {__call = function() while true do end end})()`,
		"__concat":          `local _ = setmetatable({}, {__concat = function() while true do end end}) .. ""`,
		"__tostring":        `tostring(setmetatable({}, {__tostring = function() while true do end end}))`,
		"an iterator":       `for _ in function() while true do end end do end`,
		"a coroutine":       `coroutine.wrap(function() coroutine.wrap(function() while true do end end)() end)()`,
		"a handler":         `xpcall(error, function() while true do end end)`,
		"a module":          `package.preload.forever = function() while true do end end; require("forever")`,
		"a chunk":           `loadstring("while true do end")()`,
		"a reader":          `load(function() while true do end end)`,
		"a lock":            `fiber.mutex():with(function() while true do end end)`,
		"tail calls":        `local function f() return f() end f()`,
		"quick operations":  `local ch = fiber.chan(1); while true do ch:try_send(1); ch:try_recv() end`,
		"a buffer":          `local ch = fiber.chan(2); while true do ch:send(1); ch:recv() end`,
		"defaults":          `local ch = fiber.chan(); while true do fiber.select{{ch, "recv"}, default = true} end`,
		"a free lock":       `local m = fiber.mutex(); while true do m:lock(); m:unlock() end`,
		"joins of the dead": `local t = fiber.spawn(function() end); t:join(); while true do t:join() end`,
		"a closed channel":  `local ch = fiber.chan(); ch:close(); while true do ch:recv() end`,
		"refused calls":     `while true do pcall(fiber.sleep, -1) end`,
		"spawns":            `while true do fiber.spawn(function() end):cancel() end`,
	}
}

func TestABusyFiberIsInterruptedWhereverItIsBusy(t *testing.T) {
	for name, body := range busy() {
		t.Run(name, func(t *testing.T) {
			s := set(t, slice(100))
			s.play(fmt.Sprintf(`
				local busy = fiber.spawn(function() %s end)
				for i = 1, 50 do fiber.yield() end
				local sum = 0
				for i = 1, 1000 do sum = sum + i end
				print(sum, busy:status())`, body))
			require.Equal(t, "500500\trunnable\n", s.printed())
		})
	}
}

// ticking is a clock that advances with each reading, so that time passes while fibers run.
type ticking struct{ now fiber.Time }

func (c *ticking) Now() fiber.Time {
	c.now = c.now.After(time.Millisecond)
	return c.now
}

func (c *ticking) Wait(_ context.Context, until fiber.Time, bell <-chan struct{}) {
	if until == fiber.Never {
		<-bell
	}
	c.now = max(c.now, until)
}

func TestBusyFibersStarveNoTimer(t *testing.T) {
	for name, body := range busy() {
		t.Run(name, func(t *testing.T) {
			cfg := slice(100)
			cfg.Runtime.Clock = new(ticking)
			s := set(t, cfg)
			s.play(fmt.Sprintf(`
				for i = 1, 20 do fiber.spawn(function() %s end) end
				for i = 1, 5 do fiber.sleep(0.01) end
				print(fiber.chan():recv(0.01))`, body))
			require.Equal(t, "nil\ttimeout\n", s.printed())
		})
	}
}

func TestTimePassesForAFiberThatOnlyLooksAtTheClock(t *testing.T) {
	cfg := slice(100)
	cfg.Runtime.Clock = new(ticking)
	s := set(t, cfg)
	s.play(`local start = fiber.now(); while fiber.now() < start + 1 do end print("a second later")`)
	require.Equal(t, "a second later\n", s.printed())
}

func TestBusyFibersStarveNothingThatIsPosted(t *testing.T) {
	s := set(t, slice(100))
	posted := make(chan any, 1)
	go func() {
		handle, err := s.Runtime().Start("posted", func(*stackful.Fiber) (any, error) { return "served", nil })
		if err == nil {
			v, _ := handle.Result(context.Background())
			posted <- v
		}
		s.stop()
	}()
	err := s.try(`for i = 1, 20 do fiber.spawn(function() while true do end end) end while true do end`)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, "served", <-posted)
}

func TestASliceLastsAsManyInstructionsAsTheBudgetSays(t *testing.T) {
	for _, n := range []int{100, 1000} {
		s := set(t, slice(n))
		s.play(`
			local turns = {}
			local t = fiber.spawn(function() for i = 1, 100000 do end end)
			while t:status() ~= "dead" do table.insert(turns, 1); fiber.yield() end
			print(#turns)`)
		var turns int
		_, err := fmt.Sscan(s.printed(), &turns)
		require.NoError(t, err)
		require.InEpsilon(t, 100_000/n, turns, 0.1)
	}
}
