package fiberio

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
)

// File is an open file. Any number of fibers may use it; they take turns in order of arrival.
// A regular file is worked on by one of Config.Workers; what may wait for others (a pipe, a
// terminal) has a goroutine of its own.
type File struct {
	in   Reader // its lane is that of all operations
	file *os.File
}

// errPatient: opening may wait for the other end.
var errPatient = errors.New("fiberio: no regular file")

// OpenFile is os.OpenFile. Opening a named pipe waits for its other end; a fiber that gives up
// leaves a goroutine behind then, until that comes. The error is a *fs.PathError.
func (w *World) OpenFile(f *stackful.Fiber, path string, flag int, perm fs.FileMode, deadline fiber.Time) (*File, error) {
	p := &parcel[*os.File]{unclaim: func(file *os.File) { _ = file.Close() }}
	defer p.refuse()
	open := func(context.Context) (any, error) {
		file, err := os.OpenFile(path, flag, perm)
		if err == nil {
			p.bring(file)
		}
		return nil, err
	}
	_, err := w.pooled(f, w.files, deadline, func(ctx context.Context) (any, error) {
		if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
			return nil, errPatient
		}
		return open(ctx)
	}, nil)
	if err == errPatient {
		_, err = w.wait(f, deadline, open, nil)
	}
	if err != nil {
		return nil, err
	}
	return w.NewFile(p.take()), nil
}

// NewFile is a File of one that is open already, and has it from here on.
func (w *World) NewFile(file *os.File) *File {
	made := &File{file: file}
	made.in.open(w, file, file.Name())
	made.in.lane.setDeadline = file.SetDeadline
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		made.in.pool = w.files
	}
	return made
}

// Name is the path it was opened by.
func (file *File) Name() string { return file.file.Name() }

// Read is Conn.Read: nothing that has been read is lost to a fiber that gives up.
func (file *File) Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	return file.in.Read(f, p, deadline)
}

// Write writes all of p behind what was read or written last, or fails. p is copied. If the
// fiber gives up, a regular file is written all the same.
func (file *File) Write(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	p = append([]byte(nil), p...)
	return act(file, f, deadline, func() (int, error) { return file.file.Write(p) })
}

// Seek is os.File's: the next Read or Write is there.
func (file *File) Seek(f *stackful.Fiber, offset int64, whence int, deadline fiber.Time) (int64, error) {
	return act(file, f, deadline, func() (int64, error) { return file.file.Seek(offset, whence) })
}

// act does what depends on the position, which is before all that nobody has taken.
func act[T any](file *File, f *stackful.Fiber, deadline fiber.Time, call func() (T, error)) (done T, err error) {
	in := &file.in
	if err := f.LockUntil(in.reading, deadline); err != nil {
		return done, err
	}
	defer func() { _ = f.Unlock(in.reading) }()
	pass := &passage{lane: &in.lane}
	v, err := in.world.pooled(f, in.pool, deadline, func(context.Context) (v any, err error) {
		err = pass.through(func() error {
			file.unread()
			v, err = call()
			return err
		})
		return v, err
	}, pass.abort)
	done, _ = v.(T)
	return done, err
}

// unread goes back to where the last Read ended. A pipe has no position, and keeps what came.
func (file *File) unread() {
	if ahead := len(file.in.unread); ahead > 0 {
		if _, err := file.file.Seek(-int64(ahead), io.SeekCurrent); err == nil {
			file.in.unread = nil
		}
	}
}

// Close closes the file. Whoever waits for it has an error, and so has who tries it later,
// fs.ErrClosed. It does not wait for other fibers.
func (file *File) Close() error { return file.file.Close() }
