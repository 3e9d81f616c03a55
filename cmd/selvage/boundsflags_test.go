package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// polls so often that a run has more than a million steps, and then waits for what no other sends.
const longDeadlock = `package main

import "runtime"

func main() {
	go func() {}()
	for range 30_000 {
		runtime.Gosched()
	}
	<-make(chan int)
}
`

func TestABoundOfStepsCanBeRaised(t *testing.T) {
	files{"p.go": longDeadlock}.write(t)
	e := selvage(t, "explore", "--runs=1", "p.go")
	require.Equal(t, statusFinding, e.status, e.err)
	require.Contains(t, e.out, "endless, found in run 1")
	e = selvage(t, "explore", "--runs=1", "--steps=10000000", "--virtual-time=2h", "p.go")
	require.Equal(t, statusFinding, e.status, e.err)
	require.Contains(t, e.out, "deadlock, found in run 1")
	_, line, found := strings.Cut(e.out, "show it again: selvage ")
	require.True(t, found)
	require.Contains(t, line, "--steps 10000000 --virtual-time 2h0m0s p.go")
	again := selvage(t, strings.Fields(line)...)
	require.Equal(t, statusFinding, again.status, again.err)
	require.Contains(t, again.err, "deadlock; switches:")
}

func TestABoundOfVirtualTimeCanBeRaised(t *testing.T) {
	files{"p.lua": `for i = 1, 4 do fiber.sleep(1800) end`}.write(t)
	selvage(t, "explore", "--runs=1", "p.lua").want(t, statusFinding)
	selvage(t, "explore", "--runs=1", "--virtual-time=3h", "p.lua").want(t, statusDone, "nothing was found")
}

func TestAWrongBoundIsRefused(t *testing.T) {
	files{"q.lua": "return 1"}.write(t)
	for line, text := range map[string]string{
		"explore --steps -1 q.lua":              "--steps -1: want at least 1",
		"explore --virtual-time -1s q.lua":      "--virtual-time -1s: want more than 0",
		"run --steps 5 q.lua":                   "--max-steps",
		"run --schedule x --steps -5 q.lua":     "--steps -5: want at least 1",
		"run --virtual-time 5s --steps 5 q.lua": "they are for --schedule",
	} {
		e := selvage(t, strings.Fields(line)...)
		require.Equal(t, statusUsage, e.status, line)
		require.Contains(t, e.err, text, line)
	}
}
