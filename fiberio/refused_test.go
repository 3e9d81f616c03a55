package fiberio_test

import (
	"context"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

func TestAPortInUseIsNamed(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		_, err = w.world.Listen(f, "tcp", l.Addr().String(), fiber.Never)
		assert.ErrorIs(w, err, syscall.EADDRINUSE)
		assert.ErrorContains(w, err, "listen tcp "+l.Addr().String())
		_ = l.Close()
		_, err = w.world.Dial(f, "tcp", l.Addr().String(), fiber.Never)
		assert.ErrorIs(w, err, syscall.ECONNREFUSED)
		assert.ErrorContains(w, err, "dial tcp "+l.Addr().String())
	})
}

func TestWhatCannotBeReachedIsNamed(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		_, err := w.world.Dial(f, "tcp", "no such host:80", fiber.Never)
		assert.ErrorContains(w, err, "no such host")
		_, err = w.world.Dial(f, "tcp", "127.0.0.1:99999", fiber.Never)
		assert.ErrorContains(w, err, "99999")
		_, err = w.world.Dial(f, "carrier pigeon", "x", fiber.Never)
		assert.ErrorContains(w, err, "carrier pigeon")
		r, err := http.NewRequest(http.MethodGet, "http://a..b/", nil)
		require.NoError(w, err)
		_, err = w.world.Fetch(f, r, fiber.Never)
		assert.EqualError(w, err, `Get "http://a..b/": dial tcp: lookup a..b: no such host`)
		_, err = w.world.Request(f, r, fiber.Never)
		assert.EqualError(w, err, `Get "http://a..b/": dial tcp: lookup a..b: no such host`)
		_, err = w.world.Listen(f, "tcp", "no such host:80", fiber.Never)
		assert.ErrorContains(w, err, "listen tcp: lookup no such host")
		_, err = w.world.LookupHost(f, "no such host", fiber.Never)
		assert.ErrorContains(w, err, "no such host")
		addresses, err := w.world.LookupHost(f, "127.0.0.1", fiber.Never)
		assert.NoError(w, err)
		assert.Equal(w, []string{"127.0.0.1"}, addresses)
	})
}

