package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// maxParens is how many parentheses a pattern may have. gopher-lua's parser of patterns recurses
// at each of them without a limit, so that a long pattern overflows the Go stack and ends the
// process. PUC Lua allows 32 captures.
const maxParens = 1000

// openPatterns makes the functions with a pattern refuse one with too many parentheses.
func (s *State) openPatterns() {
	for _, name := range []string{"find", "gmatch", "gsub", "match"} {
		fn := s.library(glua.StringLibName, name)
		native := fn.GFunction
		fn.GFunction = func(L *glua.LState) int {
			if pattern, ok := L.Get(2).(glua.LString); ok && strings.Count(string(pattern), "(") > maxParens {
				L.RaiseError("pattern has too many captures")
			}
			return native(L)
		}
	}
}

// maxRepeated is the most bytes of a string that the library makes. Go ends the process if there
// is no memory for one.
const maxRepeated = 1 << 28

// openRepeat makes string.rep refuse a result that is too long.
func (s *State) openRepeat() {
	fn := s.library(glua.StringLibName, "rep")
	native := fn.GFunction
	fn.GFunction = func(L *glua.LState) int {
		text, n := L.CheckString(1), glua.LVAsNumber(L.Get(2))
		switch {
		case float64(n)*float64(len(text)) > maxRepeated:
			L.RaiseError("resulting string too large")
		case L.Get(2).Type() == glua.LTNumber && (text == "" || n < 1 || n != n):
			L.Push(glua.LString("")) // also for numbers that no integer can hold
			return 1
		}
		return native(L)
	}
}
