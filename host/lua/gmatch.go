package lua

import glua "github.com/yuin/gopher-lua"

// openMatching has string.gmatch look for matches as they are asked for. gopher-lua's finds all of
// them before the first is seen, in sixty times the memory of the text and in one call that nothing
// interrupts, and its iterator cannot be called by itself.
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
