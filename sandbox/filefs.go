package sandbox

import (
	"io"
	"io/fs"
	"os"
	"time"
)

// fsFile is a file of a Dir.FS.
type fsFile struct {
	fs.File
	name string
}

func openFS(from fs.FS, name, rest string) (File, error) {
	file, err := from.Open(rest)
	if err != nil {
		return nil, named("open", name, err)
	}
	return fsFile{file, name}, nil
}

// Name is the guest's name of the file.
func (f fsFile) Name() string { return f.name }

// Write is an error.
func (f fsFile) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: write, Path: f.name, Err: fs.ErrPermission}
}

// Seek works if the file can do it.
func (f fsFile) Seek(offset int64, whence int) (int64, error) {
	if seeker, ok := f.File.(io.Seeker); ok {
		return seeker.Seek(offset, whence)
	}
	return 0, &fs.PathError{Op: "seek", Path: f.name, Err: fs.ErrInvalid}
}

// SetDeadline works if the file can do it.
func (f fsFile) SetDeadline(at time.Time) error {
	if limited, ok := f.File.(interface{ SetDeadline(time.Time) error }); ok {
		return limited.SetDeadline(at)
	}
	return os.ErrNoDeadline
}
