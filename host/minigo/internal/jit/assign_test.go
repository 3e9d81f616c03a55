package jit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// TestACopyOfWordsLosesNoneOfThem copies two words one after the other: the first target may
// not live where the second source does, though that is used no more behind the copy.
func TestACopyOfWordsLosesNoneOfThem(t *testing.T) {
	for _, c := range []struct{ to, from, firstTarget, lastSource int }{
		{1, 5, 1, 6}, // from the front
		{5, 1, 6, 1}, // from the back
	} {
		mov := code.Instr{Op: code.MovNs, A: uint16(c.to), B: uint16(c.from), C: 2}
		busy := uint16(c.lastSource) // used most, it is the first to get a register
		fn := &code.Func{N: 8, ResN: 1, Clo: -1, Epilogue: -1, Code: []code.Instr{
			{Op: code.LoadI, A: uint16(c.from)}, {Op: code.LoadI, A: uint16(c.from) + 1},
			{Op: code.Add, A: busy, B: busy, C: busy}, mov,
			{Op: code.Add, A: uint16(c.firstTarget), B: uint16(c.firstTarget), C: uint16(c.firstTarget)},
			{Op: code.Add, A: 3, B: uint16(c.to), C: uint16(c.to) + 1}, {Op: code.RetN, A: 3},
		}}
		f, err := analyze(fn, nil, nil)
		require.NoError(t, err)
		regs := assign(f)
		place := func(w int) amd64.Arg {
			i := f.number[candidate{at: w}]
			require.True(t, regs.all.has(i), "word %d is in memory", w)
			return regs.place[i]
		}
		require.NotEqual(t, place(c.firstTarget), place(c.lastSource))
	}
}
