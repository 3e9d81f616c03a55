package scheduler

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compilerReport is what the compiler reports about inlining when it builds a package, or
// a file.
func compilerReport(t *testing.T, what string) []string {
	t.Helper()
	return compiled(t, "-m", what)
}

func compiled(t *testing.T, flag, what string) []string {
	t.Helper()
	out, err := exec.Command("go", "build", "-gcflags="+flag, "-o", os.DevNull, what).CombinedOutput()
	if err != nil {
		t.Fatalf("go build %s: %v\n%s", what, err, out)
	}
	return strings.Split(string(out), "\n")
}

// says tells whether a line of the report from the file ends with the words.
func says(report []string, file, words string) bool {
	for _, line := range report {
		if strings.Contains(line, file+":") && strings.HasSuffix(line, words) {
			return true
		}
	}
	return false
}

func TestTheCompilerInlinesTheHotTransitions(t *testing.T) {
	report := compilerReport(t, ".")
	for _, hot := range []struct{ file, function string }{
		{"gate.go", "(*Core).admit"},
		{"gate.go", "(*Core).pass"},
		{"gate.go", "(*Core).passCurrent"},
		{"gate.go", "(*Core).passKnown"},
		{"schedule_next.go", "(*Core).next"},
		{"yield.go", "(*Core).YieldCurrent"},
		{"lookup.go", "(*Core).Current"},
		{"ring.go", "(*ring).push"},
		{"runqueue.go", "runQueue.join"},
		{"slots.go", "(*table).at"},
		{"slots.go", "(*table).peek"},
		{"slots.go", "(*table).reuse"},
		{"fastpath.go", "(*header).waitsBy"},
		{"fault.go", "(*Core).enter"},
		{"fault.go", "(*Core).leave"},
	} {
		if !says(report, hot.file, "can inline "+hot.function) {
			t.Errorf("%s cannot be inlined any more; see -gcflags=-m=2 for its cost", hot.function)
		}
	}
}

const hostLoop = `package main

import "github.com/selvage-dev/selvage/scheduler"

func main() {
	s := scheduler.New[[40]byte](scheduler.Config{})
	for s.Poll() {
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			f.Data[0]++
			s.YieldCurrent()
		}
	}
}
`

// A host's loop gets all of next and yield into its own code, generic or not.
func TestAHostLoopCallsNothingToSwitchFibers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hostloop.go")
	if err := os.WriteFile(file, []byte(hostLoop), 0o600); err != nil {
		t.Fatal(err)
	}
	report := compilerReport(t, file)
	for _, call := range []string{
		"scheduler.(*Scheduler[go.shape.[40]uint8]).ScheduleNext", "scheduler.(*Core).next",
		"scheduler.(*Core).admit", "scheduler.(*Core).YieldCurrent", "scheduler.(*Core).passCurrent", "scheduler.(*ring).push",
	} {
		if !says(report, "hostloop.go", "inlining call to "+call) {
			t.Errorf("%s is a call in a host's loop", call)
		}
	}
}
