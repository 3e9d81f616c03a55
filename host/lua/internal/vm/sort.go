package vm

import (
	"sort"

	glua "github.com/yuin/gopher-lua"
)

// Sort sorts the elements of a table up to its border with the algorithm of gopher-lua, and pays for
// each comparison and each exchange. by is a function that compares, or nil. The function, and other
// fibers while it compares, may change the table: an element that is not there any more is nil.
func (m *Meter) Sort(L *glua.LState, t *glua.LTable, by *glua.LFunction) {
	sort.Sort(&sorter{m, L, t, by, m.Len(t)})
}

type sorter struct {
	m  *Meter
	L  *glua.LState
	t  *glua.LTable
	by *glua.LFunction
	n  int
}

func (s *sorter) Len() int { return s.n }

func (s *sorter) Swap(i, j int) {
	s.m.Step()
	x, y := s.t.RawGetInt(i+1), s.t.RawGetInt(j+1)
	s.t.RawSetInt(i+1, y)
	s.t.RawSetInt(j+1, x)
}

func (s *sorter) Less(i, j int) bool {
	s.m.Step()
	x, y := s.t.RawGetInt(i+1), s.t.RawGetInt(j+1)
	if s.by == nil {
		return s.m.Less(s.L, x, y)
	}
	s.L.Push(s.by)
	s.L.Push(x)
	s.L.Push(y)
	s.L.Call(2, 1)
	less := glua.LVAsBool(s.L.Get(-1))
	s.L.Pop(1)
	return less
}

// Less is LState.LessThan, and pays for the bytes of strings.
func (m *Meter) Less(L *glua.LState, x, y glua.LValue) bool {
	if x, ok := x.(glua.LString); ok {
		if y, ok := y.(glua.LString); ok {
			return m.Compare(string(x), string(y)) < 0
		}
	}
	return L.LessThan(x, y)
}
