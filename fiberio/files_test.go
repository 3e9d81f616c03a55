package fiberio_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

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

// forbidden is a file that not even root may write.
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

func TestAResultLargerThanMaxBytesIsRefused(t *testing.T) {
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
