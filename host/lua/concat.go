package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// openConcat replaces table.concat. gopher-lua's first puts all values on the registry of the
// calls, which is too small for a long table.
func (s *State) openConcat() {
	s.library(glua.TabLibName, "concat").GFunction = func(L *glua.LState) int {
		table, between := L.CheckTable(1), ""
		if L.Get(2) != glua.LNil {
			between = L.CheckString(2)
		}
		from, to := L.OptInt(3, 1), L.OptInt(4, table.Len())
		var b strings.Builder
		for i := from; i <= to; i++ {
			v := s.meter.Get(table, glua.LNumber(i))
			if !glua.LVCanConvToString(v) {
				L.RaiseError("invalid value (%s) at index %d in table for concat", v.Type(), i)
			}
			b.WriteString(v.String())
			if b.Len() > maxString {
				L.RaiseError("resulting string too large")
			}
			if i == to {
				break // to may be the largest integer
			}
			b.WriteString(between)
		}
		return push(L, glua.LString(b.String()))
	}
}
