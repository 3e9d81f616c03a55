package fiberio_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

func TestRunReturnsOutputsAndExitCode(t *testing.T) {
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

func TestRunNamesAWorkingDirectoryThatIsMissing(t *testing.T) {
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

// A background process writes after the end of the one that started it. That is output too, unless
// Command.Linger ends before.
func TestRunWaitsForTheEndOfTheOutputsOrForLinger(t *testing.T) {
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

// The process group is killed, with the processes that it started.
func TestAnAbandonedProcessIsKilled(t *testing.T) {
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

// alive reports whether a process runs; a zombie does not.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
