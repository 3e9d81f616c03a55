//go:build unix && !race

package fibers_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

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
		for {
			file, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
			if err == nil {
				_, err = file.WriteString("from the other side")
				return nil, errors.Join(err, file.Close())
			}
			if !errors.Is(err, syscall.ENXIO) { // nobody reads
				return nil, err
			}
			if err := f.Yield(); err != nil {
				return nil, err
			}
		}
	})
	require.NoError(t, err)
	status, err := h.Run(context.Background(), "p.wasm", program(t, "command"), "cat", "/data/pipe")
	require.NoError(t, err)
	require.Zero(t, status)
	require.Equal(t, "from the other side <nil>\n", out.String())
}
