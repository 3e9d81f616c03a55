package fibers_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/scheduler"
)

// cache keeps the compiled code of the tests' Go programs.
var cache = wazero.NewCompilationCache()

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ending is how a run ended.
type ending struct {
	status     uint32
	err        error
	out, errs  string
	unobserved []string
	now        int64
}

// play runs a program to its end.
func play(t *testing.T, cfg fibers.Config, binary []byte, args ...string) (e ending) {
	t.Helper()
	var out, errs bytes.Buffer
	cfg.Access.Stdout, cfg.Access.Stderr = &out, &errs
	cfg.Wasm.Cache = cache
	cfg.Wasm.Runtime.Unobserved = func(f *scheduler.UnobservedError) { e.unobserved = append(e.unobserved, f.Error()) }
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	e.status, e.err = h.Run(context.Background(), "p.wasm", binary, args...)
	e.out, e.errs = out.String(), errs.String()
	e.now = int64(h.Runtime().Fibers().Scheduler().Now())
	return e
}

// library are the imports of a guest that is written by hand. It has a page of memory,
// and the address 8 for what is received.
const library = `
	import "selvage" "yield" yield ()
	import "selvage" "sleep" sleep (i64)
	import "selvage" "now" now () (i64)
	import "selvage" "spawn" spawn (i32 i32 i64) (i32)
	import "selvage" "join" join (i32 i32 i64) (i32)
	import "selvage" "chan" chan (i32) (i32)
	import "selvage" "send" send (i32 i64 i64) (i32)
	import "selvage" "recv" recv (i32 i32 i64) (i32)
	import "selvage" "close" close (i32) (i32)
	import "wasi_snapshot_preview1" "proc_exit" exit (i32)
	memory 1
	data 64 "child"
	func expect (i32 i32)
		local.get 0 local.get 1 i32.ne if unreachable end
	end
	func got (i64)
		i32.const 8 i64.load local.get 0 i64.ne if unreachable end
	end
	`

// guest runs such a guest; unreachable is how it says that something is not as it should
// be.
func guest(t *testing.T, text string) ending {
	t.Helper()
	return play(t, fibers.Config{}, assemble(text))
}

func (e ending) well(t *testing.T) {
	t.Helper()
	require.NoError(t, e.err)
	require.Zero(t, e.status)
	require.Empty(t, e.unobserved)
}

// assemble is a guest with the library's imports.
func assemble(text string) []byte { return asm.Assemble(library + text) }
