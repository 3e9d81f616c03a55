package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// unpack and string.byte return any number of values. gopher-lua's push each value, so that a small
// registry is copied thousands of times.

func (s *State) unpack(L *glua.LState) int {
	table := L.CheckTable(1)
	from := L.OptInt(2, 1)
	var to int
	if L.Get(3) == glua.LNil {
		to = s.meter.Len(table)
	} else {
		to = L.CheckInt(3)
	}
	n := s.room(L, from, to)
	for i := range n {
		s.meter.Step()
		L.Push(s.meter.Get(table, glua.LNumber(from+i)))
	}
	return n
}

func (s *State) bytes(L *glua.LState) int {
	text := L.CheckString(1)
	from := position(L.OptInt(2, 1), len(text))
	to := position(L.OptInt(3, from), len(text))
	from, to = max(from, 1), min(to, len(text))
	n := s.room(L, from, to)
	for i := range n {
		s.meter.Step()
		L.Push(glua.LNumber(text[from-1+i]))
	}
	return n
}

// position is a position in a text of n bytes: a negative one counts from its end.
func position(at, n int) int {
	if at < 0 {
		return max(at, -n-1) + n + 1
	}
	return at
}

// room makes room for the values from one index to another, and returns how many they are.
func (s *State) room(L *glua.LState, from, to int) int {
	if from > to {
		return 0
	}
	if uint64(to)-uint64(from) >= uint64(s.config.MaxStack) {
		L.RaiseError("registry overflow")
	}
	n := to - from + 1
	vm.Reserve(L, n)
	return n
}
