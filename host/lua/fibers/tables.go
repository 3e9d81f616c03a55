package fibers

import (
	"iter"
	"maps"
	"slices"

	glua "github.com/yuin/gopher-lua"
)

// pairs goes through a table in its order, that of the keys' coming: LTable.ForEach has
// another one in every process.
func pairs(t *glua.LTable) iter.Seq2[glua.LValue, glua.LValue] {
	return func(yield func(k, v glua.LValue) bool) {
		for k, v := t.Next(glua.LNil); k != glua.LNil; k, v = t.Next(k) {
			if !yield(k, v) {
				return
			}
		}
	}
}

// functionTable is a table of functions. Its order, which pairs shows, is that of the names:
// a program that goes through it does the same in every run.
func functionTable(L *glua.LState, functions map[string]glua.LGFunction) *glua.LTable {
	t := L.NewTable()
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		t.RawSetString(name, L.NewFunction(functions[name]))
	}
	return t
}
