package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// maxParens is how many parentheses a pattern may have. gopher-lua's reader of patterns
// calls itself at each, without a limit of its own, so that a long enough pattern takes
// all of Go's stack and kills the process. PUC Lua allows 32 captures.
const maxParens = 1000

// openPatterns has the functions that take a pattern refuse one that is out of all
// proportion.
func (s *State) openPatterns() {
	for _, name := range []string{"find", "gmatch", "gsub", "match"} {
		fn := s.library(glua.StringLibName, name)
		stock := fn.GFunction
		fn.GFunction = func(L *glua.LState) int {
			if pattern, ok := L.Get(2).(glua.LString); ok && strings.Count(string(pattern), "(") > maxParens {
				L.RaiseError("pattern has too many captures")
			}
			return stock(L)
		}
	}
}

// maxRepeated is how long a string string.rep makes. Go ends the process for one that there is no
// memory for.
const maxRepeated = 1 << 28

// openRepeat has string.rep refuse a result that is too long.
func (s *State) openRepeat() {
	fn := s.library(glua.StringLibName, "rep")
	stock := fn.GFunction
	fn.GFunction = func(L *glua.LState) int {
		text, n := L.CheckString(1), glua.LVAsNumber(L.Get(2))
		switch {
		case float64(n)*float64(len(text)) > maxRepeated:
			L.RaiseError("resulting string too large")
		case L.Get(2).Type() == glua.LTNumber && (text == "" || n < 1 || n != n):
			L.Push(glua.LString("")) // a number beyond the integers is not to become one
			return 1
		}
		return stock(L)
	}
}
