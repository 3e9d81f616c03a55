package lua

import glua "github.com/yuin/gopher-lua"

// stock are the functions of gopher-lua that are replaced and still used.
type stock struct {
	resume, running, status, traceback glua.LGFunction
}

// openLibs opens the libraries of Lua 5.1 and puts this package's functions in the place
// of those that would show that the program is hosted.
func (s *State) openLibs() {
	openInOrder(s.base)
	s.stock = stock{
		resume:    s.library(glua.CoroutineLibName, "resume").GFunction,
		running:   s.library(glua.CoroutineLibName, "running").GFunction,
		status:    s.library(glua.CoroutineLibName, "status").GFunction,
		traceback: s.library(glua.DebugLibName, "traceback").GFunction,
	}
	s.openLoad()
	s.openCoroutine()
	s.openProtected()
	s.library("_G", "error").GFunction = raise
	s.openReplace()
	s.openMatching()
	s.openConcat()
	s.openPatterns()
	s.openRepeat()
	s.openPrint()
	s.openStreams()
	s.library(glua.DebugLibName, "traceback").GFunction = s.traceback
}

// library is a function of a library, as gopher-lua made it.
func (s *State) library(lib, name string) *glua.LFunction {
	return s.base.GetField(s.base.GetGlobal(lib), name).(*glua.LFunction)
}
