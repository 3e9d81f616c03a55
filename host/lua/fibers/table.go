package fibers

import (
	"iter"
	"maps"
	"slices"

	glua "github.com/yuin/gopher-lua"
)

// functions are the functions of a library, or the methods of a type, by their names.
type functions = map[string]glua.LGFunction

// pairs iterates over a table in the order in which its keys were added. The order of
// LTable.ForEach differs between processes.
func pairs(t *glua.LTable) iter.Seq2[glua.LValue, glua.LValue] {
	return func(yield func(k, v glua.LValue) bool) {
		for k, v := t.Next(glua.LNil); k != glua.LNil; k, v = t.Next(k) {
			if !yield(k, v) {
				return
			}
		}
	}
}

// functionTable makes a table of functions. It adds them in the order of their names, so that a
// program that iterates over the table does the same in every run.
func functionTable(L *glua.LState, members functions) *glua.LTable {
	t := L.CreateTable(0, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		t.RawSetString(name, L.NewFunction(members[name]))
	}
	return t
}

// each calls pair for each entry of a table whose names and values are strings.
func each(L *glua.LState, what string, t *glua.LTable, pair func(name, value string)) {
	for name, value := range pairs(t) {
		if !glua.LVCanConvToString(name) || !glua.LVCanConvToString(value) {
			L.RaiseError("%s: names and values are strings, got [%s] = %s", what, word(name), word(value))
		}
		pair(name.String(), value.String())
	}
}
