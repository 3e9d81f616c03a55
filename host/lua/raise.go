package lua

import glua "github.com/yuin/gopher-lua"

// raise is Lua's error. gopher-lua's does not raise nil if the argument is absent, and takes level
// 2 for level 1. As in all errors of gopher-lua, a Go function counts as the Lua function that
// called it.
func (s *State) raise(L *glua.LState) int {
	value, level := L.Get(1), L.OptInt(2, 1)
	s.meter.ChargeStrings(L, L.GetTop())
	if level < 1 || level > 1 && !s.called(L, level) {
		L.Error(value, 0)
	}
	L.Error(value, level+1)
	return 0
}

// called returns whether the function at a level has a known caller. The function of a tail call
// and the first function of a coroutine have none.
func (s *State) called(L *glua.LState, level int) bool {
	s.meter.ChargeValues(min(level, s.config.MaxDepth))
	if _, ok := L.GetStack(level); !ok {
		return false
	}
	for i := 1; i < level; i++ {
		s.meter.ChargeValues(i)
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
