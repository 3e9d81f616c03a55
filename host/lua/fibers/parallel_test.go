package fibers

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"go.uber.org/goleak"
)

// whole is a program that uses the whole library.
const whole = `
	local ch, m, sum = fiber.chan(2), fiber.mutex(), 0
	package.preload.m = function() fiber.sleep(1); return {} end
	for i = 1, 20 do
		fiber.spawn(function()
			require("m")
			m:with(function() fiber.sleep(0.1) end)
			for v in coroutine.wrap(function() for j = 1, 3 do coroutine.yield(j) end end) do ch:send(v) end
		end)
	end
	for i = 1, 60 do sum = sum + select(2, fiber.select{{ch, "recv"}, {fiber.chan(), "recv"}}) end
	return sum, pcall(error, "x", 0)`

// The race detector would see anything that two hosts share.
func TestHostsOnDifferentGoroutinesShareNothing(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			h := New(slice(50))
			defer h.Close()
			values, err := h.Run(context.Background(), strings.NewReader(whole), "p.lua")
			if err != nil || values[0] != glua.LNumber(120) {
				t.Error(values, err)
			}
		})
	}
	wg.Wait()
}

func TestTheSameSeedGivesTheSameRun(t *testing.T) {
	run := func(seed uint64, n int) (printed string) {
		t.Run(fmt.Sprint(seed, n), func(t *testing.T) {
			cfg := slice(n)
			cfg.Runtime.Seed = seed
			s := set(t, cfg)
			s.play(`
				local chans, cases = {}, {}
				for i = 1, 5 do
					chans[i] = fiber.chan(3)
					cases[i] = {chans[i], "recv"}
					fiber.spawn(function() for j = 1, 20 do chans[i]:send(i); if j % i == 0 then fiber.yield() end end end)
				end
				local log = {}
				for i = 1, 100 do table.insert(log, (fiber.select(cases))) end
				print(table.concat(log))`)
			printed = s.printed()
		})
		return printed
	}
	for _, n := range budgets() {
		require.Equal(t, run(1, n), run(1, n))
		require.NotEqual(t, run(1, n), run(2, n))
	}
}
