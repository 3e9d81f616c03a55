package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// table are three philosophers in Lua; those that are repaired take their forks in one order.
func table(repaired bool) string {
	last := "local first, second = forks[i], forks[i % 3 + 1]"
	if repaired {
		last = "local first, second = forks[math.min(i, i % 3 + 1)], forks[math.max(i, i % 3 + 1)]"
	}
	return `
local forks, all = { fiber.mutex(), fiber.mutex(), fiber.mutex() }, {}
for i = 1, 3 do
  all[i] = fiber.spawn(function()
    ` + last + `
    first:lock() second:lock()
    second:unlock() first:unlock()
  end)
end
for i = 1, 3 do all[i]:join() end`
}

const leaking = `package main

import "time"

func main() {
	ready := make(chan int)
	go func() {
		time.Sleep(time.Millisecond)
		ready <- 1
	}()
	select {
	case <-ready:
	case <-time.After(time.Millisecond):
	}
}
`

// lostUpdate fails if a goroutine is preempted between the read of n and the write: minigo never does it at
// the end of a time slice, because there is no call and no jump.
const lostUpdate = `package main

import "sync"

func main() {
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			v := n
			v++
			n = v
			wg.Done()
		}()
	}
	wg.Wait()
	if n != 2 {
		panic("an update was lost")
	}
}
`

// lostUpdateLua fails if a fiber is preempted between the read of t.n and the write.
const lostUpdateLua = `
local t, all = { n = 0 }, {}
for i = 1, 2 do all[i] = fiber.spawn(function() t.n = t.n + 1 end) end
for i = 1, 2 do all[i]:join() end
assert(t.n == 2, "an update was lost")
`

func TestALostUpdateIsNotShownWithoutPointsAtAccesses(t *testing.T) {
	files{"p.go": lostUpdate, "p.lua": lostUpdateLua}.write(t)
	for _, p := range []string{"p.go", "p.lua"} {
		e := selvage(t, "explore", "--strategy=dfs", "--depth=-1", p)
		require.Equal(t, statusDone, e.status, e.out)
		require.Contains(t, e.err, "all schedules were run")
	}
}

// With points at accesses the variables of a Lua program are objects of its steps: dpor leaves out no order
// of accesses that conflict.
func TestDPORFindsALostUpdateInLua(t *testing.T) {
	files{"p.lua": lostUpdateLua}.write(t)
	selvage(t, "explore", "--strategy=dpor", "--points=access", "p.lua").want(t, statusFinding)
}

func TestAFindingIsPrintedAndItsScheduleShowsItEachTime(t *testing.T) {
	for name, c := range map[string]struct{ text, kind, flags string }{
		"p.lua":     {table(false), "deadlock", ""},
		"p.go":      {leaking, "leak", ""},
		"race.go":   {lostUpdate, "race", "--races"},
		"lost.go":   {lostUpdate, "failure", "--points=access"},
		"racing.go": {lostUpdate, "race", "--races --points=access"},
		"race.lua":  {lostUpdateLua, "race", "--races"},
		"lost.lua":  {lostUpdateLua, "failure", "--points=access"},
	} {
		t.Run(name, func(t *testing.T) {
			line := append([]string{"explore"}, strings.Fields(c.flags)...)
			files{name: c.text}.write(t)
			e := selvage(t, append(line, "--json", name)...)
			require.Equal(t, statusFinding, e.status, e.err)
			var found findingJSON
			require.NoError(t, json.Unmarshal([]byte(e.out), &found))
			require.EqualValues(t, c.kind, found.Kind)
			require.Positive(t, found.Runs)
			require.LessOrEqual(t, found.Switches, 3)
			first := selvage(t, "run", "--schedule", found.Schedule, name)
			require.Equal(t, statusFinding, first.status, first.err)
			require.Contains(t, first.err, c.kind)
			for range 99 {
				require.Equal(t, first, selvage(t, "run", "--schedule", found.Schedule, name))
			}
			e = selvage(t, append(line, name)...)
			require.Contains(t, e.out, "show it again: selvage run --schedule "+found.Schedule+" "+name)
		})
	}
}

