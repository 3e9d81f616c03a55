package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/selvage-dev/selvage/sandbox"
)

// inPlace adds the directories of --allow-read and --allow-write, under the names that they have
// outside; relative names start from the working directory.
func (f *accessFlags) inPlace(a *sandbox.Access) error {
	for _, dir := range f.AllowWrite {
		if err := allow(a, "--allow-write", dir, false); err != nil {
			return err
		}
	}
	for _, dir := range f.AllowRead {
		if err := allow(a, "--allow-read", dir, true); err != nil {
			return err
		}
	}
	return nil
}

// allow adds a directory, unless the program may change it already, as a part of another.
func allow(a *sandbox.Access, flag, dir string, readOnly bool) error {
	host, err := realDirectory(flag, dir, dir)
	if err != nil {
		return err
	}
	for _, other := range a.Dirs {
		if !other.ReadOnly && (host == other.Host || below(host, other.Host)) {
			return nil
		}
	}
	return ownName(a, dir, sandbox.Dir{Host: host, ReadOnly: readOnly})
}

// ownName adds a directory with the name that it has outside.
func ownName(a *sandbox.Access, name string, d sandbox.Dir) error {
	work, err := os.Getwd()
	if err != nil {
		return err
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(work, name)
	}
	a.WorkDir, d.Guest = filepath.ToSlash(work), filepath.ToSlash(filepath.Clean(name))
	a.Dirs = append(a.Dirs, d)
	return nil
}

// mapped adds the directories of --dir. One inside of another that the program may change is refused:
// the program could change it too, or put a link in its place before another copy opens it.
func (f *accessFlags) mapped(a *sandbox.Access) error {
	for _, flag := range f.Dir {
		dir, err := mapping(flag)
		if err == nil && dir.Guest == "" {
			err = ownName(a, flag, dir)
		} else {
			a.Dirs = append(a.Dirs, dir)
		}
		if err != nil {
			return err
		}
	}
	for _, outer := range a.Dirs {
		for _, inner := range a.Dirs[len(a.Dirs)-len(f.Dir):] {
			if !outer.ReadOnly && below(inner.Host, outer.Host) {
				return fmt.Errorf("--dir %s: the program may change it as a part of %s; make that one read only, or leave one out", inner.Host, outer.Host)
			}
		}
	}
	return nil
}

// mapping parses HOST, whose Guest is "", HOST:GUEST or HOST:GUEST:ro.
func mapping(flag string) (d sandbox.Dir, err error) {
	parts := strings.Split(flag, ":")
	switch {
	case len(parts) == 2 && parts[1] == "ro":
		return d, fmt.Errorf("--dir %s: want HOST:GUEST:ro, such as %s:%s:ro", flag, parts[0], parts[0])
	case len(parts) > 3, len(parts) == 3 && parts[2] != "ro", len(parts) > 1 && parts[1] == "":
		return d, fmt.Errorf("--dir %s: want HOST, HOST:GUEST or HOST:GUEST:ro", flag)
	}
	if d.Host, err = realDirectory("--dir", flag, parts[0]); err != nil {
		return d, err
	}
	if len(parts) > 1 {
		d.Guest, d.ReadOnly = parts[1], len(parts) == 3
	}
	return d, nil
}

// realDirectory is the name of a directory without links.
func realDirectory(flag, value, dir string) (string, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s %s: %s is no directory", flag, value, dir)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}

// below returns whether a directory is inside of another. Both are names without links.
func below(inner, outer string) bool {
	rest, err := filepath.Rel(outer, inner)
	return err == nil && rest != "." && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}
