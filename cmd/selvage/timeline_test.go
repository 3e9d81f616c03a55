package main

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/internal/timelinetest"
)

// timelineOf reads t.json, which obeys the rules.
func timelineOf(t *testing.T) *timelinetest.Timeline {
	t.Helper()
	text, err := os.ReadFile("t.json")
	require.NoError(t, err)
	line, err := timelinetest.Check(string(text))
	require.NoError(t, err, "%s", text)
	return line
}

func TestATimelineHasTheSlicesTheWaitsAndTheArrowsOfEachFiber(t *testing.T) {
	guest(t, `local ch = fiber.chan()
local t = fiber.spawn(function() local function put(i) ch:send(i) end; for i = 1, 3 do put(i) end; ch:close() end):name("sender")
for v in ch:iter() do print(v) end
fiber.sleep(1.5)`, "--virtual", "--timeline", "t.json").wantOut(t, "1\n2\n3\n")
	line := timelineOf(t)
	require.Equal(t, []string{"main f0.1", "sender f1.1"}, line.Titles())
	var slices, others, waits, jumps []string
	for _, e := range line.Of(1, "slice") {
		slices = append(slices, e.Name+" "+e.Arg("place")+" "+e.Arg("end"))
	}
	for _, e := range line.Of(2, "slice") {
		others = append(others, e.Name+" "+e.Arg("place")+" "+e.Arg("end"))
	}
	for _, e := range line.Of(1, "wait") {
		waits = append(waits, e.Arg("reason")+" "+e.Arg("object")+" "+e.Arg("by"))
	}
	for _, e := range line.Events {
		if e.Phase == "i" {
			jumps = append(jumps, e.Name)
		}
	}
	in := "main chunk p.lua:"
	require.Equal(t, []string{in + "3 blocks", in + "3 blocks", in + "4 blocks", in + "4 ends"}, slices)
	require.Equal(t, []string{"put p.lua:2 blocks", "put p.lua:2 ends"}, others)
	on := `queue chan "p.lua:1 #1" sender f1.1`
	require.Equal(t, []string{on, on, "timer  "}, waits)
	require.Equal(t, []string{"virtual time 1.5s"}, jumps)
}

func TestATimelineIsWholeHoweverTheRunEnds(t *testing.T) {
	for _, test := range []struct {
		program string
		flags   []string
		status  int
	}{
		{`error("no")`, nil, statusGuest},
		{`os.exit(7)`, nil, 7},
		{`this is no program`, nil, statusGuest},
		{`fiber.spawn(function() fiber.chan():recv() end) fiber.chan():recv()`, nil, statusDeadlock},
		{`fiber.spawn(function() while true do end end) while true do end`, []string{"--max-steps=50000"}, statusGuest},
		{`fiber.spawn(function() fiber.chan():recv() end) fiber.yield()`, []string{"--leaks"}, statusDeadlock},
	} {
		t.Run(test.program, func(t *testing.T) {
			e := guest(t, test.program, append(test.flags, "--timeline=t.json")...)
			require.Equal(t, test.status, e.status, e.err)
			timelineOf(t)
		})
	}
}

func TestATimelineIsWholeAfterAnInterrupt(t *testing.T) {
	for _, program := range []string{"a busy loop", "many fibers", "a sleeper", "holding a lock"} {
		files{"p.lua": endless[program]}.write(t)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var err bytes.Buffer
		require.Equal(t, statusInterrupted, run(ctx, []string{"run", "--timeline=t.json", "p.lua"}, streams{trigger{cancel}, &err}))
		require.NotEmpty(t, timelineOf(t).Of(1, "slice"), program)
	}
}

func TestAGoProgramHasATimelineToo(t *testing.T) {
	files{"p.go": "package main\n\nfunc main() {\n\tc := make(chan int)\n\tgo func() { c <- 1 }()\n\tprintln(<-c)\n}\n"}.write(t)
	require.Equal(t, statusDone, selvage(t, "run", "--timeline", "t.json", "p.go").status)
	line := timelineOf(t)
	require.Len(t, line.Titles(), 2)
	first := line.Of(1, "slice")[0]
	require.Equal(t, []string{"main.main", "main.main at p.go:6"}, []string{first.Name, first.Arg("place")})
	require.Equal(t, "main.main.func1", line.Of(2, "slice")[0].Name, "it has one slice only: what it begins with")
}

func TestAWasmProgramHasATimelineToo(t *testing.T) {
	files{"empty.wasm": "\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x07\x07\x01\x03run\x00\x00\x0a\x04\x01\x02\x00\x0b"}.write(t)
	selvage(t, "run", "--timeline", "t.json", "empty.wasm").want(t, statusDone)
	require.Len(t, timelineOf(t).Of(1, "slice"), 1)

	files{"p.wasm": string(asm.Assemble(exploredImports + leavesOneTask))}.write(t)
	selvage(t, "run", "--virtual", "--timeline", "t.json", "p.wasm").want(t, statusDone)
	line := timelineOf(t)
	require.Equal(t, "run", line.Of(1, "slice")[0].Name)
	require.Equal(t, "task", line.Of(2, "slice")[0].Name)
}

func TestATimelineIsOfOneProgram(t *testing.T) {
	guest(t, `print(1)`, "--timeline=t.json", "--copies=2").want(t, statusUsage, "--timeline: there is one timeline for one program; leave --copies out")
	guest(t, `print(1)`, "--timeline=t.json", "--schedule=1").want(t, statusUsage, "--timeline: a run under a --schedule has none")
	e := guest(t, `print(1)`, "--timeline=missing/t.json")
	e.want(t, statusUsage, "cannot write the timeline: open missing/t.json")
	require.Empty(t, e.out, "nothing runs")
}
