package fiberio

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/stackful"
)

// File is an open file. Any number of fibers may use it; their calls happen one after the other
// in order of arrival. Calls on a regular file run on one of Config.IOWorkers; a pipe or a
// terminal may block for a long time, and has a goroutine of its own for each call.
type File struct {
	in   Reader // its opLock is for all operations, not only reads
	file sandbox.File
}

// errMayBlock: opening the path may wait for the other end of a pipe.
var errMayBlock = errors.New("fiberio: no regular file")

// OpenFile is os.OpenFile. Opening a named pipe waits for its other end. If the fiber gives up
// meanwhile, a goroutine stays until the other end is opened. The error is a *fs.PathError.
func (w *World) OpenFile(f *stackful.Fiber, path string, flag int, perm fs.FileMode, deadline fiber.Time) (*File, error) {
	p := &handover[sandbox.File]{discard: func(file sandbox.File) { _ = file.Close() }}
	defer p.decline()
	// On a worker first, because Stat may block too; a pipe is then opened on a goroutine of its
	// own, where waiting for the other end delays no other file.
	open := func(context.Context) (any, error) {
		file, err := w.tree.OpenFile(path, flag, perm)
		if err == nil {
			p.deliver(file)
		}
		return nil, err
	}
	_, err := w.pooled(f, w.pools.files, doing{"open", path}, deadline, func(ctx context.Context) (any, error) {
		if info, err := w.tree.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
			return nil, errMayBlock
		}
		return open(ctx)
	}, nil)
	if err == errMayBlock {
		_, err = w.wait(f, doing{"open", path}, deadline, open, nil)
	}
	if err != nil {
		return nil, err
	}
	return w.NewFile(p.take()), nil
}

// NewFile makes a File of an open file, such as an *os.File, and owns that from then on.
func (w *World) NewFile(file sandbox.File) *File {
	made := &File{file: file}
	made.in.open(w, file, file.Name())
	made.in.opLock.setDeadline = file.SetDeadline
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		made.in.pool = w.pools.files
	}
	return made
}

// Name is the path with which it was opened.
func (file *File) Name() string { return file.file.Name() }

// Read is as Conn.Read: bytes read for a fiber that gave up are returned by the next Read.
func (file *File) Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	return file.in.Read(f, p, deadline)
}

// Write writes all of p at the position after the last Read, Write or Seek, or fails. p is
// copied. If the fiber gives up, a regular file is written nevertheless.
func (file *File) Write(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	p = append([]byte(nil), p...) // the write may outlive this call
	return atPosition(file, f, "write", deadline, func() (int, error) { return file.file.Write(p) })
}

// Seek is os.File.Seek: it sets the position of the next Read or Write.
func (file *File) Seek(f *stackful.Fiber, offset int64, whence int, deadline fiber.Time) (int64, error) {
	return atPosition(file, f, "seek in", deadline, func() (int64, error) { return file.file.Seek(offset, whence) })
}

// atPosition makes a call at the fibers' position, which is before the bytes read ahead.
func atPosition[T any](file *File, f *stackful.Fiber, what string, deadline fiber.Time, call func() (T, error)) (done T, err error) {
	in := &file.in
	if err := f.LockUntil(in.reading, deadline); err != nil {
		return done, err
	}
	defer func() { _ = f.Unlock(in.reading) }()
	op := &operation{lock: &in.opLock}
	v, err := in.world.pooled(f, in.pool, doing{what, in.name}, deadline, func(context.Context) (v any, err error) {
		err = op.run(func() error {
			file.unread()
			v, err = call()
			return err
		})
		return v, err
	}, op.abort)
	done, _ = v.(T)
	return done, err
}

// unread seeks back over the bytes read ahead. A pipe has no position, and keeps them.
func (file *File) unread() {
	if ahead := len(file.in.unread); ahead > 0 {
		if _, err := file.file.Seek(-int64(ahead), io.SeekCurrent); err == nil {
			file.in.unread = nil
		}
	}
}

// Close closes the file and does not wait. Calls of other fibers that are waiting, and later
// ones, return fs.ErrClosed.
func (file *File) Close() error { return file.file.Close() }
