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
