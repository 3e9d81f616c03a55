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
			if name == "find" || name == "match" {
				clampStart(L)
			}
			return native(L)
		}
	}
}

// clampStart moves the start of a search, argument 3, into the text or to its end. gopher-lua
// slices the text with it.
func clampStart(L *glua.LState) {
	end := glua.LNumber(len(glua.LVAsString(L.Get(1))) + 1)
	if start, ok := L.Get(3).(glua.LNumber); ok {
		switch {
		case start > end:
			L.Replace(3, end)
		case start < -end || start != start:
			L.Replace(3, glua.LNumber(1))
		}
	}
}
