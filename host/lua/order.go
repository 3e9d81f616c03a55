package lua

import (
	"slices"
	"sync"

	glua "github.com/yuin/gopher-lua"
)

// gopher-lua fills the tables of its libraries from Go maps, and pairs gives the keys of a
// table in the order in which they came: another one in every process. A program that goes
// through a library is to see the same order in every run, so the keys are put there in
// order before the library is opened.

// library is one of Lua's own.
type library struct {
	name string
	open glua.LGFunction
}

// libraries are those of Lua 5.1, in the order in which they are opened. gopher-lua's channel
// library is not among them: it is no part of Lua 5.1, and a receive blocks every fiber.
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

// globals is where the functions of a library are: of the base library that is "".
func (l library) globals() string {
	if l.name == glua.BaseLibName {
		return ""
	}
	return l.name
}

// libraryKeys are the keys of each library's table, sorted: found out once, in a state that
// nobody uses, and not changed after that.
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
		table := state.G.Global
		if at := l.globals(); at != "" {
			table = state.NewTable()
			state.SetGlobal(at, table)
		}
		for _, key := range libraryKeys()[l.name] {
			if table.RawGetString(key) == glua.LNil {
				table.RawSetString(key, glua.LFalse) // until it is opened
			}
		}
		l.openIn(state)
	}
}
