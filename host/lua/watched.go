package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/internal/race"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// Watcher is Config.Watcher.
type Watcher = vm.Watcher

// CanWatch returns whether the accesses of programs can be reported (Config.Watcher). They cannot in a
// build with the tag purego, or with a version of gopher-lua that package vm does not know.
func CanWatch() bool { return vm.New(vm.Best, 1, nil).Watch(nil) }

// Preempt ends the time slice of the thread that executes, as at its end. It returns when the fiber
// executes again, or not at all.
func (s *State) Preempt() { s.poll() }

// NameOf is how the program calls a place that it accesses now.
func (s *State) NameOf(place any) string {
	if L := s.current.L; L != nil {
		return s.meter.NameOf(L, place)
	}
	return ""
}

// openWatched makes the functions that access tables report it.
func (s *State) openWatched() {
	for name, of := range map[string]accesses{
		"rawget": accessRawGet, "rawset": accessRawSet, "next": accessNext, "unpack": accessUnpack,
		"setmetatable": accessMetatable(race.Write), "getmetatable": accessMetatable(race.Read),
	} {
		s.reportsAccess(s.library("_G", name), of)
	}
	for name, of := range map[string]accesses{
		"concat": accessConcat, "insert": accessInsert, "remove": accessRemove, "sort": accessSort,
		"getn": accessLength, "maxn": accessKeys,
	} {
		s.reportsAccess(s.library(glua.TabLibName, name), of)
	}
	s.openWatchedRandom()
	s.reportsAccess(s.library("_G", "pairs").Upvalues[0].Value().(*glua.LFunction), accessNext)
	s.reportsAccess(s.library("_G", "ipairs").Upvalues[0].Value().(*glua.LFunction), accessElement)
}

// openWatchedRandom makes the functions of random numbers report that they share a sequence.
func (s *State) openWatchedRandom() {
	for _, name := range []string{"random", "randomseed"} {
		fn := s.library(glua.MathLibName, name)
		native := fn.GFunction
		fn.GFunction = func(L *glua.LState) int {
			if s.current.thread != s.idle && L != s.base {
				s.meter.Access(func(a *vm.Accesses) { a.Next(s) })
			}
			return native(L)
		}
	}
}

// accesses adds what a library function is about to do with the table that is its first argument.
type accesses func(a *vm.Accesses, L *glua.LState, t *glua.LTable)

func (s *State) reportsAccess(fn *glua.LFunction, of accesses) {
	native := fn.GFunction
	fn.GFunction = func(L *glua.LState) int {
		if t, ok := L.Get(1).(*glua.LTable); ok && s.current.thread != s.idle && L != s.base {
			s.meter.Access(func(a *vm.Accesses) { of(a, L, t) })
		}
		return native(L)
	}
}

func accessRawGet(a *vm.Accesses, L *glua.LState, t *glua.LTable) { a.Read(t, L.Get(2)) }

func accessRawSet(a *vm.Accesses, L *glua.LState, t *glua.LTable) { a.Write(t, L.Get(2), L.Get(3)) }

func accessKeys(a *vm.Accesses, _ *glua.LState, t *glua.LTable) { a.Keys(t) }

func accessLength(a *vm.Accesses, _ *glua.LState, t *glua.LTable) { a.Length(t) }

func accessMetatable(kind race.Kind) accesses {
	return func(a *vm.Accesses, _ *glua.LState, t *glua.LTable) { a.Metatable(t, kind) }
}

func accessNext(a *vm.Accesses, L *glua.LState, t *glua.LTable) {
	a.Keys(t)
	if key, _ := t.Next(L.Get(2)); key != glua.LNil {
		a.Read(t, key)
	}
}

// accessElement is a step of ipairs.
func accessElement(a *vm.Accesses, L *glua.LState, t *glua.LTable) {
	if i, ok := L.Get(2).(glua.LNumber); ok {
		a.Read(t, i+1)
	}
}

// elements are reads, or writes, of the elements from one to another that the table has.
func elements(a *vm.Accesses, t *glua.LTable, from, to int, write bool) {
	for i := max(from, 1); i <= min(to, t.Len()); i++ {
		if key := glua.LNumber(i); write {
			a.Write(t, key, glua.LTrue)
		} else {
			a.Read(t, key)
		}
	}
}

// given is an optional argument of a library function.
func given(L *glua.LState, n, otherwise int) int {
	if i, ok := L.Get(n).(glua.LNumber); ok {
		return int(i)
	}
	return otherwise
}

func accessUnpack(a *vm.Accesses, L *glua.LState, t *glua.LTable) {
	to := given(L, 3, -1)
	if to < 0 {
		to = a.Length(t)
	}
	elements(a, t, given(L, 2, 1), to, false)
}

func accessConcat(a *vm.Accesses, L *glua.LState, t *glua.LTable) {
	to := given(L, 4, -1)
	if to < 0 {
		to = a.Length(t)
	}
	elements(a, t, given(L, 3, 1), to, false)
}

func accessSort(a *vm.Accesses, _ *glua.LState, t *glua.LTable) {
	n := a.Length(t)
	elements(a, t, 1, n, true)
}

// accessInsert is table.insert, which moves the elements behind.
func accessInsert(a *vm.Accesses, L *glua.LState, t *glua.LTable) {
	n := a.Length(t)
	if L.GetTop() > 2 {
		elements(a, t, given(L, 2, n+1), n, true)
	}
	a.Write(t, glua.LNumber(n+1), glua.LTrue)
}

// accessRemove is table.remove, which moves the elements behind.
func accessRemove(a *vm.Accesses, L *glua.LState, t *glua.LTable) {
	n := a.Length(t)
	if n == 0 {
		return
	}
	elements(a, t, given(L, 2, n), n-1, true)
	a.Write(t, glua.LNumber(n), glua.LNil)
}
