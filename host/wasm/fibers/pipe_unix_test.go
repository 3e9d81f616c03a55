//go:build unix && !race

package fibers_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/stackful"
)

// The program opens a named pipe, and waits until somebody writes: a fiber that could not run
// if the program kept the others from running.
func TestAFileBlocksItsFiberOnly(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	var out bytes.Buffer
	cfg := fibers.Config{World: fibers.World{Stdout: &out, Dirs: []fibers.Dir{{Host: dir, Guest: "/data"}}}}
	cfg.Wasm.Runtime.Clock = reactor.NewWallClock()
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	_, err = h.Runtime().Fibers().Go("writer", func(f *stackful.Fiber) (any, error) {
		file := otherEnd(t, f, pipe)
		_, err := file.WriteString("from the other side")
		return nil, errors.Join(err, file.Close())
	})
	require.NoError(t, err)
	status, err := h.Run(context.Background(), "p.wasm", program(t, "command"), "cat", "/data/pipe")
	require.NoError(t, err)
	require.Zero(t, status)
	require.Equal(t, "from the other side <nil>\n", out.String())
}

// The program is interrupted while it waits for the other end of a pipe, which nothing can hurry.
func TestAHostIsClosedThoughAFileDoesNotOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	cfg := fibers.Config{World: fibers.World{Stdout: io.Discard, Dirs: []fibers.Dir{{Host: dir, Guest: "/data"}}}}
	cfg.Wasm.Runtime.Clock = reactor.NewWallClock()
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	ctx, end := context.WithCancel(t.Context())
	_, err = h.Runtime().Fibers().Go("witness", func(f *stackful.Fiber) (any, error) {
		defer end()
		for h.Runtime().Fibers().Scheduler().Ops().Counters().Submitted == 0 { // until it opens something
			if err := f.Yield(); err != nil {
				return nil, err
			}
		}
		return nil, f.Sleep(10 * time.Millisecond) // long enough for a worker to be in the middle of it
	})
	require.NoError(t, err)
	_, err = h.Run(ctx, "p.wasm", program(t, "command"), "cat", "/data/pipe")
	require.ErrorIs(t, err, context.Canceled)
	h.Close()
	if file, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
		require.NoError(t, file.Close()) // the one who still waited has it
	}
}

// The fiber is cancelled after the other end has come, and before it learns that it has its file.
func TestAFileThatIsOpenedForAFiberThatHasGivenUpIsClosed(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	cfg := fibers.Config{World: fibers.World{Dirs: []fibers.Dir{{Host: dir, Guest: "/data"}}}}
	cfg.Wasm.Runtime.Clock = reactor.NewWallClock()
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	ctx, end := context.WithCancel(t.Context())
	var written error
	require.NoError(t, h.Runtime().Define("test", wasm.Function{Name: "ready", Do: func(c *wasm.Caller, _ []uint64) error {
		victim := c.Fiber.Task().ID()
		_, err := h.Runtime().Fibers().Go("writer", func(f *stackful.Fiber) (any, error) {
			defer end()
			file := otherEnd(t, f, pipe)
			require.NoError(t, h.Runtime().Fibers().Scheduler().Cancel(victim, nil))
			for written = f.Yield(); written == nil; written = f.Yield() {
				if _, written = file.Write(make([]byte, 1<<10)); written != nil {
					break
				}
			}
			return nil, file.Close()
		})
		return err
	}}))
	_, err = h.Run(ctx, "p.wasm", assemble(`
		import "test" "ready" ready ()
		import "wasi_snapshot_preview1" "path_open" open (i32 i32 i32 i32 i32 i64 i64 i32 i32) (i32)
		data 96 "pipe"
		func run () export
			i32.const 64 i32.const 5 i64.const 0 call spawn drop
			i64.const 9000000000000 call sleep
		end
		func child (i64) export
			call ready
			i32.const 3 i32.const 0 i32.const 96 i32.const 4 i32.const 0 i64.const 2 i64.const 0 i32.const 0 i32.const 8 call open drop
		end`))
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, written, syscall.EPIPE, "it is open still")
}

// otherEnd opens a named pipe for writing when somebody opens it for reading.
func otherEnd(t *testing.T, f *stackful.Fiber, pipe string) *os.File {
	t.Helper()
	for {
		file, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			require.NoError(t, file.SetDeadline(time.Now().Add(10*time.Second)))
			return file
		}
		require.ErrorIs(t, err, syscall.ENXIO) // nobody reads
		require.NoError(t, f.Yield())
	}
}
