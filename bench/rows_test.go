package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/long"
)

// What P21 cuts out of the scheduler is still there, once: its peer has no check left that
// it is to be without.
func TestTheChecksThatAreCutOutAreThoseOfTheScheduler(t *testing.T) {
	for file, checks := range checksCut {
		src, err := os.ReadFile("../" + file)
		require.NoError(t, err)
		for _, check := range checks {
			assert.Equal(t, 1, strings.Count(string(src), check), "%s has not this check once:\n%s", file, check)
		}
	}
}

// Each panics if fibers, wakes or operations are lost.
func TestTheRowsOfCrowdsLoseNobody(t *testing.T) {
	for name, run := range map[string]func(){
		"shuffled":   func() { shuffled(500)(2000) },
		"one by one": func() { oneByOne(500)(2000) },
		"operations": func() { operations(7)(1000) },
		"in a map":   func() { inAMap(7)(1000) },
		"spawn":      func() { spawnAndJoin(1000) },
		"collection": func() { collection(parkFibers)(1000) },
		"goroutines": func() { collection(parkGoroutines)(1000) },
	} {
		t.Run(name, func(*testing.T) { run() })
	}
}

// A figure comes from a process of its own, with the number that was asked for.
func TestAFigureIsMeasuredInAProcessOfItsOwn(t *testing.T) {
	for figure := range figures {
		if !long.Full() && figure != "bytes of a fiber" {
			continue
		}
		assert.Positive(t, alone(figure)(100_000), figure)
	}
}
