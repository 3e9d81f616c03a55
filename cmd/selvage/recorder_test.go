package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/inspect"
)

const crossedLocks = `local a, b = fiber.mutex(), fiber.mutex()
fiber.spawn(function() a:lock() fiber.sleep(1) b:lock() end):name("ab")
fiber.spawn(function() b:lock() fiber.sleep(1) a:lock() end):name("ba")
fiber.chan():recv()`

func TestADeadlockTellsTheRecentEventsIfTheyAreKept(t *testing.T) {
	e := guest(t, crossedLocks, "--virtual", "--recorder")
	e.want(t, statusDeadlock,
		"cycle: f1.1 → f2.1 → f1.1\n",
		`f1.1 "ab" begins, by f0.1 "main"`+"\n",
		`f1.1 "ab" sleeps at p.lua:2`+"\n",
		`f1.1 "ab" wakes up`+"\n",
		`f1.1 "ab" blocks on mutex "p.lua:1 #2" at p.lua:2`+"\n",
		`f2.1 "ba" blocks on mutex "p.lua:1 #1" at p.lua:3`+"\n")
	if without := guest(t, crossedLocks, "--virtual"); strings.Contains(without.err, "wakes up") {
		t.Errorf("events without --recorder:\n%s", without.err)
	}
}

// The JSON report has what the recorder knows of each fiber.
func TestAReportHasTheAccountsOfARecorder(t *testing.T) {
	e := guest(t, crossedLocks, "--virtual", "--recorder", "--report=json")
	var report inspect.Report
	if err := json.Unmarshal([]byte(lineWith(e.err, `"verdict":"deadlock"`)), &report); err != nil {
		t.Fatalf("%v:\n%s", err, e.err)
	}
	parents, slices := []string{"", "f0.1", "f0.1"}, []uint64{1, 2, 2}
	if len(report.Fibers) != len(parents) {
		t.Fatalf("%d fibers", len(report.Fibers))
	}
	for i, f := range report.Fibers {
		if f.Parent != parents[i] || f.Slices == nil || *f.Slices != slices[i] || f.Busy == nil || f.InState == nil {
			t.Errorf("%+v", f)
		}
	}
}

// Recording changes neither what a program does nor in which order.
func TestARecordedProgramDoesWhatItDoesWithout(t *testing.T) {
	const program = `local ch, n = fiber.chan(2), 0
for i = 1, 20 do
  fiber.spawn(function() for j = 1, 5 do ch:send(i * j) fiber.sleep(j % 3) end n = n + 1 if n == 20 then ch:close() end end)
end
for v in ch:iter() do print(v, fiber.now()) end`
	plain := guest(t, program, "--virtual", "--budget", "50", "--stats")
	recorded := guest(t, program, "--virtual", "--budget", "50", "--stats", "--recorder")
	recorded.wantOut(t, plain.out)
	if transitions := lineWith(plain.err, "transitions:"); lineWith(recorded.err, "transitions:") != transitions {
		t.Errorf("%s, not %s", lineWith(recorded.err, "transitions:"), transitions)
	}
}

func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}

func TestTheFlagsOfTheRecorderAreChecked(t *testing.T) {
	guest(t, "", "--recorder-size", "10KB").want(t, statusUsage, "--recorder-size 10000: want at least 1MiB")
	guest(t, "", "--recorder", "--copies", "2").want(t, statusUsage, "--recorder: the events of one program are kept; leave --copies out")
}
