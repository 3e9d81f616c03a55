package fibers_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/wallclock"
)

// answering is an output that writes to the input in response.
type answering struct {
	to   *os.File
	text string
}

func (a *answering) Write(p []byte) (int, error) {
	_, err := a.to.WriteString(a.text)
	return len(p), err
}

// reading is a guest whose child reads from the standard input, to address 1000.
const reading = `
	import "wasi_snapshot_preview1" "fd_write" fd_write (i32 i32 i32 i32) (i32)
	import "wasi_snapshot_preview1" "fd_read" fd_read (i32 i32 i32 i32) (i32)
	` + library + `
	func child (i64) (i64) export
		i32.const 100 i32.const 1000 i32.store
		i32.const 104 i32.const 8 i32.store
		i32.const 0 i32.const 100 i32.const 1 i32.const 108 call fd_read i32.const 0 call expect
		i32.const 1000 i64.load
	end
	`

// The child waits for input that comes only when the main fiber has asked for it.
func TestAReadOfTheStandardInputBlocksItsFiberOnly(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer func() { _, _ = r.Close(), w.Close() }()
	cfg := fibers.Config{Access: sandbox.Access{Stdin: r, Stdout: &answering{w, "abcdefgh"}}}
	cfg.Wasm.Runtime.Clock = wallclock.New()
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	status, err := h.Run(context.Background(), "p.wasm", asm.Assemble(reading+`
		func run () export
			i32.const 64 i32.const 5 i64.const 0 call spawn i32.const 1 call expect
			call yield call yield
			i32.const 200 i32.const 64 i32.store
			i32.const 204 i32.const 5 i32.store
			i32.const 1 i32.const 200 i32.const 1 i32.const 208 call fd_write i32.const 0 call expect
			i32.const 1 i32.const 8 i64.const -1 call join i32.const 0 call expect
			i64.const 7523094288207667809 call got
		end`))
	require.NoError(t, err)
	require.Zero(t, status)
}

// A fiber that waits for input when the program ends unwinds, and leaves nothing.
func TestAReadThatIsLeftEndsWithTheProgram(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer func() { _, _ = r.Close(), w.Close() }()
	cfg := fibers.Config{Access: sandbox.Access{Stdin: r}}
	cfg.Wasm.Runtime.Clock = wallclock.New()
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	_, err = h.Run(context.Background(), "p.wasm", asm.Assemble(reading+`
		func run () export
			i32.const 64 i32.const 5 i64.const 0 call spawn i32.const 1 call expect
			call yield call yield
		end`))
	require.NoError(t, err)
	require.EqualValues(t, 2, h.Runtime().Fibers().Scheduler().Inspect().Counts().Ended)
}
