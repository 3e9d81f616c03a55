package fibers

import (
	"io/fs"

	glua "github.com/yuin/gopher-lua"
)

// readFile is fs.read(path [, timeout]).
func (h *Host) readFile(L *glua.LState) int {
	path, c, deadline := L.CheckString(1), h.self(L), h.deadline(L, 2)
	data, err := h.world(L).ReadFile(c.fiber, path, deadline)
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	L.Push(glua.LString(data))
	return 1
}

// writeFile is fs.write(path, s [, timeout]).
func (h *Host) writeFile(L *glua.LState) int {
	path, data, c, deadline := L.CheckString(1), L.CheckString(2), h.self(L), h.deadline(L, 3)
	return h.ended(L, c, h.world(L).WriteFile(c.fiber, path, []byte(data), 0o666, deadline))
}

// listDir is fs.list(path [, timeout]), the names in a directory, sorted.
func (h *Host) listDir(L *glua.LState) int {
	path, c, deadline := L.CheckString(1), h.self(L), h.deadline(L, 2)
	entries, err := h.world(L).ReadDir(c.fiber, path, deadline)
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	list := L.NewTable()
	for _, e := range entries {
		list.Append(glua.LString(e.Name()))
	}
	L.Push(list)
	return 1
}

// statFile is fs.stat(path [, timeout]): size in bytes, modified in seconds since 1970, and kind.
func (h *Host) statFile(L *glua.LState) int {
	path, c, deadline := L.CheckString(1), h.self(L), h.deadline(L, 2)
	info, err := h.world(L).Stat(c.fiber, path, deadline)
	if h.timedOut(L, c.back(err)) {
		return 2
	}
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
