package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// native are functions of gopher-lua that are replaced, and that their replacements call.
type native struct {
	resume, running, status, traceback glua.LGFunction
}

// openLibs opens the libraries of Lua 5.1, and replaces the functions that would behave
// differently from Lua 5.1 on a fiber.
func (s *State) openLibs() {
	openInOrder(s.base)
	s.native = native{
		resume:    s.library(glua.CoroutineLibName, "resume").GFunction,
		running:   s.library(glua.CoroutineLibName, "running").GFunction,
		status:    s.library(glua.CoroutineLibName, "status").GFunction,
		traceback: s.library(glua.DebugLibName, "traceback").GFunction,
	}
	s.base.SetGlobal("_printregs", glua.LNil) // gopher-lua's: it prints to the output of the process
	s.openLoad()
	s.openModules()
	s.openCoroutine()
	s.openProtected()
	s.openPatterns()
	s.openStrings()
	s.openTables()
	s.openClock()
	s.openRandom()
	s.openDates()
	s.openRanges()
	s.openPrint()
	s.openStreams()
	s.library(glua.DebugLibName, "traceback").GFunction = s.traceback
	s.openBase()
	s.openCosts()
	s.openMemory()
	if s.meter.Watched() {
		s.openWatched()
	}
}

// library returns a function of a library.
func (s *State) library(lib, name string) *glua.LFunction {
	return s.base.GetField(s.base.GetGlobal(lib), name).(*glua.LFunction)
}

// push pushes the results of a function, and returns their number.
func push(L *glua.LState, values ...glua.LValue) int {
	vm.Reserve(L, len(values))
	for _, v := range values {
		L.Push(v)
	}
	return len(values)
}

// move moves the last n values of a thread to another.
func move(from, to *glua.LState, n int) {
	vm.Reserve(to, n)
	from.XMoveTo(to, n)
}
