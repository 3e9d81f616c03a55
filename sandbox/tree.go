package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Tree is the files that an Access reaches, under the names that the guest uses. Any number of
// goroutines may use it. Errors are those of package os with the guest's names, and *AccessErrors.
//
// A name that is not absolute starts from Access.WorkDir. "." and ".." are resolved in the text of the
// name; the rest is a name in the Dir with the longest Guest that it starts with. There os.Root
// follows symbolic links, and refuses those that leave the Dir.
type Tree struct {
	process bool
	workDir string
	mounts  []*mount // longest Guest first
	access  Access

	mu     sync.Mutex // guards what follows, and the roots of the mounts
	random io.Reader  // nil until the first CreateTemp
	opened bool
	closed bool
}

// mount is a Dir as a Tree uses it: Guest is absolute and clean.
type mount struct {
	Dir
	root *os.Root // the open directory; nil for an FS
	err  error    // why it could not be opened
}

// Tree makes the Tree of an Access. It opens all directories when the first is used: later a program could
// put a link in the place of one. Close frees it. The error is an *EntryError for a Dir.
func (a Access) Tree() (*Tree, error) {
	t := &Tree{process: a.process, workDir: path.Join("/", filepath.ToSlash(a.WorkDir)), access: a}
	for _, d := range a.Dirs {
		d.Guest = t.clean(cmp.Or(d.Guest, d.Host))
		if err := t.accepts(d); err != nil {
			return nil, err
		}
		if abs, err := filepath.Abs(d.Host); err == nil && d.FS == nil {
			d.Host = abs // the process may change its directory
		}
		t.mounts = append(t.mounts, &mount{Dir: d})
	}
	slices.SortStableFunc(t.mounts, func(a, b *mount) int { return cmp.Compare(len(b.Guest), len(a.Guest)) })
	return t, nil
}

func (t *Tree) accepts(d Dir) error {
	if (d.Host == "") == (d.FS == nil) {
		return &EntryError{"Dirs", d.Guest, "set one of Host and FS"}
	}
	if slices.ContainsFunc(t.mounts, func(m *mount) bool { return m.Guest == d.Guest }) {
		return &EntryError{"Dirs", d.Guest, "two directories have this name; give one of them another Guest"}
	}
	return nil
}

// clean is a name as an absolute one.
func (t *Tree) clean(name string) string {
	name = filepath.ToSlash(name)
	if filepath.VolumeName(name) == "" && !path.IsAbs(name) {
		name = t.workDir + "/" + name
	}
	return path.Clean(name)
}

func (t *Tree) open(m *mount) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return fs.ErrClosed
	}
	if !t.opened {
		t.opened = true
		for _, m := range t.mounts {
			if m.FS == nil {
				m.root, m.err = os.OpenRoot(m.Host)
			}
		}
	}
	return m.err
}

// Close closes the directories. Operations in progress end as if it had not been called; later ones are
// fs.ErrClosed. A second Close does nothing.
func (t *Tree) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, m := range t.mounts {
		if m.root != nil {
			_ = m.root.Close() // the error is always nil
		}
	}
}

// at returns the directory of a name, opened, and the rest of the name. op is for errors: "write" if
// the operation changes something.
func (t *Tree) at(op, name string) (m *mount, rest string, err error) {
	if m, rest = t.find(name); m == nil {
		return nil, "", &AccessError{Op: op, What: name, Field: "Dirs"}
	}
	if op == write && (m.ReadOnly || m.FS != nil) {
		return nil, "", &AccessError{Op: op, What: name, Field: "Dirs", Why: "the directory is read only"}
	}
	if err := t.open(m); err != nil {
		return nil, "", &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("the directory of Access.Dirs for %s: %w", m.Guest, reason(err))}
	}
	return m, rest, nil
}

const (
	read  = "read"
	write = "write"
)

// find returns the Dir of a name and the rest of the name; nil if there is none.
func (t *Tree) find(name string) (*mount, string) {
	full := t.clean(name)
	for _, m := range t.mounts {
		rest, inside := strings.CutPrefix(full, m.Guest)
		if inside && (rest == "" || rest[0] == '/' || strings.HasSuffix(m.Guest, "/")) {
			return m, cmp.Or(strings.TrimPrefix(rest, "/"), ".")
		}
	}
	return nil, ""
}

// reason is an error without the names of the host that it contains.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// named is an error of an operation with the name that the guest has used. What os.Root refuses because
// a symbolic link leads out is an *AccessError.
func named(op, name string, err error) error {
	if err == nil {
		return nil
	}
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &link):
		err = link.Err
	}
	if err.Error() == escapes {
		return &AccessError{Op: op, What: name, Field: "Dirs", Why: "a symbolic link leads out of the directory"}
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// escapes is the text of the error of os.Root for a link that leads out. The error has no name.
const escapes = "path escapes from parent"
