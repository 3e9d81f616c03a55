package lua

import (
	"io"

	glua "github.com/yuin/gopher-lua"
)

// fileClass is the name of gopher-lua's metatable of files.
const fileClass = "FILE*"

// streams maps file values to the Writers of the Config that replace them.
type streams map[*glua.LUserData]io.Writer

// openStreams redirects io.stdout and io.stderr to the Writers of the Config. A file of gopher-lua
// can only write to an *os.File. So the functions that write to a file, close it or set its
// buffer first check for such a stream. They are changed in place, and keep their identity and
// their upvalues.
func (s *State) openStreams() {
	lib := s.base.GetGlobal(glua.IoLibName)
	redirected := streams{}
	for name, w := range map[string]io.Writer{"stdout": s.config.Stdout, "stderr": s.config.Stderr} {
		if w != nil {
			redirected[s.base.GetField(lib, name).(*glua.LUserData)] = w
		}
	}
	if len(redirected) == 0 {
		return
	}
	methods := s.base.GetTypeMetatable(fileClass)
	redirected.patch(s.base.GetField(methods, "write"), fileArgument, 2, writeTo)
	redirected.patch(s.base.GetField(methods, "close"), fileArgument, 2, closeStream)
	redirected.patch(s.base.GetField(methods, "setvbuf"), fileArgument, 2, succeed)
	redirected.patch(s.base.GetField(methods, "flush"), fileArgument, 2, succeed)
	redirected.patch(s.base.GetField(methods, "seek"), fileArgument, 2, seekStream)
	redirected.patch(s.base.GetField(lib, "write"), defaultOutput, 1, writeTo)
	redirected.patch(s.base.GetField(lib, "flush"), defaultOutput, 1, succeed)
	redirected.patch(s.base.GetField(lib, "close"), fileOrDefault, 2, closeStream)
}

// patch makes fn call act if the file that find finds is redirected.
func (rs streams) patch(fn glua.LValue, find func(*glua.LState) glua.LValue, first int, act func(L *glua.LState, w io.Writer, first int) int) {
	f := fn.(*glua.LFunction)
	native := f.GFunction
	f.GFunction = func(L *glua.LState) int {
		if file, ok := find(L).(*glua.LUserData); ok {
			if w, ok := rs[file]; ok {
				return act(L, w, first)
			}
		}
		return native(L)
	}
}

func fileArgument(L *glua.LState) glua.LValue { return L.Get(1) }

// defaultOutput is the result of io.output(). The functions of io have it as the first entry of
// their first upvalue.
func defaultOutput(L *glua.LState) glua.LValue {
	if files, ok := L.Get(glua.UpvalueIndex(1)).(*glua.LTable); ok {
		return files.RawGetInt(1)
	}
	return glua.LNil
}

func fileOrDefault(L *glua.LState) glua.LValue {
	if L.GetTop() == 0 {
		return defaultOutput(L)
	}
	return L.Get(1)
}

func writeTo(L *glua.LState, w io.Writer, first int) int {
	top := L.GetTop()
	for i := first; i <= top; i++ {
		L.CheckTypes(i, glua.LTNumber, glua.LTString)
		if _, err := io.WriteString(w, glua.LVAsString(L.Get(i))); err != nil {
			return push(L, glua.LNil, glua.LString(err.Error()), glua.LNumber(1))
		}
	}
	return push(L, glua.LTrue)
}

func closeStream(L *glua.LState, _ io.Writer, _ int) int {
	return push(L, glua.LNil, glua.LString("cannot close standard file"))
}

// seekStream keeps the program from moving the position of a file of the process.
func seekStream(L *glua.LState, _ io.Writer, _ int) int {
	return push(L, glua.LNil, glua.LString("cannot seek a standard file"))
}

func succeed(L *glua.LState, _ io.Writer, _ int) int {
	return push(L, glua.LTrue)
}
