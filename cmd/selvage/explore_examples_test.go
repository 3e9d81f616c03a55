package main

import (
	"go/build"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/long"
)

// exploredPrograms are correct programs, with their arguments, and how many schedules of each are run.
func exploredPrograms() map[string]int {
	return map[string]int{
		"doubleselect.go -n 100": 10_000, "fifo.go": 10_000, "goroutines.go 100": 10_000, "nonblock.go": 10_000,
		"powser1.go": 10_000, "powser2.go": 10_000, "select.go": 10_000, "select3.go": 10_000, "select4.go": 10_000,
		"select6.go": 10_000, "select7.go": 10_000, "select8.go": 10_000, "sendstmt.go": 10_000, "sieve1.go": 10_000,
		"sieve2.go": 10_000, "zerosize.go": 10_000, "select2.go": 10,

		"minigo/bank.go": 10_000, "minigo/hello.go": 10_000, "minigo/philosophers.go": 10_000, "minigo/pipeline.go": 10_000,
		"minigo/sieve.go": 10_000, "minigo/timeouts.go": 10_000, "minigo/workers.go": 10_000, "minigo/nbody.go": 10_000,
		"minigo/ring.go": 1000, "minigo/pingpong.go": 1000, "minigo/skynet.go": 10,

		"lua/cache.lua": 10_000, "lua/coroutines.lua": 10_000, "lua/crawler.lua": 10_000, "lua/failfast.lua": 10_000,
		"lua/fanin.lua": 10_000, "lua/pipeline.lua": 10_000, "lua/pool.lua": 10_000, "lua/producer.lua": 10_000,
		"lua/ratelimit.lua": 10_000, "lua/scatter.lua": 10_000, "lua/timeouts.lua": 10_000, "lua/workers.lua": 10_000,
		"lua/sieve.lua": 1000, "lua/indexer.lua": 1000, "lua/pingpong.lua": 500, "lua/runaway.lua": 100,
	}
}

// Nothing is found in the examples, nor in Go's own tests of channels, which are in the folder of the Go
// distribution. Goroutines that still wait when main returns are intended there.
func TestNothingIsFoundInCorrectPrograms(t *testing.T) {
	tests := filepath.Join(build.Default.GOROOT, "test", "chan")
	if _, err := os.Stat(tests); err != nil {
		t.Logf("Go's tests of channels are left out: %v", err)
		tests = ""
	}
	for program, runs := range exploredPrograms() {
		words := strings.Fields(program)
		path := filepath.Join("..", "..", "examples", words[0])
		if !strings.Contains(words[0], "/") {
			path = filepath.Join(tests, words[0])
		}
		if tests == "" && !strings.Contains(words[0], "/") {
			continue
		}
		if !long.Deep() {
			runs = max(1, runs/1000)
		}
		t.Run(words[0], func(t *testing.T) {
			line := []string{"explore", "--no-leaks", "--steps", "100000000", "--runs", strconv.Itoa(runs), path}
			e := selvage(t, append(line, words[1:]...)...)
			require.Equal(t, statusDone, e.status, e.out+e.err)
			require.Contains(t, e.err, "nothing was found in "+strconv.Itoa(runs)+" runs")
		})
	}
}
