package lua

import (
	"slices"
	"sync"

	glua "github.com/yuin/gopher-lua"
)

// gopher-lua fills the tables of its libraries from Go maps, whose order differs between
// processes, and pairs returns the keys of a table in the order in which they were added. A
// program that iterates over a library must see the same order in every run. So the keys are
// added in order before the library is opened.

// library is one library of Lua.
type library struct {
	name string
	open glua.LGFunction
}

// libraries are the libraries of Lua 5.1, in the order in which they are opened. The library
// channel of gopher-lua is left out: Lua 5.1 does not have it, and its receive blocks all fibers.
func libraries() []library {
	return []library{
		{glua.LoadLibName, glua.OpenPackage},
		{glua.BaseLibName, glua.OpenBase},
		{glua.TabLibName, glua.OpenTable},
		{glua.IoLibName, glua.OpenIo},
		{glua.OsLibName, glua.OpenOs},
		{glua.StringLibName, glua.OpenString},
		{glua.MathLibName, glua.OpenMath},
		{glua.DebugLibName, glua.OpenDebug},
		{glua.CoroutineLibName, glua.OpenCoroutine},
	}
}

func (l library) openIn(state *glua.LState) {
	state.Push(state.NewFunction(l.open))
	state.Push(glua.LString(l.name))
	state.Call(1, 0)
}

// globals is the name of the table of a library; "" for the base library.
func (l library) globals() string {
	if l.name == glua.BaseLibName {
		return ""
	}
	return l.name
}

// libraryKeys are the sorted keys of each library's table. They are computed once, in a state of
// their own, and never change.
var libraryKeys = sync.OnceValue(func() map[string][]string {
	state := glua.NewState(glua.Options{SkipOpenLibs: true})
	defer state.Close()
	all := map[string][]string{}
	for _, l := range libraries() {
		l.openIn(state)
		all[l.name] = keysOf(l.table(state))
	}
	return all
})

func (l library) table(state *glua.LState) *glua.LTable {
	if at := l.globals(); at != "" {
		table, _ := state.GetGlobal(at).(*glua.LTable)
		return table
	}
	return state.G.Global
}

func keysOf(table *glua.LTable) (keys []string) {
	table.ForEach(func(k, _ glua.LValue) { keys = append(keys, k.String()) })
	slices.Sort(keys)
	return keys
}

// openInOrder opens the libraries so that the keys of each are sorted.
func openInOrder(state *glua.LState) {
	for _, l := range libraries() {
		table, keys := state.G.Global, libraryKeys()[l.name]
		if at := l.globals(); at != "" {
			table = state.CreateTable(0, len(keys))
			state.SetGlobal(at, table)
		}
		for _, key := range keys {
			if table.RawGetString(key) == glua.LNil {
				table.RawSetString(key, glua.LFalse) // a placeholder until the library is opened
			}
		}
		l.openIn(state)
		if l.name == glua.LoadLibName {
			replaceLarge(state, table)
		}
	}
}

// replaceLarge replaces tables for which gopher-lua has reserved 32 array and 32 hash entries, 2 kB
// each. They are still empty.
func replaceLarge(state *glua.LState, packages *glua.LTable) {
	loaded, registry := state.CreateTable(0, 0), state.Get(glua.RegistryIndex)
	state.SetField(packages, "preload", state.CreateTable(0, 0))
	state.SetField(packages, "loaded", loaded)
	state.SetField(registry, "_LOADED", loaded)
	state.SetField(registry, fileClass, state.CreateTable(0, 0))
}
