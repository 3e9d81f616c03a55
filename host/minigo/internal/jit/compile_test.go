package jit

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// anyTarget has a little of everything that instructions may name.
func anyTarget(fn *code.Func) *Target {
	return &Target{
		Funcs: []*code.Func{fn, {Index: 1, N: 3, R: 1, ResN: 1, ArgN: 1}}, Frame: Frame{Size: 32, NB: 8, RB: 12, PC: 16, Flags: 20, Ret: 24},
		Strings: []any{"a"}, Globals: []*value.Object{value.NewObject(1, 0), value.NewObject(0, 1)},
	}
}

// anyFunc is a function of unchecked instructions.
func anyFunc(r *rand.Rand) *code.Func {
	t := &code.Type{N: r.IntN(3), R: r.IntN(2)}
	t.Key, t.Elem = t, t
	fn := &code.Func{N: r.IntN(12), R: r.IntN(6), ResN: r.IntN(2), Clo: -1, Epilogue: r.IntN(4) - 1, K: []uint64{1}}
	for range 3 {
		x := code.Aux{List: []code.Slot{{N: int32(r.IntN(14) - 1)}}}
		if r.IntN(4) > 0 {
			x.T = t
		}
		for i := range x.I {
			x.I[i] = int32(r.IntN(14) - 1)
		}
		fn.Aux = append(fn.Aux, x)
	}
	for range 1 + r.IntN(8) {
		fn.Code = append(fn.Code, code.Instr{
			Op: code.Op(r.IntN(int(code.Halt) + 2)), A: uint16(r.IntN(10)), B: uint16(r.IntN(10)), C: uint16(r.IntN(10)), D: int32(r.IntN(14) - 6),
		})
	}
	return fn
}

// TestAnyInstructionsAreCompiledOrRefused makes code of functions that no compiler has made:
// registers that do not exist, jumps to nowhere.
func TestAnyInstructionsAreCompiledOrRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	compiled, refused := 0, 0
	for range 30_000 {
		fn := anyFunc(r)
		out, err := Compile(fn, anyTarget(fn))
		if err != nil {
			refused++
			continue
		}
		compiled++
		require.Len(t, out.Entry, len(fn.Code))
		require.GreaterOrEqual(t, out.Entry[0], int32(0))
		for _, at := range out.Entry {
			require.Less(t, int(at), len(out.Text))
		}
	}
	require.Greater(t, compiled, 1000)
	require.Greater(t, refused, 1000)
}
