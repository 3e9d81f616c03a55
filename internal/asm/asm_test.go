package asm_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"

	"github.com/selvage-dev/selvage/internal/asm"
)

// sample uses every kind of declaration.
const sample = `
	import "env" "twice" twice (i32) (i32)
	memory 1 2
	table 4
	global count i64 -5
	elem 1 add twice
	data 8 "\x2a"
	start init
	func init ()
	  i64.const 7 global.set count
	end
	func add (i32 i32) (i32) export
	  locals i32
	  local.get 0 local.get 1 i32.add ;; a comment
	  local.tee 2
	end
	func pick (i32) (i32) export
	  block block block
	    local.get 0 br_table 0 1 2
	  end i32.const 10 return
	  end i32.const 0 i32.load8_u offset=8 return
	  end
	  i32.const 3 i32.const 4
	  i32.const 1 call_indirect (i32 i32) (i32)
	  call twice
	end`

func TestASampleOfEverythingIsWhatItSays(t *testing.T) {
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer func() { require.NoError(t, r.Close(ctx)) }()
	_, err := r.NewHostModuleBuilder("env").NewFunctionBuilder().
		WithFunc(func(n uint32) uint32 { return 2 * n }).Export("twice").Instantiate(ctx)
	require.NoError(t, err)
	m, err := r.Instantiate(ctx, asm.Assemble(sample))
	require.NoError(t, err)
	require.EqualValues(t, 7, m.ExportedGlobal("count").Get())
	for arg, want := range []uint64{10, 42, 14, 14} {
		got, err := m.ExportedFunction("pick").Call(ctx, uint64(arg))
		require.NoError(t, err)
		require.Equal(t, []uint64{want}, got)
	}
}

func TestNumbersWithAPointAreOfTheirType(t *testing.T) {
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer func() { require.NoError(t, r.Close(ctx)) }()
	m, err := r.Instantiate(ctx, asm.Assemble(`memory 1
		func half (i64) (f64) export
			i32.const 8 local.get 0 f64.convert_i64_s f64.const 2 f64.div f64.store
			i32.const 8 f64.load f64.const -0.5 f64.sub f64.sqrt
		end`))
	require.NoError(t, err)
	got, err := m.ExportedFunction("half").Call(ctx, 17)
	require.NoError(t, err)
	require.Equal(t, []uint64{math.Float64bits(3)}, got)
}

func TestAMistakeIsNamedByItsLine(t *testing.T) {
	require.PanicsWithValue(t, "asm: line 2: no instruction i32.frob", func() { asm.Assemble("func f ()\n i32.frob\nend") })
	require.PanicsWithValue(t, "asm: line 1: no declaration: nonsense", func() { asm.Assemble("nonsense") })
	require.PanicsWithValue(t, "asm: line 2: a second function f", func() { asm.Assemble("func f () end\nfunc f () end") })
	require.PanicsWithValue(t, "asm: unexpected end", func() { asm.Assemble("func f ()") })
}
