package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/pattern"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// openPatterns replaces the functions with a pattern. gopher-lua's match without a bound: a nested
// pattern takes years, and a long one overflows the Go stack.
func (s *State) openPatterns() {
	for name, fn := range map[string]glua.LGFunction{
		"find": s.find, "match": s.match, "gmatch": s.gmatch, "gfind": s.gmatch, "gsub": s.gsub,
	} {
		s.library(glua.StringLibName, name).GFunction = fn
	}
}

// The patterns of a State are kept while they are few and short.
const (
	keptPatterns = 32
	keptPattern  = 32 // bytes
)

// search begins to search for a pattern. It raises the errors of a bad pattern.
func (s *State) search(L *glua.LState, text, of string, from int) *pattern.Search {
	p, ok := s.patterns[of]
	if ok {
		s.Charge(int64(len(of))) // as much as Parse, so that the steps of a program do not depend on it
		return pattern.NewSearch(s.meter, p, text, from)
	}
	p, err := pattern.Parse(s.meter, of)
	if err != nil {
		L.RaiseError("%s", err.Error())
	}
	if len(of) <= keptPattern {
		if len(s.patterns) >= keptPatterns {
			clear(s.patterns)
		}
		s.patterns[of] = p
	}
	return pattern.NewSearch(s.meter, p, text, from)
}

// next finds the next match.
func next(L *glua.LState, found *pattern.Search) bool {
	ok, err := found.Next()
	if err != nil {
		L.RaiseError("%s", err.Error())
	}
	return ok
}

// captured is a capture of a match. If the pattern has no captures, the first is the whole match.
func captured(L *glua.LState, by *vm.Meter, m *pattern.Match, i int) glua.LValue {
	if i == 0 && len(m.Captures) == 0 {
		return glua.LString(by.Cut(m.Text[m.Start:m.End]))
	}
	if i >= len(m.Captures) {
		L.RaiseError("invalid capture index")
	}
	c := m.Captures[i]
	if c.Position {
		return glua.LNumber(c.Start + 1)
	}
	return glua.LString(by.Cut(m.Text[c.Start:c.End]))
}

// pushCaptures pushes all captures of a match, at least one.
func pushCaptures(L *glua.LState, by *vm.Meter, m *pattern.Match) int {
	n := max(1, len(m.Captures))
	for i := range n {
		L.Push(captured(L, by, m, i))
	}
	return n
}
