package explore

import (
	"context"
	"os"
	"testing"

	"github.com/selvage-dev/selvage/stackful"
)

// Variable is the environment variable by which Test repeats a schedule.
const Variable = "SELVAGE_SCHEDULE"

// Test explores the fibers that start spawns, as Runtime does, under the schedules of Mixed, and fails the
// test if a schedule breaks them. The failure prints the go test line that runs that
// schedule again. start is called for each run.
func Test(t testing.TB, start func(rt *stackful.Runtime)) {
	t.Helper()
	TestWith(t, Options{Strategy: Mixed(1), Runs: testRuns}, start)
}

// testRuns are the runs of Test.
const testRuns = 2000

// TestWith is Test with the options of one search. It returns what was covered.
func TestWith(t testing.TB, o Options, start func(rt *stackful.Runtime)) Result {
	t.Helper()
	p := Runtime(Bounds{}, start)
	if given := os.Getenv(Variable); given != "" {
		again(t, p, given)
		return Result{}
	}
	r, err := Search(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Finding; f != nil {
		t.Fatalf("%s, found in run %d; switches: %d\n%s\nrun it again with\n\t%s=%s go test -count=1 -run '^%s$' .", f.Kind, f.Run, f.Schedule.Switches(), f.Text, Variable, f.Schedule, t.Name())
	}
	return r
}

// again runs one schedule.
func again(t testing.TB, p Program, given string) {
	t.Helper()
	schedule, err := ParseSchedule(given)
	if err != nil {
		t.Fatalf("%s: %v", Variable, err)
	}
	ending, err := Run(context.Background(), p, schedule)
	if err != nil {
		t.Fatal(err)
	}
	if ending.Kind != Passed {
		t.Fatalf("schedule %s: %s:\n%s", given, ending.Kind, ending.Text)
	}
}
