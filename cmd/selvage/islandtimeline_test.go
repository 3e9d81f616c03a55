package main

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/timelinetest"
)

// threeIslands is a program in which two islands produce what the first prints, and the second of them uses a third.
const threeIslands = `local inbox = fiber.port(1)
local north = fiber.island("north"):spawn(function(out)
  local function produce(i) out:send(i); fiber.yield() end
  for i = 1, 3 do produce(i) end
end, inbox)
local south = fiber.island("south"):spawn(function(out)
  local ch = fiber.chan()
  fiber.spawn(function() for i = 4, 6 do ch:send(i) end; ch:close() end):name("feeds")
  for v in ch:iter() do out:send(v) end
  fiber.island("nested"):spawn(function() return 1 end):join()
end, inbox)
local sum = 0
for _ = 1, 6 do sum = sum + inbox:recv() end
north:join() south:join()
print(sum)
`

// partsOf are the schedulers of t.json, which obeys the rules, by name.
func partsOf(t *testing.T) map[string]*timelinetest.Timeline {
	t.Helper()
	text, err := os.ReadFile("t.json")
	require.NoError(t, err)
	parts, err := timelinetest.CheckParts(string(text))
	require.NoError(t, err, "%s", text)
	of := map[string]*timelinetest.Timeline{}
	for _, p := range parts {
		require.NotContains(t, of, p.Name, "one part for each island")
		of[p.Name] = p
	}
	return of
}

func TestATimelineHasAllIslandsOfAProgram(t *testing.T) {
	guest(t, threeIslands, "--timeline=t.json").wantOut(t, "21\n")
	parts := partsOf(t)
	require.Len(t, parts, 4)
	require.Equal(t, []string{"main f0.1", "p.lua:2 f1.1", "p.lua:6 f2.1"}, parts[""].Titles(), "the tasks that wait for the islands")
	require.Equal(t, []string{"p.lua:2 f0.1"}, parts["north"].Titles())
	require.Equal(t, []string{"p.lua:6 f0.1", "feeds f1.1", "p.lua:10 f1.2"}, parts["south"].Titles())
	require.Equal(t, []string{"p.lua:10 f0.1"}, parts["nested"].Titles())
	for name, p := range parts {
		ran := 0
		for number := range p.Titles() {
			all := p.Of(number+1, "slice")
			require.Equal(t, "ends", all[len(all)-1].Arg("end"), "%q: its last events are there", name)
			ran += len(all)
		}
		require.Len(t, p.Ran(), ran, "%q: each slice is on the track of its worker", name)
		require.NotEmpty(t, p.Counters())
	}
	require.Equal(t, "main chunk", parts[""].Of(1, "slice")[0].Name, "as a program without islands")
	require.Equal(t, "produce", parts["north"].Of(1, "slice")[0].Name, "functions are those of the island's Host")
}

// Clocks of their own would have the islands begin at once.
func TestTheIslandsOfATimelineHaveOneClock(t *testing.T) {
	guest(t, threeIslands, "--timeline=t.json").wantOut(t, "21\n")
	parts := partsOf(t)
	first := parts[""].Of(1, "slice")
	began, ended := first[0].At, first[len(first)-1].End()
	for _, name := range []string{"north", "south"} {
		all := parts[name].Ran()
		require.Less(t, began, all[0].At, "%s works after the first slice has made it", name)
		require.Less(t, all[len(all)-1].At, ended, "%s: the program ends after its tasks", name)
	}
	made, nested := parts["south"].Of(1, "slice"), parts["nested"].Ran()
	require.Less(t, made[0].At, nested[0].At)
	require.Less(t, nested[0].At, made[len(made)-1].End())
}

func TestATimelineOfIslandsIsWholeHoweverTheRunEnds(t *testing.T) {
	for _, test := range []struct {
		program string
		flags   []string
		status  int
	}{
		{`assert(fiber.island("north"):spawn(function() error("no") end):join())`, nil, statusGuest},
		{`fiber.island("north"):spawn(function() os.exit(7) end):join()`, nil, 7},
		{`fiber.island("north"):spawn(function() fiber.chan():recv() end):join()`, nil, statusDeadlock},
		{`fiber.island("north"):spawn(function() while true do end end):join()`, []string{"--max-steps=50000"}, statusGuest},
	} {
		t.Run(test.program, func(t *testing.T) {
			e := guest(t, test.program, append(test.flags, "--timeline=t.json")...)
			require.Equal(t, test.status, e.status, e.err)
			require.NotEmpty(t, partsOf(t)["north"].Of(1, "slice"))
		})
	}
	files{"p.lua": twoIslands}.write(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var err bytes.Buffer
	require.Equal(t, statusInterrupted, run(ctx, []string{"run", "--timeline=t.json", "p.lua"}, streams{trigger{cancel}, &err}))
	require.NotEmpty(t, partsOf(t)["north"].Of(1, "slice"))
}

func TestATimelineHasNoIslandThatTheProgramCouldNotMake(t *testing.T) {
	guest(t, `local all = {}
for i = 1, 3 do all[i] = fiber.island("north" .. i):spawn(function() return 1 end) end
print(pcall(fiber.island, "north1"))
for i = 1, 3 do all[i]:join() end`, "--timeline=t.json").want(t, statusDone)
	require.Len(t, partsOf(t), 4)
}
