package fibers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
)

func TestTheMemoryIsKnownWithoutAQuota(t *testing.T) {
	p, err := fibers.Compile("p.wasm", asm.Assemble(`
		memory 3
		func one () (i32) export i32.const 1 end
		func fail () export unreachable end`), wasm.Config{})
	require.NoError(t, err)
	defer p.Close()
	h, err := fibers.New(fibers.Config{Program: p})
	require.NoError(t, err)
	defer h.Close()
	require.Zero(t, h.Spent().Memory)
	_, err = h.Call(t.Context(), "one")
	require.NoError(t, err)
	require.EqualValues(t, 3<<16, h.Spent().Memory)
	_, err = h.Call(t.Context(), "fail")
	require.Error(t, err)
	require.Zero(t, h.Spent().Memory) // the instance of a call that has failed is not used again
	require.Zero(t, h.Spent().Fibers)
}
