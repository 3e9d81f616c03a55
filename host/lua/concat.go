package lua

import glua "github.com/yuin/gopher-lua"

// concat is table.concat. gopher-lua's first puts all values on the registry of the calls, which is too
// small for a long table.
func (s *State) concat(L *glua.LState) int {
	table, between := L.CheckTable(1), ""
	if L.Get(2) != glua.LNil {
		between = L.CheckString(2)
	}
	from := L.OptInt(3, 1)
	var to int
	if L.Get(4) == glua.LNil {
		to = s.meter.Len(table)
	} else {
		to = L.CheckInt(4)
	}
	out := s.meter.NewText(L, 0)
	defer out.Close()
	for i := from; i <= to; i++ {
		v := s.meter.Get(table, glua.LNumber(i))
		if !glua.LVCanConvToString(v) {
			L.RaiseError("invalid value (%s) at index %d in table for concat", v.Type(), i)
		}
		s.Charge(1)
		out.Add(v.String())
		if i == to {
			break // to may be the largest integer
		}
		out.Add(between)
	}
	return push(L, glua.LString(out.String()))
}
