package fiberio_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// busy occupies a worker until it is released.
func (w *fixture) busy(f *stackful.Fiber) (letGo func()) {
	w.Helper()
	began, gate := make(chan struct{}), make(chan struct{})
	task := w.fiber("busy", func(f *stackful.Fiber) error {
		_, err := fiberio.Do(w.world, f, fiber.Never, func(context.Context) (any, error) {
			close(began)
			<-gate
			return nil, nil
		})
		return err
	})
	_, err := fiberio.Wait(w.world, f, fiber.Never, received(began))
	require.NoError(w, err)
	return func() {
		close(gate)
		_, err := f.Join(task)
		require.NoError(w, err)
	}
}

// The only worker is occupied: every call times out at its deadline and never begins.
func TestEveryCallAboutFilesEndsAtItsDeadline(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for name, call := range map[string]func(w *fixture, f *stackful.Fiber, deadline fiber.Time) error{
		"ReadFile": func(w *fixture, f *stackful.Fiber, deadline fiber.Time) error {
			_, err := w.world.ReadFile(f, path, deadline)
			return err
		},
		"WriteFile": func(w *fixture, f *stackful.Fiber, deadline fiber.Time) error {
			return w.world.WriteFile(f, path, []byte("late"), 0o600, deadline)
		},
		"ReadDir": func(w *fixture, f *stackful.Fiber, deadline fiber.Time) error {
			_, err := w.world.ReadDir(f, dir, deadline)
			return err
		},
		"Stat": func(w *fixture, f *stackful.Fiber, deadline fiber.Time) error {
			_, err := w.world.Stat(f, path, deadline)
			return err
		},
		"Do": func(w *fixture, f *stackful.Fiber, deadline fiber.Time) error {
			_, err := fiberio.Do(w.world, f, deadline, func(context.Context) (any, error) { w.Error("it began"); return nil, nil })
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, fiberio.Config{IOWorkers: 1})
			w.alone(func(f *stackful.Fiber) {
				letGo := w.busy(f)
				assert.ErrorIs(w, call(w, f, f.Within(time.Millisecond)), stackful.ErrTimeout)
				assert.NoError(w, f.Yield()) // the pool learns of it at the next poll
				letGo()
				w.settled(f)
			})
			_, err := os.Stat(path)
			assert.ErrorIs(t, err, fs.ErrNotExist)
		})
	}
}

func TestListenEndsAtItsDeadline(t *testing.T) {
	w := newFixtureOf(t, 1, fiberio.Config{}) // one operation at a time: Listen must wait for a token
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		accepting := w.fiber("accepting", func(f *stackful.Fiber) error {
			_, err := l.Accept(f, fiber.Never)
			assert.Error(w, err)
			return nil
		})
		require.NoError(w, f.Yield())
		_, err = w.world.Listen(f, "tcp", "127.0.0.1:0", f.Within(time.Millisecond))
		assert.ErrorIs(w, err, stackful.ErrTimeout)
		_ = l.Close()
		_, err = f.Join(accepting)
		assert.NoError(w, err)
	})
}

func TestServeEndsAtItsDeadlineAndClosesThePort(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		server := w.world.NewServer(nil, fiberio.ServerConfig{})
		assert.ErrorIs(w, server.Serve(f, l, f.Within(time.Millisecond)), stackful.ErrTimeout)
		w.settled(f)
		_, err = w.world.Dial(f, "tcp", l.Addr().String(), fiber.Never)
		assert.ErrorIs(w, err, syscall.ECONNREFUSED)
	})
}
