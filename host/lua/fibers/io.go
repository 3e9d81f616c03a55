package fibers

import (
	"io"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
)

// fileType is the name of gopher-lua's metatable of files.
const fileType = "FILE*"

// openIO makes the functions of io and of files wait as fibers: they are changed in place,
// act on the files that fibers have opened, and leave others to gopher-lua.
func (h *Host) openIO() {
	L := h.state.Base()
	lib, methods := L.GetGlobal("io"), L.GetTypeMetatable(fileType)
	h.openInput(L.GetField(lib, "stdin"))
	for name, act := range map[string]func(*glua.LState, *file) int{
		"write": func(L *glua.LState, f *file) int { return h.writeTo(L, f, 2) },
		"flush": h.flushFile, "seek": h.seekFile, "setvbuf": h.bufferFile, "close": h.closeFile, "__tostring": fileName,
	} {
		h.redirect(L.GetField(methods, name), argument1, h.fileOf, act)
	}
	h.redirect(L.GetField(methods, "read"), argument1, h.inputOf, func(L *glua.LState, f *file) int { return h.readFrom(L, f, 2) })
	h.redirect(L.GetField(methods, "lines"), argument1, h.inputOf, h.allLines)
	h.redirect(L.GetField(lib, "read"), standard(2), h.inputOf, func(L *glua.LState, f *file) int { return h.readFrom(L, f, 1) })
	h.redirect(L.GetField(lib, "lines"), unlessGiven(2), h.inputOf, h.allLines)
	h.redirect(L.GetField(lib, "write"), standard(1), h.fileOf, func(L *glua.LState, f *file) int { return h.writeTo(L, f, 1) })
	h.redirect(L.GetField(lib, "flush"), standard(1), h.fileOf, h.flushFile)
	h.redirect(L.GetField(lib, "close"), givenOr(1), h.fileOf, h.closeFile)
	h.redirect(L.GetField(lib, "type"), argument1, h.fileOf, typeOfFile)
	h.redirect(L.GetField(lib, "input"), argument1, h.fileOf, standardIs(2))
	h.redirect(L.GetField(lib, "output"), argument1, h.fileOf, standardIs(1))
	h.openOpening(lib)
}

// redirect has a function act if what it is about is one of our files.
func (h *Host) redirect(fn glua.LValue, about func(*glua.LState) glua.LValue, find func(*glua.LState, glua.LValue) *file, act func(*glua.LState, *file) int) {
	f := fn.(*glua.LFunction)
	native := f.GFunction
	f.GFunction = func(L *glua.LState) int {
		if file := find(L, about(L)); file != nil {
			return act(L, file)
		}
		return native(L)
	}
}

func argument1(L *glua.LState) glua.LValue { return L.Get(1) }

// standard is what io.output() (1) or io.input() (2) returns: the io functions have them in
// their first upvalue.
func standard(n int) func(*glua.LState) glua.LValue {
	return func(L *glua.LState) glua.LValue {
		if files, ok := L.Get(glua.UpvalueIndex(1)).(*glua.LTable); ok {
			return files.RawGetInt(n)
		}
		return glua.LNil
	}
}

// givenOr is the argument, or the standard file.
func givenOr(n int) func(*glua.LState) glua.LValue {
	return func(L *glua.LState) glua.LValue {
		if L.GetTop() > 0 {
			return L.Get(1)
		}
		return standard(n)(L)
	}
}

// unlessGiven is the standard file if there is no argument.
func unlessGiven(n int) func(*glua.LState) glua.LValue {
	return func(L *glua.LState) glua.LValue {
		if L.GetTop() > 0 {
			return glua.LNil
		}
		return standard(n)(L)
	}
}

// allLines is file:lines(), and io.lines().
func (h *Host) allLines(L *glua.LState, f *file) int { return h.linesOf(L, f, func() {}) }

// flushFile is file:flush(), and io.flush().
func (h *Host) flushFile(L *glua.LState, f *file) int { return h.did(L, h.use(L, f, f.flush)) }

// seekFile is file:seek([whence [, offset]]).
func (h *Host) seekFile(L *glua.LState, f *file) int {
	whence := map[string]int{"set": io.SeekStart, "cur": io.SeekCurrent, "end": io.SeekEnd}
	from, ok := whence[L.OptString(2, "cur")]
	if !ok {
		L.ArgError(2, `want "set", "cur" or "end", got `+L.CheckString(2))
	}
	offset, at := L.OptInt64(3, 0), int64(0)
	err := h.use(L, f, func() (err error) {
		if err = f.flush(); err == nil {
			err = f.settle()
		}
		if err == nil {
			at, err = f.disk.Seek(f.user, offset, from, fiber.Never)
		}
		return err
	})
	if err != nil {
		return failed(L, err.Error())
	}
	L.Push(glua.LNumber(at))
	return 1
}

// bufferFile is file:setvbuf(mode [, size]): what is written is written at once, unless mode
// is "full" or "line"; then when there is so much, and at a flush, a seek, a read and a close.
func (h *Host) bufferFile(L *glua.LState, f *file) int {
	const usual = 4096
	switch mode := L.CheckString(2); mode {
	case "no":
		f.most = 0
	case "full", "line":
		f.most = L.OptInt(3, usual)
	default:
		L.ArgError(2, `want "no", "full" or "line", got `+mode)
	}
	L.Push(glua.LTrue)
	return 1
}

// closeFile is file:close(), and io.close(). It wakes whoever waits for the file.
func (h *Host) closeFile(L *glua.LState, f *file) int {
	var err error
	if len(f.late) > 0 {
		defer func() { _ = f.close() }() // of a fiber that is stopped while it writes
		err = h.use(L, f, f.flush)
	}
	if closing := f.close(); err == nil {
		err = closing
	}
	if err == nil && f.process != nil {
		return h.closeProcess(L, f)
	}
	return h.did(L, err)
}

func (f *file) close() error {
	f.closed = true
	return f.disk.Close()
}

func fileName(L *glua.LState, f *file) int {
	L.Push(glua.LString(map[bool]string{false: "file", true: "file (closed)"}[f.closed]))
	return 1
}

func typeOfFile(L *glua.LState, f *file) int {
	L.Push(glua.LString(map[bool]string{false: "file", true: "closed file"}[f.closed]))
	return 1
}

// standardIs is io.input(file) (2) and io.output(file) (1).
func standardIs(n int) func(*glua.LState, *file) int {
	return func(L *glua.LState, _ *file) int {
		ud := L.Get(1)
		L.Get(glua.UpvalueIndex(1)).(*glua.LTable).RawSetInt(n, ud)
		L.Push(ud)
		return 1
	}
}
