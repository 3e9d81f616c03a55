package fiberio_test

import (
	"bytes"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// open opens a file that must exist.
func (w *fixture) open(f *stackful.Fiber, path string, flag int) *fiberio.File {
	file, err := w.world.OpenFile(f, path, flag, 0o600, fiber.Never)
	require.NoError(w, err)
	w.Cleanup(func() { _ = file.Close() })
	return file
}

// A Read reads ahead. Write and Seek start where the last Read ended nevertheless.
func TestWriteAndSeekStartWhereTheLastReadEnded(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("0123456789"), 0o600))
	w.alone(func(f *stackful.Fiber) {
		file := w.open(f, path, os.O_RDWR)
		var three [3]byte
		for _, want := range []string{"012", "345"} {
			_, err := file.Read(f, three[:], fiber.Never)
			assert.NoError(w, err)
			assert.Equal(w, want, string(three[:]))
		}
		at, err := file.Seek(f, -1, io.SeekCurrent, fiber.Never)
		assert.NoError(w, err)
		assert.EqualValues(w, 5, at)
		n, err := file.Write(f, []byte("F"), fiber.Never)
		assert.NoError(w, err)
		assert.Equal(w, 1, n)
		rest, err := all(f, file)
		assert.NoError(w, err)
		assert.Equal(w, "6789", string(rest))
		assert.Equal(w, path, file.Name())
		assert.NoError(w, file.Close())
		_, err = file.Read(f, three[:], fiber.Never)
		assert.ErrorIs(w, err, fs.ErrClosed)
		_, err = w.world.OpenFile(f, path+"/none", os.O_RDONLY, 0, fiber.Never)
		assert.ErrorContains(w, err, path+"/none")
	})
	got, err := os.ReadFile(path)
	assert.NoError(t, err)
	assert.Equal(t, "01234F6789", string(got))
}

func TestBytesReadForAFiberThatGaveUpAreNotLost(t *testing.T) {
	w := newFixture(t, fiberio.Config{IOWorkers: 2})
	path := filepath.Join(t.TempDir(), "file")
	want := make([]byte, 1<<20)
	for i := range want {
		want[i] = byte(rand.Uint32())
	}
	require.NoError(t, os.WriteFile(path, want, 0o600))
	var got []byte
	w.alone(func(f *stackful.Fiber) {
		file := w.open(f, path, os.O_RDONLY)
		buf := make([]byte, 10_000)
		for {
			n, err := file.Read(f, buf[:1+rand.IntN(len(buf))], f.Within(time.Duration(rand.IntN(30))*time.Microsecond))
			got = append(got, buf[:n]...)
			if err == io.EOF {
				return
			}
			if err != nil {
				require.ErrorIs(w, err, stackful.ErrTimeout)
			}
		}
	})
	assert.True(t, bytes.Equal(want, got), "%d bytes of %d", len(got), len(want))
}

func TestAnOpenFileHasDeadlines(t *testing.T) {
	w := newFixture(t, fiberio.Config{IOWorkers: 1})
	path := filepath.Join(t.TempDir(), "file")
	w.alone(func(f *stackful.Fiber) {
		file := w.open(f, path, os.O_RDWR|os.O_CREATE)
		letGo := w.busy(f)
		_, err := file.Read(f, make([]byte, 1), f.Within(time.Millisecond))
		assert.ErrorIs(w, err, stackful.ErrTimeout)
		_, err = file.Write(f, []byte("x"), f.Within(time.Millisecond))
		assert.ErrorIs(w, err, stackful.ErrTimeout)
		_, err = file.Seek(f, 0, io.SeekStart, f.Within(time.Millisecond))
		assert.ErrorIs(w, err, stackful.ErrTimeout)
		_, err = w.world.OpenFile(f, path, os.O_RDONLY, 0, f.Within(time.Millisecond))
		assert.ErrorIs(w, err, stackful.ErrTimeout)
		letGo()
		w.settled(f)
	})
}

// A pipe uses no worker, and a fiber that gives up leaves no goroutine behind.
func TestAPipeTakesNoWorkerFromTheFiles(t *testing.T) {
	w := newFixture(t, fiberio.Config{IOWorkers: 1})
	r, out, err := os.Pipe()
	require.NoError(t, err)
	w.alone(func(f *stackful.Fiber) {
		in := w.world.NewFile(r)
		var b [4]byte
		for range 100 {
			_, err := in.Read(f, b[:], f.Within(10*time.Microsecond))
			assert.ErrorIs(w, err, stackful.ErrTimeout)
		}
		reader := w.fiber("reader", func(f *stackful.Fiber) error {
			n, err := in.Read(f, b[:], fiber.Never)
			assert.Equal(w, "text", string(b[:n]))
			return err
		})
		require.NoError(w, f.Yield())
		_, err = w.world.Stat(f, ".", fiber.Never)
		assert.NoError(w, err)
		_, err = out.WriteString("text")
		require.NoError(w, err)
		_, err = f.Join(reader)
		assert.NoError(w, err)
		closed := w.fiber("closed", func(f *stackful.Fiber) error {
			_, err := in.Read(f, b[:], fiber.Never)
			assert.ErrorIs(w, err, fs.ErrClosed)
			return nil
		})
		require.NoError(w, f.Yield())
		assert.NoError(w, in.Close())
		_, err = f.Join(closed)
		assert.NoError(w, err)
		_ = out.Close()
	})
}
