package fibers

import (
	"maps"
	"slices"

	glua "github.com/yuin/gopher-lua"
)

// functionTable is a table of functions. Its order, which pairs shows, is that of the names:
// a program that goes through it does the same in every run.
func functionTable(L *glua.LState, functions map[string]glua.LGFunction) *glua.LTable {
	t := L.NewTable()
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		t.RawSetString(name, L.NewFunction(functions[name]))
	}
	return t
}
