package fiberio_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/stackful"
)

func TestAPortInUseIsNamed(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0")
		require.NoError(w, err)
		_, err = w.world.Listen(f, "tcp", l.Addr().String())
		assert.ErrorIs(w, err, syscall.EADDRINUSE)
		assert.ErrorContains(w, err, "listen tcp "+l.Addr().String())
		_ = l.Close()
		_, err = w.world.Dial(f, "tcp", l.Addr().String(), fiber.Never)
		assert.ErrorIs(w, err, syscall.ECONNREFUSED)
		assert.ErrorContains(w, err, "dial tcp "+l.Addr().String())
	})
}

func TestWhatCannotBeReachedIsNamed(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		_, err := w.world.Dial(f, "tcp", "no such host:80", fiber.Never)
		assert.ErrorContains(w, err, "no such host")
		_, err = w.world.Dial(f, "tcp", "127.0.0.1:99999", fiber.Never)
		assert.ErrorContains(w, err, "99999")
		_, err = w.world.Dial(f, "carrier pigeon", "x", fiber.Never)
		assert.ErrorContains(w, err, "carrier pigeon")
		_, err = w.world.LookupHost(f, "no such host", fiber.Never)
		assert.ErrorContains(w, err, "no such host")
		addresses, err := w.world.LookupHost(f, "127.0.0.1", fiber.Never)
		assert.NoError(w, err)
		assert.Equal(w, []string{"127.0.0.1"}, addresses)
	})
}

func TestFilesAreReadAndWritten(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	dir := t.TempDir()
	w.alone(func(f *stackful.Fiber) {
		path := filepath.Join(dir, "a")
		require.NoError(w, w.world.WriteFile(f, path, []byte("some text"), 0o644))
		data, err := w.world.ReadFile(f, path)
		assert.NoError(w, err)
		assert.Equal(w, "some text", string(data))
		entries, err := w.world.ReadDir(f, dir)
		assert.NoError(w, err)
		assert.Len(w, entries, 1)
		info, err := w.world.Stat(f, path)
		assert.NoError(w, err)
		assert.EqualValues(w, 9, info.Size())
		_, err = w.world.ReadFile(f, path+"/b")
		assert.ErrorContains(w, err, path+"/b")
		_, err = w.world.ReadFile(f, dir)
		assert.ErrorContains(w, err, "read "+dir+": is a directory")
		assert.ErrorContains(w, w.world.WriteFile(f, dir, nil, 0o644), "write "+dir+": is a directory")
		_, err = w.world.ReadFile(f, "no/such/file")
		assert.ErrorIs(w, err, fs.ErrNotExist)
	})
}

// forbidden is a file that nobody may write, not even root.
func forbidden(t *testing.T) string {
	if runtime.GOOS == "linux" {
		return "/proc/sys/kernel/ostype"
	}
	path := filepath.Join(t.TempDir(), "forbidden")
	require.NoError(t, os.WriteFile(path, nil, 0o400))
	return path
}

func TestAFileWithoutPermissionIsNamed(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	path := forbidden(t)
	w.alone(func(f *stackful.Fiber) {
		err := w.world.WriteFile(f, path, []byte("x"), 0o644)
		assert.ErrorIs(w, err, fs.ErrPermission)
		assert.ErrorContains(w, err, path)
	})
}

func TestWhatIsTooLargeIsRefused(t *testing.T) {
	w := newTown(t, fiberio.Config{MaxBytes: 100})
	path := filepath.Join(t.TempDir(), "large")
	require.NoError(t, os.WriteFile(path, make([]byte, 101), 0o644))
	w.alone(func(f *stackful.Fiber) {
		var large *fiberio.TooLargeError
		_, err := w.world.ReadFile(f, path)
		assert.ErrorAs(w, err, &large)
		assert.EqualError(w, err, path+": is larger than 100 bytes, the limit (Config.MaxBytes)")
		_, err = w.world.Run(f, fiberio.Command{Path: "sh", Args: []string{"-c", "while :; do echo x; done"}}, fiber.Never)
		assert.ErrorAs(w, err, &large)
		assert.ErrorContains(w, err, "the output of sh")
	})
	_, err := fiberio.New(w.rt, fiberio.Config{MaxBytes: -1})
	assert.ErrorContains(t, err, "MaxBytes is negative")
	_, err = fiberio.New(w.rt, fiberio.Config{Workers: -1})
	assert.ErrorContains(t, err, "a pool of -1 workers")
}

func TestProcessesAreRun(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		exit, err := w.world.Run(f, fiberio.Command{
			Path: "sh", Args: []string{"-c", "cat; echo $VAR >&2; pwd; exit 3"},
			Stdin: []byte("input "), Env: []string{"VAR=value"}, Dir: "/",
		}, fiber.Never)
		require.NoError(w, err)
		assert.Equal(w, "input /\n", string(exit.Stdout))
		assert.Equal(w, "value\n", string(exit.Stderr))
		assert.Equal(w, 3, exit.Code)

		_, err = w.world.Run(f, fiberio.Command{Path: "no-such-program"}, fiber.Never)
		assert.ErrorIs(w, err, exec.ErrNotFound)
		assert.ErrorContains(w, err, "no-such-program")
	})
}

// A process whose fiber gives up is killed, even if something that it has started holds its
// output open.
func TestAProcessThatNobodyWaitsForIsKilled(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		_, err := w.world.Run(f, fiberio.Command{Path: "sh", Args: []string{"-c", "sleep 3 & sleep 1000"}}, f.Within(time.Millisecond))
		assert.ErrorIs(w, err, stackful.ErrTimeout)
		w.settled(f)
	})
}

func TestABlockingCallThatPanicsIsAnError(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		_, err := fiberio.Do(w.world, f, fiber.Never, func(context.Context) (int, error) { panic("no disk") })
		var panicked *reactor.PanicError
		assert.ErrorAs(w, err, &panicked)
	})
}
