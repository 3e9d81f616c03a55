package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/long"
)

const busy = `local function work() local n = 0 for i = 1, 3e6 do n = n + i end return n end
local t = fiber.spawn(work)
t:name("worker one")
fiber.spawn(function() fiber.chan():recv() end):name("waits")
t:join()`

func TestAnExecutionTraceHasTheNamesOfFibers(t *testing.T) {
	guest(t, busy, "--go-trace", "go.trace").want(t, statusDone)
	text, err := os.ReadFile("go.trace")
	require.NoError(t, err)
	for _, name := range []string{"main", "worker one", "waits", "slice"} {
		require.Contains(t, string(text), name)
	}
}

// The reader of Go's own tool says what the trace means.
func TestGoToolTraceReadsTheTasksAndTheRegions(t *testing.T) {
	if !long.On(t) {
		return
	}
	guest(t, busy, "--go-trace", "go.trace").want(t, statusDone)
	out, err := exec.CommandContext(long.Context(t), "go", "tool", "trace", "-d=parsed", "go.trace").Output()
	require.NoError(t, err)
	for _, pattern := range []string{`TaskBegin.*Type="worker one"`, `TaskBegin.*Type="waits"`, `RegionBegin.*Type="slice"`, `TaskEnd.*Type="worker one"`} {
		require.Regexp(t, pattern, string(out))
	}
	require.Equal(t, bytes.Count(out, []byte("RegionBegin")), bytes.Count(out, []byte("RegionEnd")))
}

// Whether a sample falls into the program is chance; that the file is a profile is not.
func TestACPUProfileOfTheProcessIsOne(t *testing.T) {
	guest(t, `print(1)`, "--go-cpuprofile", "go.prof", "--copies=2").wantOut(t, "1\n1\n")
	text, err := os.ReadFile("go.prof")
	require.NoError(t, err)
	unpacked, err := gzip.NewReader(bytes.NewReader(text))
	require.NoError(t, err)
	profile, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	require.Contains(t, string(profile), "cpu")
}

func TestGoToolsThatCannotWriteAreUsage(t *testing.T) {
	for _, flag := range []string{"--go-trace", "--go-cpuprofile"} {
		e := guest(t, `print(1)`, flag, "missing/file")
		e.want(t, statusUsage, "open missing/file")
		require.Empty(t, e.out, "nothing runs")
		guest(t, `print(1)`, flag, "f", "--schedule=1").want(t, statusUsage, "leave --schedule out")
	}
}
