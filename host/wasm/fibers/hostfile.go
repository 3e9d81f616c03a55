package fibers

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/tetratelabs/wazero/experimental/sys"
	wasi "github.com/tetratelabs/wazero/sys"
)

// hostFile is an open file or directory of the host.
type hostFile struct {
	sys.UnimplementedFile
	file     *os.File
	stat     wasi.Stat_t // at the time of opening
	append   bool
	nonblock bool // an operation that would wait is EAGAIN
	pipe     bool // an operation may wait for the other end
	met      bool // the pipe has had a writer
}

func newHostFile(file *os.File, flag sys.Oflag) (sys.File, sys.Errno) {
	f := &hostFile{file: file, nonblock: flag&sys.O_NONBLOCK != 0}
	stat, errno := f.Stat()
	f.stat, f.pipe = stat, stat.Mode.Type() == fs.ModeNamedPipe
	if errno == 0 && flag&sys.O_APPEND != 0 {
		errno = f.SetAppend(true)
	}
	if errno != 0 {
		_ = file.Close() // the first error is returned
		return nil, errno
	}
	return f, 0
}

func (f *hostFile) Dev() (uint64, sys.Errno) { return f.stat.Dev, 0 }

func (f *hostFile) Ino() (wasi.Inode, sys.Errno) { return f.stat.Ino, 0 }

func (f *hostFile) IsDir() (bool, sys.Errno) { return f.stat.Mode.IsDir(), 0 }

func (f *hostFile) IsAppend() bool { return f.append }

// SetAppend changes the open file itself. To open it again by its name could wait, or open another.
func (f *hostFile) SetAppend(on bool) sys.Errno {
	errno := f.withDescriptor(func(fd uintptr) error { return setAppend(fd, on) })
	if errno == 0 {
		f.append = on
	}
	return errno
}

func (f *hostFile) withDescriptor(do func(fd uintptr) error) sys.Errno {
	raw, err := f.file.SyscallConn()
	if err != nil {
		return sys.UnwrapOSError(err)
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = do(fd) }); err != nil {
		return sys.UnwrapOSError(err)
	}
	return sys.UnwrapOSError(failed)
}

func (f *hostFile) Stat() (wasi.Stat_t, sys.Errno) { return statOf(f.file.Stat()) }

func (f *hostFile) Read(buf []byte) (n int, errno sys.Errno) {
	if f.nonblock {
		errno = f.withDescriptor(func(fd uintptr) (err error) { n, err = readNow(fd, buf); return err })
		return max(n, 0), errno
	}
	if f.pipe && !f.met {
		if err := f.awaitWriter(); err != nil {
			return 0, sys.UnwrapOSError(err)
		}
	}
	n, err := f.file.Read(buf)
	return n, sys.UnwrapOSError(err)
}

// awaitWriter waits for the writer of a pipe, for which the opening has not waited.
func (f *hostFile) awaitWriter() error {
	raw, err := f.file.SyscallConn()
	if err == nil {
		err = raw.Read(hasPeer)
	}
	f.met = err == nil
	return err
}

// interrupt ends the operation in progress, and all later ones. Any goroutine may call it.
func (f *hostFile) interrupt() { _ = f.file.SetDeadline(time.Unix(1, 0)) } // an error means that it does not wait, or is closed

func (f *hostFile) Write(buf []byte) (n int, errno sys.Errno) {
	if f.nonblock {
		errno = f.withDescriptor(func(fd uintptr) (err error) { n, err = writeNow(fd, buf); return err })
		return max(n, 0), errno
	}
	n, err := f.file.Write(buf)
	return n, sys.UnwrapOSError(err)
}

func (f *hostFile) Pread(buf []byte, at int64) (int, sys.Errno) {
	if at < 0 {
		return 0, sys.EINVAL
	}
	n, err := f.file.ReadAt(buf, at)
	return n, sys.UnwrapOSError(err)
}

func (f *hostFile) Pwrite(buf []byte, at int64) (int, sys.Errno) {
	if at < 0 {
		return 0, sys.EINVAL
	}
	n, err := f.file.WriteAt(buf, at)
	return n, sys.UnwrapOSError(err)
}

// position is an alias because go vet takes a method Seek(int64, int) for that of io.Seeker.
type position = int64

// Seek of a directory to its beginning lets Readdir begin again, with what is there by then.
func (f *hostFile) Seek(offset position, whence int) (int64, sys.Errno) {
	if whence < io.SeekStart || whence > io.SeekEnd {
		return 0, sys.EINVAL
	}
	at, err := f.file.Seek(offset, whence)
	return at, sys.UnwrapOSError(err)
}

func (f *hostFile) Readdir(n int) ([]sys.Dirent, sys.Errno) {
	infos, err := f.file.Readdir(n)
	if errno := sys.UnwrapOSError(err); errno != 0 {
		return nil, errno
	}
	entries := make([]sys.Dirent, len(infos))
	for i, info := range infos {
		entries[i] = sys.Dirent{Name: info.Name(), Ino: wasi.NewStat_t(info).Ino, Type: info.Mode().Type()}
	}
	return entries, 0
}

func (f *hostFile) Truncate(size int64) sys.Errno {
	if size < 0 {
		return sys.EINVAL
	}
	return sys.UnwrapOSError(f.file.Truncate(size))
}

func (f *hostFile) Sync() sys.Errno { return sys.UnwrapOSError(f.file.Sync()) }

func (f *hostFile) Datasync() sys.Errno { return f.Sync() }

// Utimens names the open file by its descriptor, which only Linux can. On ENOSYS the engine uses
// the name by which it was opened.
func (f *hostFile) Utimens(atim, mtim int64) sys.Errno {
	errno := f.withDescriptor(func(fd uintptr) error {
		return os.Chtimes(fmt.Sprintf("/proc/self/fd/%d", fd), timeOf(atim), timeOf(mtim))
	})
	if errno == sys.ENOENT {
		return sys.ENOSYS
	}
	return errno
}

func (f *hostFile) Close() sys.Errno { return sys.UnwrapOSError(f.file.Close()) }
