package lua

import glua "github.com/yuin/gopher-lua"

// openTables replaces the functions that take more than constant time for a long table, and those that
// take any key: they find and store distant integers in the hash part of the table; see package vm.
func (s *State) openTables() {
	for name, fn := range map[string]glua.LGFunction{
		"rawget": s.rawget, "rawset": s.rawset, "next": s.next, "unpack": s.unpack,
	} {
		s.library("_G", name).GFunction = fn
	}
	for name, fn := range map[string]glua.LGFunction{
		"concat": s.concat, "insert": s.insert, "remove": s.remove, "sort": s.sort, "getn": s.getn, "maxn": s.maxn,
	} {
		s.library(glua.TabLibName, name).GFunction = fn
	}
	s.library("_G", "pairs").Upvalues[0].Value().(*glua.LFunction).GFunction = s.nextPair
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
	s.meter.ChargeKey(key)
	s.Set(t, key, value)
	return 0
}

func (s *State) rawget(L *glua.LState) int {
	t, key := L.CheckTable(1), L.CheckAny(2)
	s.meter.ChargeKey(key)
	return push(L, s.Get(t, key))
}

// maxn is the largest positive number that is a key.
func (s *State) maxn(L *glua.LState) int {
	t, most := L.CheckTable(1), glua.LNumber(0)
	for k, _ := s.meter.Next(t, glua.LNil); k != glua.LNil; k, _ = s.meter.Next(t, k) {
		s.Charge(1)
		if n, ok := k.(glua.LNumber); ok {
			most = max(most, n)
		}
	}
	return push(L, most)
}

func (s *State) getn(L *glua.LState) int { return push(L, glua.LNumber(s.meter.Len(L.CheckTable(1)))) }

// next is Lua's next.
func (s *State) next(L *glua.LState) int {
	key, value := s.meter.Next(L.CheckTable(1), L.Get(2))
	if key == glua.LNil {
		return push(L, glua.LNil)
	}
	return push(L, key, value)
}

// nextPair is the iterator that pairs returns.
func (s *State) nextPair(L *glua.LState) int {
	key, value := s.meter.Next(L.CheckTable(1), L.Get(2))
	if key == glua.LNil {
		return 0
	}
	L.Push(key)
	L.Push(value)
	return 2
}

func (s *State) insert(L *glua.LState) int {
	t := L.CheckTable(1)
	switch L.GetTop() {
	case 1:
		L.RaiseError("wrong number of arguments")
	case 2:
		s.meter.Append(t, L.Get(2))
	default:
		s.meter.Insert(t, L.CheckInt(2), L.CheckAny(3))
	}
	return 0
}

func (s *State) remove(L *glua.LState) int {
	t, at := L.CheckTable(1), -1
	if L.GetTop() > 1 {
		at = L.CheckInt(2)
	}
	return push(L, s.meter.Remove(t, at))
}

func (s *State) sort(L *glua.LState) int {
	t := L.CheckTable(1)
	var by *glua.LFunction
	if L.GetTop() > 1 {
		by = L.CheckFunction(2)
	}
	s.meter.Sort(L, t, by)
	return 0
}
