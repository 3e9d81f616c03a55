package fibers

import (
	"io/fs"

	glua "github.com/yuin/gopher-lua"
)

func openFS(x *external) {
	x.module("fs", functions{"read": x.readFile, "write": x.writeFile, "list": x.listDir, "stat": x.statFile})
}

// readFile is fs.read(path [, timeout]).
func (x *external) readFile(L *glua.LState) int {
	path, c := L.CheckString(1), x.begin(L)
	data, err := x.world(L).ReadFile(c.fiber, path, c.deadline(2))
	return c.result(err, glua.LString(data))
}

// writeFile is fs.write(path, s [, timeout]).
func (x *external) writeFile(L *glua.LState) int {
	path, data, c := L.CheckString(1), L.CheckString(2), x.begin(L)
	return c.ended(x.world(L).WriteFile(c.fiber, path, []byte(data), 0o666, c.deadline(3)))
}

// listDir is fs.list(path [, timeout]): the names in a directory, sorted.
func (x *external) listDir(L *glua.LState) int {
	path, c := L.CheckString(1), x.begin(L)
	entries, err := x.world(L).ReadDir(c.fiber, path, c.deadline(2))
	return c.result(err, listOf(L, entries, fs.DirEntry.Name))
}

// statFile is fs.stat(path [, timeout]): size in bytes, modified in seconds since 1970, and kind.
func (x *external) statFile(L *glua.LState) int {
	path, c := L.CheckString(1), x.begin(L)
	info, err := x.world(L).Stat(c.fiber, path, c.deadline(2))
	if c.timedOut(err) {
		return 2
	}
	about := L.NewTable()
	about.RawSetString("size", glua.LNumber(info.Size()))
	about.RawSetString("modified", glua.LNumber(float64(info.ModTime().UnixNano())/1e9))
	about.RawSetString("kind", glua.LString(kindOf(info.Mode())))
	return push(L, about)
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return "file"
	case m.IsDir():
		return "directory"
	}
	return "other"
}
