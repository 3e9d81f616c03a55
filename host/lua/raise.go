package lua

import glua "github.com/yuin/gopher-lua"

// raise is error. gopher-lua's cannot raise nil without being told, and takes level 2
// for level 1. Like all of its errors, it counts a Go function as the Lua function that
// called it.
func raise(L *glua.LState) int {
	value, level := L.Get(1), L.OptInt(2, 1)
	if level < 1 || level > 1 && !called(L, level) {
		L.Error(value, 0)
	}
	L.Error(value, level+1)
	return 0
}

// called tells whether the function at a level is known: not that of a tail call, nor
// that of the first function of a coroutine.
func called(L *glua.LState, level int) bool {
	if _, ok := L.GetStack(level); !ok {
		return false
	}
	for i := 1; i < level; i++ {
		frame, ok := L.GetStack(i)
		if !ok {
			return false
		}
		_, _ = L.GetInfo("S", frame, glua.LNil)
		if frame.What == "tail" || frame.What == "main" {
			return false
		}
	}
	return true
}
