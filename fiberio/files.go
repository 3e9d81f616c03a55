package fiberio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
)

// TooLargeError is the error for a result larger than Config.MaxBytes.
type TooLargeError struct {
	What  string // a path or a URL
	Limit int64  // bytes
}

// Error names what was too large and the limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s: is larger than %d bytes, the limit", e.What, e.Limit)
}

// ReadFile reads a regular file. Errors: *fs.PathError, *sandbox.AccessError and *TooLargeError. A pipe or a terminal
// is refused, because reading it could block a worker without limit: use OpenFile.
func (w *World) ReadFile(f *stackful.Fiber, path string, deadline fiber.Time) ([]byte, error) {
	return do(w, f, doing{"read", path}, deadline, func(context.Context) ([]byte, error) { return w.readFile(path) })
}

// readFile is ReadFile on a worker.
func (w *World) readFile(path string) ([]byte, error) {
	if err := w.regular("read", path); err != nil {
		return nil, err
	}
	file, err := w.tree.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return readAll(file, path, w.limit)
}

// readAll reads to the end, or fails beyond the limit.
func readAll(r io.Reader, what string, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, &TooLargeError{What: what, Limit: limit}
	}
	return data, err
}

// regular refuses a path whose opening could block. Other errors are left to the call itself.
func (w *World) regular(op, path string) error {
	info, err := w.tree.Stat(path)
	if err != nil || info.Mode().IsRegular() || op == "write" && info.Mode()&fs.ModeDevice != 0 {
		return nil
	}
	why := "is no regular file"
	if info.IsDir() {
		why = "is a directory"
	}
	return &fs.PathError{Op: op, Path: path, Err: errors.New(why)}
}

// WriteFile replaces the content of a file, and creates it with the permissions if it does not
// exist. If the fiber gives up meanwhile, the file is written nevertheless.
func (w *World) WriteFile(f *stackful.Fiber, path string, data []byte, perm fs.FileMode, deadline fiber.Time) error {
	data = append([]byte(nil), data...) // the write may outlive this call
	_, err := do(w, f, doing{"write", path}, deadline, func(context.Context) (struct{}, error) {
		return struct{}{}, w.writeFile(path, data, perm)
	})
	return err
}

// writeFile is WriteFile on a worker.
func (w *World) writeFile(path string, data []byte, perm fs.FileMode) error {
	if err := w.regular("write", path); err != nil {
		return err
	}
	file, err := w.tree.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// ReadDir lists a directory, sorted by name.
func (w *World) ReadDir(f *stackful.Fiber, path string, deadline fiber.Time) ([]fs.DirEntry, error) {
	return do(w, f, doing{"list", path}, deadline, func(context.Context) ([]fs.DirEntry, error) { return w.tree.ReadDir(path) })
}

// Stat is os.Stat.
func (w *World) Stat(f *stackful.Fiber, path string, deadline fiber.Time) (fs.FileInfo, error) {
	return do(w, f, doing{"stat", path}, deadline, func(context.Context) (fs.FileInfo, error) { return w.tree.Stat(path) })
}
