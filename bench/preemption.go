package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/wallclock"
)

// hostile are loops of builtins that take as long as they can.
var hostile = map[string]string{
	"a nested pattern": `("a"):rep(40):find(("a*"):rep(30) .. "b")`,
	"string.rep":       `("x"):rep(2^24)`,
	"string.format":    `local s = ("x"):rep(2^20) while true do local _ = ("%s%q"):format(s, s) end`,
	"string.gsub":      `local s = ("x"):rep(2^20) while true do local _ = s:gsub("x", "yy") end`,
	"table.concat":     `local t = {} for i = 1, 2^18 do t[i] = i end while true do local _ = table.concat(t, ",") end`,
	"table.sort":       `local t = {} while true do for i = 1, 2^18 do t[i] = -i end table.sort(t) end`,
	"next":             `local t = {} for i = 1, 2^18 do t["k" .. i] = 1 end for i = 1, 2^18 do t["k" .. i] = nil end while true do next(t) end`,
	"==":               `local s, t = ("x"):rep(2^22), ("x"):rep(2^21):rep(2) while true do local _ = s == t end`,
	"loadstring":       `local s = ("x = 1\n"):rep(2^14) while true do loadstring(s) end`,
}

const nap = 100 * time.Millisecond

// preemptionRows are how long a sleeper of 0.1 s sleeps beside a hostile fiber, and how long it takes to
// cancel that one, both beside a bare sleep of 0.1 s. gopher-lua itself would not return.
func preemptionRows() (rows []row) {
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		slept, ended := besideHostile(hostile[name])
		for _, r := range []row{
			{work: "a sleeper of 0.1 s beside " + name + " wakes", goal: 2, ours: slept},
			{work: "a guest in " + name + " is cancelled", goal: 1, ours: ended},
		} {
			r.id, r.peer, r.atMost, r.theirs = "G03", "time.Sleep of 0.1 s", true, bareNap
			r.n, r.whole, r.figure, r.most = 1, true, true, 3
			rows = append(rows, r)
		}
	}
	return rows
}

func bareNap(int) time.Duration {
	start := time.Now()
	time.Sleep(nap)
	return time.Since(start)
}

// besideHostile runs a sleeper beside a loop, and then cancels the loop with the run.
func besideHostile(loop string) (slept, ended func(int) time.Duration) {
	run := func() (slept, ended time.Duration) {
		cfg := fibers.Config{}
		cfg.Runtime.Clock = wallclock.New()
		host := fibers.New(cfg)
		defer host.Close()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var began, woke time.Time
		L := host.State().Base()
		L.SetGlobal("begin", L.NewFunction(func(*glua.LState) int { began = time.Now(); return 0 }))
		L.SetGlobal("awake", L.NewFunction(func(*glua.LState) int { woke = time.Now(); cancel(); return 0 }))
		program := `fiber.spawn(function() while true do ` + loop + ` end end)
			fiber.yield() begin() fiber.sleep(0.1) awake() while true do fiber.yield() end`
		_, _ = host.Run(ctx, strings.NewReader(program), "hostile") // its error is that of the context
		return woke.Sub(began), time.Since(woke)
	}
	return func(int) time.Duration { slept, _ := run(); return slept },
		func(int) time.Duration { _, ended := run(); return ended }
}
