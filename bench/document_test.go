package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page shows every row, names what was missed, and its plot is an image.
func TestThePageTellsWhatWasReachedAndWhatWasNot(t *testing.T) {
	dir := t.TempDir()
	rows := []result{
		{ID: "P01", Work: "a <hop>", Peer: "goroutines", Ours: 5, Theirs: 90, Ratio: 18, Goal: 15, OK: true},
		{ID: "P02", Work: "a crowd", Peer: "eight", Ours: 50, Theirs: 25, Ratio: 2, Goal: 1.6, AtMost: true},
	}
	require.NoError(t, document(dir, machine{Processor: "Z80", Cores: 1}, rows))
	text, err := os.ReadFile(filepath.Join(dir, "performance.md"))
	require.NoError(t, err)
	for _, want := range []string{"Z80, 1 cores", "| P01 | a <hop> | 5 | goroutines | 90 | 18.00× | ≥ 15.00× |",
		"**2.00×** | ≤ 1.60×", "- P02 (a crowd): 2.00×, goal 1.60×"} {
		assert.Contains(t, string(text), want)
	}
	image, err := os.ReadFile(filepath.Join(dir, "performance.svg"))
	require.NoError(t, err)
	d := xml.NewDecoder(strings.NewReader(string(image)))
	for err == nil {
		_, err = d.Token()
	}
	assert.True(t, errors.Is(err, io.EOF), "%v", err)
}

// What other runtimes did is a table of its own, and only where some were measured: it is
// no goal, misses none, and is not in the plot.
func TestOtherRuntimesStandApart(t *testing.T) {
	dir := t.TempDir()
	rows := []result{{ID: "P01", Work: "a hop", Peer: "goroutines", Ours: 5, Theirs: 90, Ratio: 18, Goal: 15, OK: true}}
	require.NoError(t, document(dir, machine{}, rows))
	text, err := os.ReadFile(filepath.Join(dir, "performance.md"))
	require.NoError(t, err)
	assert.NotContains(t, string(text), "runtimes")
	rows = append(rows, result{ID: "P14", Work: "ping-pong", Peer: "Lua 5.4.4", Ours: 16, Theirs: 200, Ratio: 12.5, OK: true, Runtime: true})
	require.NoError(t, document(dir, machine{}, rows))
	text, err = os.ReadFile(filepath.Join(dir, "performance.md"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "Beside other runtimes")
	assert.Contains(t, string(text), "| P14 | ping-pong | 16 | Lua 5.4.4 | 200 | 12.50× | 0 % |")
	assert.Contains(t, string(text), "Every goal is met.")
	image, err := os.ReadFile(filepath.Join(dir, "performance.svg"))
	require.NoError(t, err)
	assert.NotContains(t, string(image), "ping-pong")
}

// A bar goes to the right of the line where the goal is met, in whichever way it is meant.
func TestTheGoalIsTheLineInTheMiddleOfThePlot(t *testing.T) {
	assert.InDelta(t, 2, result{Ratio: 30, Goal: 15}.progress(), 1e-9)
	assert.InDelta(t, 2, result{Ratio: 0.5, Goal: 1, AtMost: true}.progress(), 1e-9)
	assert.True(t, result{Ratio: 15, Goal: 15}.Met())
	assert.False(t, result{Ratio: 1.01, Goal: 1, AtMost: true}.Met())
}
