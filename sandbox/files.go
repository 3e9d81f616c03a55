package sandbox

import (
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// File is an open file of a Tree: an *os.File, or a file of Dir.FS.
type File interface {
	io.ReadWriteSeeker
	io.Closer
	Name() string
	Stat() (fs.FileInfo, error)
	SetDeadline(time.Time) error
}

// writing are the flags of an OpenFile that may change something.
const writing = os.O_WRONLY | os.O_RDWR | os.O_CREATE | os.O_TRUNC | os.O_APPEND

// OpenFile is os.OpenFile.
func (t *Tree) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	if t.process {
		file, err := os.OpenFile(name, flag, perm)
		return orNil(file, err)
	}
	op := read
	if flag&writing != 0 {
		op = write
	}
	m, rest, err := t.at(op, name)
	if err != nil {
		return nil, err
	}
	if m.FS != nil {
		return openFS(m.FS, name, rest)
	}
	file, err := m.root.OpenFile(rest, flag, perm.Perm())
	if err != nil {
		return nil, named("open", name, err)
	}
	return namedFile{file, name}, nil
}

// orNil is a File that is nil if there is an error.
func orNil(file *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return file, nil
}

// namedFile is a file with the name that the guest has opened it by.
type namedFile struct {
	*os.File
	name string
}

// Name is the guest's name of the file.
func (f namedFile) Name() string { return f.name }

// Read is os.File.Read; the error has the guest's name.
func (f namedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	return n, f.named(err)
}

// Write is os.File.Write; the error has the guest's name.
func (f namedFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	return n, f.named(err)
}

// Seek is os.File.Seek; the error has the guest's name.
func (f namedFile) Seek(offset int64, whence int) (int64, error) {
	at, err := f.File.Seek(offset, whence)
	return at, f.named(err)
}

func (f namedFile) named(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return &fs.PathError{Op: at.Op, Path: f.name, Err: at.Err}
	}
	return err
}

// Stat is os.Stat.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	if t.process {
		return os.Stat(name)
	}
	return inMount(t, "stat", name, (*os.Root).Stat, fs.Stat)
}

// Lstat is os.Lstat.
func (t *Tree) Lstat(name string) (fs.FileInfo, error) {
	if t.process {
		return os.Lstat(name)
	}
	return inMount(t, "lstat", name, (*os.Root).Lstat, fs.Lstat)
}

// ReadDir is os.ReadDir: the entries are sorted by name.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if t.process {
		return os.ReadDir(name)
	}
	return inMount(t, "readdir", name, readDir, fs.ReadDir)
}

func readDir(in *os.Root, name string) ([]fs.DirEntry, error) {
	dir, err := in.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	entries, err := dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// inMount reads something by its name.
func inMount[T any](t *Tree, op, name string, root func(*os.Root, string) (T, error), system func(fs.FS, string) (T, error)) (result T, err error) {
	m, rest, err := t.at(read, name)
	if err != nil {
		return result, err
	}
	if m.FS != nil {
		result, err = system(m.FS, rest)
	} else {
		result, err = root(m.root, rest)
	}
	return result, named(op, name, err)
}

// Mkdir is os.Mkdir.
func (t *Tree) Mkdir(name string, perm fs.FileMode) error {
	if t.process {
		return os.Mkdir(name, perm)
	}
	m, rest, err := t.at(write, name)
	if err != nil {
		return err
	}
	return named("mkdir", name, m.root.Mkdir(rest, perm.Perm()))
}

// Remove is os.Remove.
func (t *Tree) Remove(name string) error {
	if t.process {
		return os.Remove(name)
	}
	m, rest, err := t.at(write, name)
	if err != nil {
		return err
	}
	return named("remove", name, m.root.Remove(rest))
}

// Rename is os.Rename within one Dir. Between two of them it is an error, as between two file systems.
func (t *Tree) Rename(from, to string) error {
	if t.process {
		return os.Rename(from, to)
	}
	m, rest, err := t.at(write, from)
	if err != nil {
		return err
	}
	into, renamed, err := t.at(write, to)
	switch {
	case err != nil:
		return err
	case into != m:
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: errors.New("the names are in two directories of Access.Dirs; copy the file")}
	}
	err = named("rename", from, m.root.Rename(rest, renamed))
	var at *fs.PathError
	if errors.As(err, &at) {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: at.Err}
	}
	return err
}

// CreateTemp makes a new file that is open for reading and writing, in the Dir with the Guest /tmp, or
// in the one with the shortest name that may be changed.
func (t *Tree) CreateTemp() (File, error) {
	if t.process {
		file, err := os.CreateTemp("", "")
		return orNil(file, err)
	}
	dir := t.temporary()
	if dir == "" {
		return nil, &AccessError{Op: write, What: "a temporary file", Field: "Dirs"}
	}
	for tries := 0; ; tries++ {
		name := path.Join(dir, "tmp-"+t.unique())
		file, err := t.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) || tries == mostNames {
			return file, err
		}
	}
}

// mostNames is how many names CreateTemp tries.
const mostNames = 10_000

func (t *Tree) temporary() (dir string) {
	for _, m := range t.mounts {
		if m.ReadOnly || m.FS != nil {
			continue
		}
		if m.Guest == "/tmp" {
			return m.Guest
		}
		dir = m.Guest
	}
	return dir
}

func (t *Tree) unique() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.random == nil {
		t.random = t.access.Entropy()
	}
	var name [8]byte
	_, _ = io.ReadFull(t.random, name[:]) // if it fails, the names are equal, and CreateTemp gives up
	return hex.EncodeToString(name[:])
}

// HostPath is the name of a directory for a process that the guest starts. "" is Access.WorkDir if that is in
// a Dir, and otherwise the directory of this process. A Dir.FS has none.
func (t *Tree) HostPath(name string) (string, error) {
	if t.process {
		return name, nil
	}
	if m, _ := t.find(name); name == "" && (m == nil || m.FS != nil) {
		return "", nil
	}
	m, rest, err := t.at(read, name)
	if err != nil {
		return "", err
	}
	if m.FS != nil {
		return "", &fs.PathError{Op: "chdir", Path: name, Err: errors.New("is no directory of the system")}
	}
	return filepath.Join(m.Host, filepath.FromSlash(rest)), nil
}
