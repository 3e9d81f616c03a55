package fibers

import (
	"sync"

	"github.com/tetratelabs/wazero/experimental/sys"
	wasi "github.com/tetratelabs/wazero/sys"
)

// opened is an open file whose operations block their fiber only. An instance has one fiber, so it
// has at most one operation at a time. But the operation of a killed fiber may still execute on a
// worker when the instance is closed: then the end of the operation closes the file. Operations
// that only query the file, or move its position, are done in place.
type opened struct {
	sys.File
	disk disk

	mu            sync.Mutex
	busy, closing bool
}

func (o *opened) begin() sys.Errno {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closing {
		return sys.EBADF
	}
	o.busy = true
	return 0
}

func (o *opened) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.busy = false
	if o.closing {
		_ = o.File.Close() // no caller can handle an error
	}
}

// Close does not wait. It may be called when no fiber runs.
func (o *opened) Close() sys.Errno {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closing {
		return 0
	}
	o.closing = true
	if o.busy {
		return 0
	}
	return o.File.Close()
}

// within executes a call on a worker, and keeps the file open meanwhile. A call on a named pipe may
// wait for the other end, so it has a goroutine of its own: it delays no other file.
func within[T any](o *opened, call func() (T, sys.Errno)) (T, sys.Errno) {
	execute := on[T]
	if pipe, is := o.File.(*hostFile); is && pipe.pipe {
		execute = func(d disk, call func() (T, sys.Errno)) (T, sys.Errno) { return waiting(d, pipe, call) }
	}
	return execute(o.disk, func() (done T, errno sys.Errno) {
		if errno := o.begin(); errno != 0 {
			return done, errno
		}
		defer o.end()
		return call()
	})
}

func (o *opened) do(call func() sys.Errno) sys.Errno {
	_, errno := within(o, func() (struct{}, sys.Errno) { return struct{}{}, call() })
	return errno
}

// read reads into memory of its own: the memory of the program may be freed before the call on the
// worker ends.
func (o *opened) read(buf []byte, call func([]byte) (int, sys.Errno)) (int, sys.Errno) {
	own := make([]byte, min(len(buf), mostAtOnce))
	n, errno := within(o, func() (int, sys.Errno) { return call(own) })
	return copy(buf, own[:n]), errno
}

// mostAtOnce is the most bytes that one operation on a worker reads or writes. As in a system call,
// a read may return less than the program asks for.
const mostAtOnce = 1 << 20

// write writes all of buf, because the engine does not look at how much was written: after a part of
// a buffer it would write the next buffer. The call is also given how much was written before.
func (o *opened) write(buf []byte, call func(p []byte, before int64) (int, sys.Errno)) (written int, errno sys.Errno) {
	for {
		own := append([]byte(nil), buf[written:min(len(buf), written+mostAtOnce)]...)
		n, errno := within(o, func() (int, sys.Errno) { return call(own, int64(written)) })
		if written += n; errno != 0 || n < len(own) || written == len(buf) {
			return written, errno
		}
	}
}

func (o *opened) Read(buf []byte) (int, sys.Errno) { return o.read(buf, o.File.Read) }

func (o *opened) Pread(buf []byte, off int64) (int, sys.Errno) {
	return o.read(buf, func(p []byte) (int, sys.Errno) { return o.File.Pread(p, off) })
}

func (o *opened) Write(buf []byte) (int, sys.Errno) {
	return o.write(buf, func(p []byte, _ int64) (int, sys.Errno) { return o.File.Write(p) })
}

func (o *opened) Pwrite(buf []byte, off int64) (int, sys.Errno) {
	return o.write(buf, func(p []byte, before int64) (int, sys.Errno) { return o.File.Pwrite(p, off+before) })
}

func (o *opened) Stat() (wasi.Stat_t, sys.Errno) { return within(o, o.File.Stat) }

func (o *opened) Readdir(n int) ([]sys.Dirent, sys.Errno) {
	return within(o, func() ([]sys.Dirent, sys.Errno) { return o.File.Readdir(n) })
}

func (o *opened) Truncate(size int64) sys.Errno {
	return o.do(func() sys.Errno { return o.File.Truncate(size) })
}

func (o *opened) Sync() sys.Errno { return o.do(o.File.Sync) }

func (o *opened) Datasync() sys.Errno { return o.do(o.File.Datasync) }

func (o *opened) Utimens(atim, mtim int64) sys.Errno {
	return o.do(func() sys.Errno { return o.File.Utimens(atim, mtim) })
}
