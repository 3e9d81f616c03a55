package lua

import glua "github.com/yuin/gopher-lua"

// openMatching replaces string.gmatch by one that finds matches on demand. gopher-lua's finds all
// of them first, with sixty times the memory of the text and in one call that cannot be preempted,
// and its iterator works only in a for loop.
func (s *State) openMatching() {
	s.library(glua.StringLibName, "gmatch").GFunction = func(L *glua.LState) int {
		text := L.CheckString(1)
		found := newMatches(text, L.CheckString(2), batch)
		L.Push(L.NewFunction(func(L *glua.LState) int {
			m, ok := found.next(L)
			if !ok {
				return 0
			}
			L.Push(captured(L, text, m, 2))
			for i := 4; i < m.CaptureLength(); i += 2 {
				L.Push(captured(L, text, m, i))
			}
			return max(1, m.CaptureLength()/2-1)
		}))
		return 1
	}
}
