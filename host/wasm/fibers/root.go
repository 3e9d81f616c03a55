package fibers

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	wasi "github.com/tetratelabs/wazero/sys"
)

// root is a directory of the host that no operation leaves: os.Root opens each directory of a name
// from the one before, and follows symbolic links itself. A name that leads out is EPERM. What is
// opened is never looked up again by its name.
type root struct {
	sys.UnimplementedFS
	dir *os.Root
}

// local is a name in the form that os.Root accepts. The engine's begin with a slash if they are
// relative to an open directory.
func local(name string) string {
	if name = strings.TrimLeft(name, "/"); name == "" {
		return "."
	}
	return name
}

// errnoOf is the error number of an error of package os. Only the refusals of os.Root have no
// number of the operating system.
func errnoOf(err error) sys.Errno {
	errno := sys.UnwrapOSError(err)
	var number syscall.Errno
	if errno == sys.EIO && !errors.As(err, &number) {
		return sys.EPERM
	}
	return errno
}

// OpenFile checks O_NOFOLLOW before it opens the file, because os.Root has no such flag. A link
// that is made in between is followed, but not out of the directory. It does not wait: a named pipe
// without a reader is EAGAIN for a writer, and a reader waits for a writer when it first reads.
func (r *root) OpenFile(name string, flag sys.Oflag, perm fs.FileMode) (sys.File, sys.Errno) {
	name = local(name)
	if flag&sys.O_NOFOLLOW != 0 {
		if info, err := r.dir.Lstat(name); err == nil && info.Mode().Type() == fs.ModeSymlink {
			return nil, sys.ELOOP
		}
	}
	file, err := r.dir.OpenFile(name, hostFlags(flag), perm.Perm())
	if err != nil && flag == sys.O_RDONLY && perm == 0 {
		return nil, sys.ENOENT // the engine opens the directory itself, and panics on another error
	}
	if noReader(err) {
		return nil, sys.EAGAIN
	}
	if err != nil {
		return nil, errnoOf(err)
	}
	return newHostFile(file, flag)
}

func (r *root) Lstat(name string) (wasi.Stat_t, sys.Errno) {
	return statOf(r.dir.Lstat(local(name)))
}

func (r *root) Stat(name string) (wasi.Stat_t, sys.Errno) {
	return statOf(r.dir.Stat(local(name)))
}

func statOf(info fs.FileInfo, err error) (wasi.Stat_t, sys.Errno) {
	if err != nil {
		return wasi.Stat_t{}, errnoOf(err)
	}
	return wasi.NewStat_t(info), 0
}

func (r *root) Readlink(name string) (string, sys.Errno) {
	target, err := r.dir.Readlink(local(name))
	return filepath.ToSlash(target), errnoOf(err)
}

func (r *root) Mkdir(name string, perm fs.FileMode) sys.Errno {
	return errnoOf(r.dir.Mkdir(local(name), perm.Perm()))
}

// Rmdir and Unlink check what they remove, because os.Root removes a file and a directory alike.
func (r *root) Rmdir(name string) sys.Errno {
	name = strings.TrimRight(local(name), "/")
	if info, err := r.dir.Lstat(name); err == nil && !info.IsDir() {
		return sys.ENOTDIR
	}
	return errnoOf(r.dir.Remove(name))
}

func (r *root) Unlink(name string) sys.Errno {
	info, err := r.dir.Lstat(local(name))
	if err != nil {
		return errnoOf(err)
	}
	if info.IsDir() {
		return sys.EISDIR
	}
	return errnoOf(r.dir.Remove(local(name)))
}

func (r *root) Rename(from, to string) sys.Errno {
	err := r.dir.Rename(local(from), local(to))
	if !errors.Is(err, fs.ErrExist) {
		return errnoOf(err)
	}
	return r.replace(path.Clean(local(from)), path.Clean(local(to)))
}

// replace renames to the name of a directory, which os.Root refuses. As in POSIX, a directory may
// replace another that is empty.
func (r *root) replace(from, to string) sys.Errno {
	info, err := r.dir.Lstat(from)
	replaced, gone := r.dir.Lstat(to)
	switch err := errors.Join(err, gone); {
	case err != nil:
		return errnoOf(err)
	case os.SameFile(info, replaced):
		return 0
	case !info.IsDir():
		return sys.EISDIR
	case strings.HasPrefix(to, from+"/"):
		return sys.EINVAL
	}
	if errno := r.Rmdir(to); errno != 0 {
		return errno
	}
	err = r.dir.Rename(from, to)
	if err != nil {
		_ = r.dir.Mkdir(to, replaced.Mode().Perm()) // the error of the renaming is returned
	}
	return errnoOf(err)
}

func (r *root) Link(old, made string) sys.Errno {
	return errnoOf(r.dir.Link(local(old), local(made)))
}

// Symlink refuses an absolute target, as WASI does. A relative one may lead anywhere: it is when a
// link is followed that it is checked.
func (r *root) Symlink(old, made string) sys.Errno {
	if path.IsAbs(old) {
		return sys.EPERM
	}
	return errnoOf(r.dir.Symlink(old, local(made)))
}

func (r *root) Utimens(name string, atim, mtim int64) sys.Errno {
	return errnoOf(r.dir.Chtimes(local(name), timeOf(atim), timeOf(mtim)))
}

// timeOf is a time in nanoseconds since 1970. The zero Time leaves a file's time as it is.
func timeOf(ns int64) time.Time {
	if ns == sys.UTIME_OMIT {
		return time.Time{}
	}
	return time.Unix(0, ns)
}

// readOnly refuses all that changes a file or a directory. ReadFS alone would let a program create
// and truncate files that it opens for reading.
type readOnly struct{ sysfs.ReadFS }

func (r *readOnly) OpenFile(name string, flag sys.Oflag, perm fs.FileMode) (sys.File, sys.Errno) {
	if flag&(sys.O_CREAT|sys.O_TRUNC) != 0 {
		return nil, sys.EROFS
	}
	return r.ReadFS.OpenFile(name, flag, perm)
}
