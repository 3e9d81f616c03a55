//go:build unix

package fibers_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wallclock"
)

// withPipe makes a directory with a named pipe and a file.
func withPipe(t *testing.T) (dir, pipe string) {
	dir = t.TempDir()
	pipe = filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), []byte("a file"), 0o600))
	return dir, pipe
}

// There is one I/O worker, and a fiber that waits for the other end of a pipe: another fiber still
// reads a file.
func TestAPipeWithoutItsOtherEndHoldsNoWorker(t *testing.T) {
	dir, pipe := withPipe(t)
	var out bytes.Buffer
	cfg := fibers.Config{Access: sandbox.Access{Stdout: &out, Dirs: []sandbox.Dir{{Host: dir, Guest: "/d"}}}, IOWorkers: 1}
	cfg.Wasm.Runtime.Clock = wallclock.New()
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	_, err = h.Runtime().Fibers().Go("writer", func(f *stackful.Fiber) (any, error) {
		for out.Len() == 0 { // until the file has been read
			if err := f.Yield(); err != nil {
				return nil, err
			}
		}
		return nil, otherEnd(t, f, pipe).Close()
	})
	require.NoError(t, err)
	status, err := h.Run(context.Background(), "p.wasm", assemble(`
		import "wasi_snapshot_preview1" "path_open" open (i32 i32 i32 i32 i32 i64 i64 i32 i32) (i32)
		import "wasi_snapshot_preview1" "fd_read" fd_read (i32 i32 i32 i32) (i32)
		import "wasi_snapshot_preview1" "fd_write" fd_write (i32 i32 i32 i32) (i32)
		data 96 "pipe"
		data 100 "f"
		data 200 "\x00\x01\x00\x00\x06\x00\x00\x00"
		func read (i32 i32)
			i32.const 3 i32.const 0 local.get 0 local.get 1 i32.const 0 i64.const 2 i64.const 0 i32.const 0 i32.const 16 call open i32.const 0 call expect
			i32.const 16 i32.load i32.const 200 i32.const 1 i32.const 20 call fd_read i32.const 0 call expect
		end
		func run () export
			i32.const 64 i32.const 5 i64.const 0 call spawn drop
			call yield
			i32.const 100 i32.const 1 call read
			i32.const 1 i32.const 200 i32.const 1 i32.const 24 call fd_write drop
			i32.const 1 i32.const 8 i64.const -1 call join i32.const 0 call expect
		end
		func child (i64) export
			i32.const 96 i32.const 4 call read
			i32.const 20 i32.load i32.const 0 call expect
		end`))
	require.NoError(t, err)
	require.Zero(t, status)
	require.Equal(t, "a file", out.String())
}

// To wait for the reader would need a worker, or a thread.
func TestAPipeWithoutAReaderIsNotOpenedForWriting(t *testing.T) {
	dir, _ := withPipe(t)
	withWASI(t, sandbox.Access{Dirs: []sandbox.Dir{{Host: dir, Guest: "/d"}}}, 1, func(g *wasiGuest) {
		at, n := g.put(1024, "pipe")
		errno, err := g.call("path_open", 3, 1, at, n, 0, mayWrite, 0, 0, 1000)
		require.NoError(t, err)
		require.EqualValues(t, errnoAgain, errno)
		g.open(t, "pipe", 0, mayRead, 0)
		g.open(t, "pipe", 0, mayWrite, 0)
	})
}

// otherEnd opens a named pipe for writing when it is opened for reading.
func otherEnd(t *testing.T, f *stackful.Fiber, pipe string) *os.File {
	t.Helper()
	for {
		file, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			require.NoError(t, file.SetDeadline(time.Now().Add(10*time.Second)))
			return file
		}
		require.ErrorIs(t, err, syscall.ENXIO) // no reader yet
		require.NoError(t, f.Yield())
	}
}
