package lua

import (
	"math"

	glua "github.com/yuin/gopher-lua"
)

// openTables makes the functions that take any key of a table find and store distant integers in
// the hash part of it; see package vm.
func (s *State) openTables() {
	s.library("_G", "rawget").GFunction = func(L *glua.LState) int {
		return push(L, s.Get(L.CheckTable(1), L.CheckAny(2)))
	}
	s.library("_G", "rawset").GFunction = s.rawset
	insert := s.library(glua.TabLibName, "insert")
	native := insert.GFunction
	insert.GFunction = func(L *glua.LState) int {
		t := L.CheckTable(1)
		if at, ok := L.Get(2).(glua.LNumber); ok && L.GetTop() > 2 {
			if s.meter.Inserted(t, glua.LNumber(math.Trunc(float64(at))), L.Get(3)) {
				return 0
			}
		}
		n := native(L)
		s.meter.Appended(t)
		return n
	}
	s.library(glua.TabLibName, "maxn").GFunction = maxn
}

// Get is LTable.RawGet, and also finds the integer keys of programs that are far behind the end of
// the array part of the table. LTable.Next finds all keys.
func (s *State) Get(t *glua.LTable, key glua.LValue) glua.LValue { return s.meter.Get(t, key) }

// Set is LTable.RawSet, and stores an integer that is far behind the end of the array part in the
// hash part, as an assignment of a program does. RawSet allocates the array up to it.
func (s *State) Set(t *glua.LTable, key, value glua.LValue) { s.meter.Set(t, key, value) }

func (s *State) rawset(L *glua.LState) int {
	t, key, value := L.CheckTable(1), L.CheckAny(2), L.CheckAny(3)
	if n, ok := key.(glua.LNumber); key == glua.LNil || ok && n != n {
		L.RawSet(t, key, value) // which raises the error
	}
	s.Set(t, key, value)
	return 0
}

// maxn is the largest positive number that is a key.
func maxn(L *glua.LState) int {
	most := glua.LNumber(0)
	L.CheckTable(1).ForEach(func(k, _ glua.LValue) {
		if n, ok := k.(glua.LNumber); ok {
			most = max(most, n)
		}
	})
	return push(L, most)
}
