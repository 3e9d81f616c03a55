package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/pattern"
)

// matches is the iterator of string.gmatch.
type matches struct {
	text, of string
	from     int             // where the next search begins
	idle     *pattern.Search // at that place; nil at first, and while a call uses it
}

// gmatch finds the matches, and the errors of the pattern, on demand. gopher-lua's finds all of them first, with sixty times the memory
// of the text, and its iterator works only in a for loop.
func (s *State) gmatch(L *glua.LState) int {
	m := &matches{text: L.CheckString(1), of: L.CheckString(2)}
	L.Push(L.NewClosure(func(L *glua.LState) int { return s.nextMatch(L, m) }, glua.LString(m.text), glua.LString(m.of)))
	return 1
}

// nextMatch is the iterator. Fibers may share it: one that is suspended in the middle of a search has the
// search to itself, and another begins a new one at the same place.
func (s *State) nextMatch(L *glua.LState, m *matches) int {
	found := m.idle
	if found == nil {
		found = s.search(L, m.text, m.of, m.from)
	}
	m.idle = nil
	ok := next(L, found)
	m.idle, m.from = found, found.From()
	if !ok {
		return 0
	}
	return pushCaptures(L, s.meter, &found.Match)
}
