package fibers

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	wasi "github.com/tetratelabs/wazero/sys"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/sandbox"
)

// mount is an open Dir.
type mount struct {
	fs    sys.FS
	dir   *os.Root // nil for a Dir.FS
	guest string
}

func openDirs(dirs []sandbox.Dir) (mounts []mount, err error) {
	for _, d := range dirs {
		if d.Guest == "" {
			d.Guest = filepath.ToSlash(d.Host)
		}
		if d.FS != nil {
			mounts = append(mounts, mount{&readOnly{sysfs.ReadFS{FS: &sysfs.AdaptFS{FS: d.FS}}}, nil, d.Guest})
			continue
		}
		dir, err := os.OpenRoot(d.Host)
		if err != nil {
			closeDirs(mounts)
			return nil, err
		}
		var from sys.FS = &root{dir: dir}
		if d.ReadOnly {
			from = &readOnly{sysfs.ReadFS{FS: from}}
		}
		mounts = append(mounts, mount{from, dir, d.Guest})
	}
	return mounts, nil
}

// closeDirs may be called while an operation that has been abandoned still uses a directory.
func closeDirs(mounts []mount) {
	for _, m := range mounts {
		if m.dir != nil {
			_ = m.dir.Close() // the error is always nil
		}
	}
}

// disk gives one instance access to files. A worker executes each call, which blocks the fiber only.
type disk struct {
	io   *ioAccess
	user *user
}

// mount makes a configuration with the directories.
func (d disk) mount(mounts []mount) wazero.FSConfig {
	files := wazero.NewFSConfig()
	for _, m := range mounts {
		files = files.(sysfs.FSConfig).WithSysFSMount(tree{m.fs, d}, m.guest)
	}
	return files
}

// result is the result of a call.
type result[T any] struct {
	value T
	errno sys.Errno
}

// on executes a call on a worker. The call owns its operands, because it continues after its fiber
// is killed.
func on[T any](d disk, call func() (T, sys.Errno)) (T, sys.Errno) {
	world, err := d.io.world()
	unwindOn(err)
	got, err := fiberio.Do(world, d.user.Fiber, fiber.Never, func(context.Context) (got result[T], err error) {
		got.value, got.errno = call()
		return got, nil
	})
	unwindOn(err)
	return got.value, got.errno
}

// waiting executes a call on a named pipe, on a goroutine of its own. The end of the fiber
// interrupts it.
func waiting[T any](d disk, pipe *hostFile, call func() (T, sys.Errno)) (T, sys.Errno) {
	world, err := d.io.world()
	unwindOn(err)
	got, err := fiberio.Wait(world, d.user.Fiber, fiber.Never, func(ctx context.Context) (got result[T], err error) {
		defer context.AfterFunc(ctx, pipe.interrupt)()
		got.value, got.errno = call()
		return got, nil
	})
	unwindOn(err)
	return got.value, got.errno
}

func (d disk) do(call func() sys.Errno) sys.Errno {
	_, errno := on(d, func() (struct{}, sys.Errno) { return struct{}{}, call() })
	return errno
}

// tree is a directory whose operations block their fiber only.
type tree struct {
	sys.FS
	disk disk
}

func (t tree) OpenFile(path string, flag sys.Oflag, perm fs.FileMode) (sys.File, sys.Errno) {
	world, err := t.disk.io.world()
	unwindOn(err)
	got, err := fiberio.Make(world, t.disk.user.Fiber, fiber.Never, func(context.Context) (got result[sys.File], err error) {
		got.value, got.errno = t.FS.OpenFile(path, flag, perm)
		return got, nil
	}, func(got result[sys.File]) {
		if got.errno == 0 {
			_ = got.value.Close() // no caller can handle an error
		}
	})
	unwindOn(err)
	if got.errno != 0 {
		return nil, got.errno
	}
	return &opened{File: got.value, disk: t.disk}, 0
}

func (t tree) Lstat(path string) (wasi.Stat_t, sys.Errno) {
	return on(t.disk, func() (wasi.Stat_t, sys.Errno) { return t.FS.Lstat(path) })
}

func (t tree) Stat(path string) (wasi.Stat_t, sys.Errno) {
	return on(t.disk, func() (wasi.Stat_t, sys.Errno) { return t.FS.Stat(path) })
}

func (t tree) Readlink(path string) (string, sys.Errno) {
	return on(t.disk, func() (string, sys.Errno) { return t.FS.Readlink(path) })
}

func (t tree) Mkdir(path string, perm fs.FileMode) sys.Errno {
	return t.disk.do(func() sys.Errno { return t.FS.Mkdir(path, perm) })
}

func (t tree) Rename(from, to string) sys.Errno {
	return t.disk.do(func() sys.Errno { return t.FS.Rename(from, to) })
}

func (t tree) Rmdir(path string) sys.Errno {
	return t.disk.do(func() sys.Errno { return t.FS.Rmdir(path) })
}

func (t tree) Unlink(path string) sys.Errno {
	return t.disk.do(func() sys.Errno { return t.FS.Unlink(path) })
}

func (t tree) Link(old, made string) sys.Errno {
	return t.disk.do(func() sys.Errno { return t.FS.Link(old, made) })
}

// Symlink owns its operands too: the engine's old is memory of the program.
func (t tree) Symlink(old, made string) sys.Errno {
	old = strings.Clone(old)
	return t.disk.do(func() sys.Errno { return t.FS.Symlink(old, made) })
}

func (t tree) Utimens(path string, atim, mtim int64) sys.Errno {
	return t.disk.do(func() sys.Errno { return t.FS.Utimens(path, atim, mtim) })
}
