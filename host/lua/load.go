package lua

import (
	"errors"
	"fmt"
	"io/fs"

	glua "github.com/yuin/gopher-lua"
)

// openLoad makes every function that loads source call this package's compile. The functions are
// changed in place. Apart from the sources that compile refuses, they do what gopher-lua's do,
// with the same messages.
func (s *State) openLoad() {
	for name, fn := range map[string]glua.LGFunction{
		"load": s.load, "loadstring": s.loadString, "loadfile": s.loadFile, "dofile": s.doFile,
	} {
		s.library("_G", name).GFunction = fn
	}
}

func (s *State) load(L *glua.LState) int {
	reader, chunk := L.CheckFunction(1), L.OptString(2, "?")
	source := s.meter.NewText(L, 0)
	for top := L.GetTop(); source.Len() <= s.config.MaxSource; {
		L.SetTop(top)
		L.Push(reader)
		L.Call(0, 1)
		piece := L.Get(-1)
		if piece == glua.LNil || piece == glua.LString("") {
			break
		}
		if !glua.LVCanConvToString(piece) {
			return failed(L, "reader function must return a string")
		}
		source.Add(piece.String())
	}
	return s.loaded(L, source.String(), chunk)
}

func (s *State) loadString(L *glua.LState) int {
	return s.loaded(L, L.CheckString(1), L.OptString(2, "<string>"))
}

func (s *State) loadFile(L *glua.LState) int {
	name, chunk := "", "<stdin>"
	if L.GetTop() > 0 {
		name = L.CheckString(1)
		chunk = name
	}
	source, err := s.config.Files.Read(L, name)
	if errors.Is(err, fs.ErrNotExist) {
		return failed(L, fmt.Sprintf("can not open file: %v", chunk))
	}
	if err != nil {
		return failed(L, err.Error())
	}
	return s.loaded(L, source, chunk)
}

// loaded compiles a source, and returns the function, or nil and a message.
func (s *State) loaded(L *glua.LState, source, chunk string) int {
	fn, err := s.compile(L, source, chunk)
	if err != nil {
		return failed(L, err.Error())
	}
	return push(L, fn)
}

func failed(L *glua.LState, message string) int {
	return push(L, glua.LNil, glua.LString(message))
}

func (s *State) doFile(L *glua.LState) int {
	path, top := L.ToString(1), L.GetTop()
	fn, err := s.compileFile(L, s.config.Files, path)
	if err != nil {
		L.Push(glua.LString(err.Error()))
		L.Panic(L)
	}
	L.Push(fn)
	L.Call(0, glua.MultRet)
	return L.GetTop() - top
}
