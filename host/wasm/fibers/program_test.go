package fibers_test

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
)

// digit prints the digit that its task sends.
const digit = `
	import "wasi_snapshot_preview1" "fd_write" fd_write (i32 i32 i32 i32) (i32)
	data 16 "\x64\x00\x00\x00\x01\x00\x00\x00"
	func child (i64) export i32.const 1 local.get 0 i64.const -1 call send drop end
	func run () export
		i32.const 0 call chan drop
		i32.const 64 i32.const 5 i64.const 55 call spawn drop
		i32.const 1 i32.const 8 i64.const -1 call recv drop
		i32.const 100 i32.const 8 i64.load i64.store8
		i32.const 1 i32.const 16 i32.const 1 i32.const 32 call fd_write drop
	end`

// runProgram runs it in a Host of its own, which may have a module of its own.
func runProgram(t require.TestingT, p *fibers.Program, cfg fibers.Config, own bool) string {
	var out bytes.Buffer
	cfg.Program, cfg.Access.Stdout = p, &out
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	if own {
		f, err := bind.New(func() {})
		require.NoError(t, err)
		require.NoError(t, h.Bind("own.f", f))
	}
	status, err := h.RunProgram(context.Background())
	require.NoError(t, err)
	require.Zero(t, status)
	return out.String()
}

// The instances of one Program belong to the Host that runs it, whichever engine they have.
func TestHostsRunAProgramAtTheSameTime(t *testing.T) {
	p, err := fibers.Compile("p.wasm", assemble(digit), wasm.Config{})
	require.NoError(t, err)
	defer p.Close()
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := range 20 {
				cfg := fibers.Config{}
				if i == 1 {
					cfg.Wasm.MemoryPages = 2
				}
				require.Equal(t, "7", runProgram(t, p, cfg, i == 2 && n%2 == 0))
			}
		})
	}
	all.Wait()
}

func TestRunProgramNeedsAProgram(t *testing.T) {
	h, err := fibers.New(fibers.Config{})
	require.NoError(t, err)
	defer h.Close()
	require.PanicsWithValue(t, "fibers: RunProgram on a Host without a program; set Config.Program: rule VALID-ARGUMENT (docs/invariants.md#valid-argument)", func() {
		_, _ = h.RunProgram(context.Background())
	})
}
