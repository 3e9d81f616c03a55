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

	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wallclock"
)

// The program reads from a named pipe, and waits for the writer: another fiber, which could not run if
// the wait blocked all fibers.
func TestAFileBlocksItsFiberOnly(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	var out bytes.Buffer
	cfg := fibers.Config{Access: sandbox.Access{Stdout: &out, Dirs: []sandbox.Dir{{Host: dir, Guest: "/data"}}}}
	cfg.Wasm.Runtime.Clock = wallclock.New()
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

// The program is interrupted while it waits for the other end of a pipe.
func TestAHostIsClosedThoughAPipeHasNoWriter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	cfg := fibers.Config{Access: sandbox.Access{Stdout: io.Discard, Dirs: []sandbox.Dir{{Host: dir, Guest: "/data"}}}}
	cfg.Wasm.Runtime.Clock = wallclock.New()
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
		require.NoError(t, file.Close())
	}
}