func TestFilesAreReadAndWritten(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	dir := t.TempDir()
	w.alone(func(f *stackful.Fiber) {
		path := filepath.Join(dir, "a")
		require.NoError(w, w.world.WriteFile(f, path, []byte("some text"), 0o644, fiber.Never))
		data, err := w.world.ReadFile(f, path, fiber.Never)
		assert.NoError(w, err)
		assert.Equal(w, "some text", string(data))
		entries, err := w.world.ReadDir(f, dir, fiber.Never)
		assert.NoError(w, err)
		assert.Len(w, entries, 1)
		info, err := w.world.Stat(f, path, fiber.Never)
		assert.NoError(w, err)
		assert.EqualValues(w, 9, info.Size())
		_, err = w.world.ReadFile(f, path+"/b", fiber.Never)
		assert.ErrorContains(w, err, path+"/b")
		_, err = w.world.ReadFile(f, dir, fiber.Never)
		assert.ErrorContains(w, err, "read "+dir+": is a directory")
		assert.ErrorContains(w, w.world.WriteFile(f, dir, nil, 0o644, fiber.Never), "write "+dir+": is a directory")
		_, err = w.world.ReadFile(f, "no/such/file", fiber.Never)
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
	w := newFixture(t, fiberio.Config{})
	path := forbidden(t)
	w.alone(func(f *stackful.Fiber) {
		err := w.world.WriteFile(f, path, []byte("x"), 0o644, fiber.Never)
		assert.ErrorIs(w, err, fs.ErrPermission)
		assert.ErrorContains(w, err, path)
	})
}

func TestWhatIsTooLargeIsRefused(t *testing.T) {
	w := newFixture(t, fiberio.Config{MaxBytes: 100})
	path := filepath.Join(t.TempDir(), "large")
	require.NoError(t, os.WriteFile(path, make([]byte, 101), 0o644))
	w.alone(func(f *stackful.Fiber) {
		var large *fiberio.TooLargeError
		_, err := w.world.ReadFile(f, path, fiber.Never)
		assert.ErrorAs(w, err, &large)
		assert.EqualError(w, err, path+": is larger than 100 bytes, the limit")
		_, err = w.world.Run(f, fiberio.Command{Path: "sh", Args: []string{"-c", "while :; do echo x; done"}}, fiber.Never)
		assert.ErrorAs(w, err, &large)
		assert.ErrorContains(w, err, "the output of sh")
	})
	_, err := fiberio.New(w.rt, fiberio.Config{MaxBytes: -1})
	assert.ErrorContains(t, err, "MaxBytes is negative")
	_, err = fiberio.New(w.rt, fiberio.Config{IOWorkers: -1})
	assert.ErrorContains(t, err, "a pool of -1 workers")
}

func TestProcessesAreRun(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
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

func TestADirectoryInWhichAProcessCannotRunIsNamed(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	w.alone(func(f *stackful.Fiber) {
		for dir, why := range map[string]string{file + "s": "no such file or directory", file: "is no directory"} {
			_, err := w.world.Run(f, fiberio.Command{Path: "sh", Args: []string{"-c", "pwd"}, Dir: dir}, fiber.Never)
			assert.EqualError(w, err, "chdir "+dir+": "+why)
		}
		_, err := w.world.Run(f, fiberio.Command{Path: file, Dir: filepath.Dir(file)}, fiber.Never)
		assert.ErrorContains(w, err, file+": permission denied", "the directory is there: it is the program that is wrong")
	})
}

// What a process has started may write after its end: that is its output too, unless the
// caller has not so much time.
func TestTheOutputOfAProcessEndsWhenNothingHoldsIt(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	dir := t.TempDir()
	gate := filepath.Join(dir, "gate")
	script := "echo early; (while test -d " + dir + " && ! test -e " + gate + "; do sleep 0.01; done; echo late; echo late >&2) &"
	w.alone(func(f *stackful.Fiber) {
		exit, err := w.world.Run(f, fiberio.Command{Path: "sh", Args: []string{"-c", script}, Linger: 50 * time.Millisecond}, fiber.Never)
		require.NoError(w, err)
		assert.Equal(w, fiberio.Exit{Stdout: []byte("early\n"), Cut: true}, *exit)
		_, err = w.world.Run(f, fiberio.Command{Path: "sh", Args: []string{"-c", script}}, f.Within(50*time.Millisecond))
		assert.ErrorIs(w, err, stackful.ErrTimeout)
		w.settled(f)

		waiting := w.fiber("waiting", func(f *stackful.Fiber) error {
			exit, err := w.world.Run(f, fiberio.Command{Path: "sh", Args: []string{"-c", script}}, fiber.Never)
			assert.Equal(w, "early\nlate\n", string(exit.Stdout))
			assert.Equal(w, "late\n", string(exit.Stderr))
			assert.False(w, exit.Cut)
			return err
		})
		require.NoError(w, f.Sleep(time.Millisecond))
		require.NoError(w, w.world.WriteFile(f, gate, nil, 0o600, fiber.Never))
		_, err = f.Join(waiting)
		assert.NoError(w, err)
	})
}

// A process whose fiber gives up is killed, with what it has started.
func TestAProcessThatNobodyWaitsForIsKilled(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	path := filepath.Join(t.TempDir(), "pid")
	w.alone(func(f *stackful.Fiber) {
		script := "sleep 1000 & echo $! >" + path + ".new; mv " + path + ".new " + path + "; wait"
		process := w.fiber("process", func(f *stackful.Fiber) error {
			_, err := w.world.Run(f, fiberio.Command{Path: "sh", Args: []string{"-c", script}}, fiber.Never)
			var stopped *stackful.Interrupt
			assert.ErrorAs(w, err, &stopped)
			return nil
		})
		data, err := w.world.ReadFile(f, path, fiber.Never)
		for ; err != nil; data, err = w.world.ReadFile(f, path, fiber.Never) {
			require.NoError(w, f.Sleep(time.Millisecond))
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
		require.NoError(w, err)
		require.NoError(w, w.rt.Scheduler().Cancel(process.ID(), nil))
		for alive(pid) {
			require.NoError(w, f.Sleep(time.Millisecond))
		}
		w.settled(f)
	})
}

// alive tells whether a process still runs; one that nobody has buried does not.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// What a call made for a fiber that had given up is undone, and what the fiber has got is not.
func TestWhatIsMadeForAFiberThatHasGivenUpIsUndone(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		undone, begun, late := make(chan int, 1), make(chan struct{}), make(chan struct{})
		givesUp := w.fiber("gives up", func(f *stackful.Fiber) error {
			_, err := fiberio.Make(w.world, f, fiber.Never, func(context.Context) (int, error) {
				close(begun)
				<-late
				return 7, nil
			}, func(made int) { undone <- made })
			var stopped *stackful.Interrupt
			assert.ErrorAs(w, err, &stopped)
			return nil
		})
		_, err := fiberio.Do(w.world, f, fiber.Never, received(begun)) // what has not begun makes nothing
		require.NoError(w, err)
		require.NoError(w, w.rt.Scheduler().Cancel(givesUp.ID(), nil))
		_, err = f.Join(givesUp)
		require.NoError(w, err)
		assert.Empty(w, undone)
		close(late)
		w.settled(f)
		assert.Equal(w, 7, <-undone)
		made, err := fiberio.Make(w.world, f, fiber.Never, func(context.Context) (int, error) { return 8, nil }, func(made int) { undone <- made })
		assert.NoError(w, err)
		assert.Equal(w, 8, made)
		_, err = fiberio.Make(w.world, f, fiber.Never, func(context.Context) (int, error) { return 9, os.ErrExist }, func(made int) { undone <- made })
		assert.ErrorIs(w, err, os.ErrExist)
		assert.Empty(w, undone)
	})
}

func TestABlockingCallThatPanicsIsAnError(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		_, err := fiberio.Do(w.world, f, fiber.Never, func(context.Context) (int, error) { panic("no disk") })
		var panicked *blocking.PanicError
		assert.ErrorAs(w, err, &panicked)
	})
}
