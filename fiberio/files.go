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

// TooLargeError is what is refused because it is larger than Config.MaxBytes.
type TooLargeError struct {
	What string // a path, a URL
	Most int64  // bytes
}

// Error names it and the limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s: is larger than %d bytes, the limit", e.What, e.Most)
}

// ReadFile reads a regular file. Errors: *fs.PathError, *TooLargeError. What is no regular
// file (a pipe, a terminal) could take a worker for ever, and is refused by name.
func (w *World) ReadFile(f *stackful.Fiber, path string, deadline fiber.Time) ([]byte, error) {
	return Do(w, f, deadline, func(context.Context) ([]byte, error) { return readFile(path, w.most) })
}

func readFile(path string, most int64) ([]byte, error) {
	if err := regular("read", path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return readAll(file, path, most)
}

// readAll reads to the end, but not for ever.
func readAll(r io.Reader, what string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, &TooLargeError{What: what, Most: most}
	}
	return data, err
}

// regular refuses what opening could wait for. What is not there is for others to say.
func regular(op, path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() || op == "write" && info.Mode()&fs.ModeDevice != 0 {
		return nil
	}
	why := "is no regular file"
	if info.IsDir() {
		why = "is a directory"
	}
	return &fs.PathError{Op: op, Path: path, Err: errors.New(why)}
}

// WriteFile writes a file that holds data and nothing else, made with the permissions if it
// is not there. If the fiber gives up meanwhile, it is written all the same.
func (w *World) WriteFile(f *stackful.Fiber, path string, data []byte, perm fs.FileMode, deadline fiber.Time) error {
	data = append([]byte(nil), data...)
	_, err := Do(w, f, deadline, func(context.Context) (struct{}, error) {
		if err := regular("write", path); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, os.WriteFile(path, data, perm)
	})
	return err
}

// ReadDir lists a directory, sorted by name.
func (w *World) ReadDir(f *stackful.Fiber, path string, deadline fiber.Time) ([]fs.DirEntry, error) {
	return Do(w, f, deadline, func(context.Context) ([]fs.DirEntry, error) { return os.ReadDir(path) })
}

// Stat is what os.Stat says of a file.
func (w *World) Stat(f *stackful.Fiber, path string, deadline fiber.Time) (fs.FileInfo, error) {
	return Do(w, f, deadline, func(context.Context) (fs.FileInfo, error) { return os.Stat(path) })
}
