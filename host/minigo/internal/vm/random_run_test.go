package vm

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/scheduler"
)

// perform runs a program and returns the state it leaves.
func perform(t testing.TB, prog *code.Program, mode JITMode, budget int) (left string, stats JITStats) {
	t.Helper()
	m, err := New(prog, Config{
		Scheduler: scheduler.Config{Budget: budget}, Stdout: io.Discard, Stderr: io.Discard,
		MaxDepth: 100, MaxStack: 10_000, JIT: mode,
	})
	require.NoError(t, err)
	err = m.Run(t.Context())
	return leftBehind(m, err), m.JITStats()
}

// sameEitherWay compares the interpreter with machine code.
func sameEitherWay(t testing.TB, seed uint64) (stats JITStats) {
	t.Helper()
	prog := randomProgram(seed)
	want, _ := perform(t, prog, JITOff, 0)
	for _, budget := range []int{0, 3} {
		got, s := perform(t, prog, JITEager, budget)
		require.Equal(t, want, got, "seed %d, budget %d\n%v", seed, budget, prog)
		stats = s
	}
	return stats
}

func TestMachineCodeDoesWhatTheInterpreterDoes(t *testing.T) {
	if JITWorks() != nil {
		t.Log("there is no machine code here")
		return
	}
	programs := uint64(long.Cases(250, 250))
	var all JITStats
	for seed := range programs {
		s := sameEitherWay(t, seed)
		all.Interpreted += s.Interpreted
		all.Expired += s.Expired
		require.Empty(t, s.Refused)
		require.Equal(t, 2, s.Functions)
	}
	require.Greater(t, all.Interpreted, programs/20, "hardly a program panics")
	require.Greater(t, all.Expired, programs, "hardly a program loops")
}

func FuzzMachineCode(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		if JITWorks() == nil {
			sameEitherWay(t, seed)
		}
	})
}