func TestARepairedProgramHasNoFinding(t *testing.T) {
	files{"p.lua": table(true)}.write(t)
	e := selvage(t, "explore", "--strategy", "dfs", "--depth", "1", "--runs", "100000", "p.lua")
	require.Equal(t, statusDone, e.status, e.out)
	require.Contains(t, e.err, "all schedules with 1 preemptions at most were run")
	require.Contains(t, e.err, "nothing was found")
	e = selvage(t, "explore", "--no-leaks", "--runs", "20", "p.lua")
	require.Equal(t, statusDone, e.status, e.out)
}

func TestAWrongExplorationIsRefusedWithTheFix(t *testing.T) {
	files{"p.lua": "local x =", "q.lua": "return 1", "p.txt": ""}.write(t)
	for line, want := range map[string]struct {
		status int
		text   string
	}{
		"explore p.lua":                          {statusGuest, "p.lua"},
		"explore --runs 0 q.lua":                 {statusUsage, "--runs 0: want at least 1"},
		"explore --jobs 0 q.lua":                 {statusUsage, "--jobs 0: want 1 to 1024"},
		"explore --depth -2 q.lua":               {statusUsage, "--depth -2"},
		"explore --time -1s q.lua":               {statusUsage, "--time -1s"},
		"explore p.txt":                          {statusUsage, "give a Lua program (.lua), a WebAssembly one (.wasm) or a Go one (.go)"},
		"explore missing.lua":                    {statusUsage, "cannot read the program"},
		"run --schedule nonsense! q.lua":         {statusUsage, "is not a schedule"},
		"run --schedule afjovroa q.lua":          {statusUsage, "belongs to another program"},
		"explore --strategy=best --runs=1 q.lua": {statusUsage, "--strategy"},
	} {
		e := selvage(t, strings.Fields(line)...)
		require.Equal(t, want.status, e.status, line)
		require.Contains(t, e.err, want.text, line)
	}
}

func TestDPORRunsFewerSchedulesThanDFS(t *testing.T) {
	files{"p.lua": `
local a, b = fiber.mutex(), fiber.mutex()
for i = 1, 2 do fiber.spawn(function() a:lock() b:lock() b:unlock() a:unlock() end) end`}.write(t)
	counted := func(strategy, complete string) (runs int) {
		e := selvage(t, "explore", "--strategy="+strategy, "--depth=-1", "--runs=100000", "p.lua")
		require.Equal(t, statusDone, e.status, e.err)
		_, rest, found := strings.Cut(e.err, complete+" were run: ")
		require.True(t, found, e.err)
		_, err := fmt.Sscan(rest, &runs)
		require.NoError(t, err)
		return runs
	}
	require.Less(t, counted("dpor", "all schedules but for the order of independent steps"), counted("dfs", "all schedules")/5)
}

// The programs of both languages run at the same time without anything in common.
func TestJobsHaveTheSameFindingEachTime(t *testing.T) {
	for name, c := range map[string]struct{ text, flags string }{
		"p.lua":   {table(false), "--strategy=random"},
		"p.go":    {leaking, "--strategy=random"},
		"race.go": {lostUpdate, "--races"},
	} {
		files{name: c.text}.write(t)
		first := selvage(t, "explore", c.flags, "--jobs=1", name)
		require.Equal(t, statusFinding, first.status, first.err)
		for range 3 {
			require.Equal(t, first.out, selvage(t, "explore", c.flags, "--jobs=4", name).out)
		}
	}
	files{"fine.lua": table(true)}.write(t)
	selvage(t, "explore", "--jobs=4", "--runs=200", "fine.lua").want(t, statusDone, "nothing was found in 200 runs")
}
