package fibers

import (
	"io"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
)

// fileType is the name of gopher-lua's metatable of files.
const fileType = "FILE*"

// files changes the library io of gopher-lua so that its operations block their fiber only.
type files struct {
	*external
	processes *processes
	stdin     *glua.LUserData // io.stdin
}

// openIO changes the functions of io and of files in place. They handle the files that fibers
// have opened, and leave all others to gopher-lua. The others are io.stdout and io.stderr, which
// package lua has redirected, and with the access of the process what the host's own Lua code has opened.
func openIO(x *external, p *processes) *files {
	fs := &files{external: x, processes: p}
	p.files = fs
	L := fs.state.Base()
	lib, methods := L.GetGlobal("io"), L.GetTypeMetatable(fileType)
	fs.openInput(L.GetField(lib, "stdin"))
	for name, act := range map[string]func(*glua.LState, *file) int{
		"write": func(L *glua.LState, f *file) int { return fs.writeTo(L, f, 2) },
		"flush": fs.flushFile, "seek": fs.seekFile, "setvbuf": fs.bufferFile, "close": fs.closeFile, "__tostring": fileName,
	} {
		fs.redirect(L.GetField(methods, name), argument1, fs.fileOf, act)
	}
	fs.redirect(L.GetField(methods, "read"), argument1, fs.inputOf, func(L *glua.LState, f *file) int { return fs.readFrom(L, f, 2) })
	fs.redirect(L.GetField(methods, "lines"), argument1, fs.inputOf, fs.allLines)
	fs.redirect(L.GetField(lib, "read"), standard(2), fs.inputOf, func(L *glua.LState, f *file) int { return fs.readFrom(L, f, 1) })
	fs.redirect(L.GetField(lib, "lines"), unlessGiven(2), fs.inputOf, fs.allLines)
	fs.redirect(L.GetField(lib, "write"), standard(1), fs.fileOf, func(L *glua.LState, f *file) int { return fs.writeTo(L, f, 1) })
	fs.redirect(L.GetField(lib, "flush"), standard(1), fs.fileOf, fs.flushFile)
	fs.redirect(L.GetField(lib, "close"), givenOr(1), fs.fileOf, fs.closeFile)
	fs.redirect(L.GetField(lib, "type"), argument1, fs.fileOf, typeOfFile)
	fs.redirect(L.GetField(lib, "input"), argument1, fs.fileOf, standardIs(2))
	fs.redirect(L.GetField(lib, "output"), argument1, fs.fileOf, standardIs(1))
	fs.replaceOpening(lib)
	return fs
}

// redirect makes a function of gopher-lua call act if the value that it is about is one of our
// files.
func (fs *files) redirect(fn glua.LValue, about func(*glua.LState) glua.LValue, find func(*glua.LState, glua.LValue) *file, act func(*glua.LState, *file) int) {
	f := fn.(*glua.LFunction)
	native := f.GFunction
	f.GFunction = fs.state.PayingInSlice(func(L *glua.LState) int {
		if file := find(L, about(L)); file != nil {
			return act(L, file)
		}
		return native(L)
	})
}

func argument1(L *glua.LState) glua.LValue { return L.Get(1) }

// standard is the result of io.output() (1) or io.input() (2). The functions of io have both in
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
func (fs *files) allLines(L *glua.LState, f *file) int { return fs.linesOf(L, f, func() {}) }

// flushFile is file:flush(), and io.flush().
func (fs *files) flushFile(L *glua.LState, f *file) int { return did(L, fs.use(L, f, f.flush)) }

// seekFile is file:seek([whence [, offset]]).
func (fs *files) seekFile(L *glua.LState, f *file) int {
	whence := map[string]int{"set": io.SeekStart, "cur": io.SeekCurrent, "end": io.SeekEnd}
	from, ok := whence[L.OptString(2, "cur")]
	if !ok {
		L.ArgError(2, `want "set", "cur" or "end", got `+L.CheckString(2))
	}
	offset, at := L.OptInt64(3, 0), int64(0)
	if f.disk == nil {
		return failed(L, f.name()+": cannot seek")
	}
	err := fs.use(L, f, func() (err error) {
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
	return push(L, glua.LNumber(at))
}

// bufferFile is file:setvbuf(mode [, size]). Without it data is written to disk at once. In the
// modes "full" and "line" it is written when there is more than size, and at a flush, a seek, a
// read and a close.
func (fs *files) bufferFile(L *glua.LState, f *file) int {
	const usual = 4096
	switch mode := L.CheckString(2); mode {
	case "no":
		f.most = 0
	case "full", "line":
		f.most = L.OptInt(3, usual)
	default:
		L.ArgError(2, `want "no", "full" or "line", got `+mode)
	}
	return push(L, glua.LTrue)
}

// closeFile is file:close(), and io.close(). It wakes the fibers that wait for the file.
func (fs *files) closeFile(L *glua.LState, f *file) int {
	f.checkOpen(L)
	var err error
	if len(f.late) > 0 {
		defer func() { _ = f.close() }() // also if the fiber is interrupted while it writes
		err = fs.use(L, f, f.flush)
	}
	if closing := f.close(); err == nil {
		err = closing
	}
	if err == nil && f.process != nil {
		return fs.processes.closePipe(fs.begin(L), f.process)
	}
	return did(L, err)
}

func (f *file) close() error {
	f.closed = true
	if f.disk == nil {
		return nil // the reader belongs to the Config
	}
	return f.disk.Close()
}

func fileName(L *glua.LState, f *file) int {
	return push(L, glua.LString(map[bool]string{false: "file", true: "file (closed)"}[f.closed]))
}

func typeOfFile(L *glua.LState, f *file) int {
	return push(L, glua.LString(map[bool]string{false: "file", true: "closed file"}[f.closed]))
}

// standardIs is io.input(file) (2) and io.output(file) (1).
func standardIs(n int) func(*glua.LState, *file) int {
	return func(L *glua.LState, _ *file) int { return setStandard(L, n, L.Get(1)) }
}

func setStandard(L *glua.LState, n int, ud glua.LValue) int {
	L.Get(glua.UpvalueIndex(1)).(*glua.LTable).RawSetInt(n, ud)
	return push(L, ud)
}
