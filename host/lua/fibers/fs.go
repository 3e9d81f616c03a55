package fibers

import (
	"io/fs"

	glua "github.com/yuin/gopher-lua"
)

// readFile is fs.read(path).
func (h *Host) readFile(L *glua.LState) int {
	path, c := L.CheckString(1), h.self(L)
	data, err := h.world(L).ReadFile(c.fiber, path)
	h.check(L, c.back(err))
	L.Push(glua.LString(data))
	return 1
}

// writeFile is fs.write(path, s).
func (h *Host) writeFile(L *glua.LState) int {
	path, data, c := L.CheckString(1), L.CheckString(2), h.self(L)
	h.check(L, c.back(h.world(L).WriteFile(c.fiber, path, []byte(data), 0o666)))
	return 0
}

// listDir is fs.list(path), the names in a directory, sorted.
func (h *Host) listDir(L *glua.LState) int {
	path, c := L.CheckString(1), h.self(L)
	entries, err := h.world(L).ReadDir(c.fiber, path)
	h.check(L, c.back(err))
	list := L.NewTable()
	for _, e := range entries {
		list.Append(glua.LString(e.Name()))
	}
	L.Push(list)
	return 1
}

// statFile is fs.stat(path): size in bytes, modified in seconds since 1970, and kind.
func (h *Host) statFile(L *glua.LState) int {
	path, c := L.CheckString(1), h.self(L)
	info, err := h.world(L).Stat(c.fiber, path)
	h.check(L, c.back(err))
	about := L.NewTable()
	about.RawSetString("size", glua.LNumber(info.Size()))
	about.RawSetString("modified", glua.LNumber(float64(info.ModTime().UnixNano())/1e9))
	about.RawSetString("kind", glua.LString(kindOf(info.Mode())))
	L.Push(about)
	return 1
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
