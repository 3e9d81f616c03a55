package lua

import (
	"fmt"
	"sort"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// gopher-lua makes a line for each level, and walks the stack for each line, before it shows the
// first and last seven. For a recursion 20,000 deep that takes a second without a preemption. So
// long tracebacks are made here.
const (
	longTrace = 100 // levels
	traceEnds = 7   // lines at each end
)

func (s *State) isLong(L *glua.LState, level int) bool {
	_, long := L.GetStack(max(level, 0) + longTrace)
	return long && level >= 0 && s.guard != nil
}

// shortTrace is the traceback of a long stack, from a level on: the first and last lines.
func (s *State) shortTrace(L *glua.LState, level int) string {
	end := levelsOf(L)
	bottom := end - 1 - s.guard.TailCalls(L)
	lines := []string{"stack traceback:"}
	for i := range traceEnds {
		lines = append(lines, traceLine(L, level+i, bottom))
	}
	lines = append(lines, "\t...")
	for i := end - traceEnds + 1; i < end; i++ {
		lines = append(lines, traceLine(L, i, bottom))
	}
	return strings.Join(append(lines, "\t[G]: ?"), "\n")
}

// levelsOf is the number of levels of a thread, tail calls included.
func levelsOf(L *glua.LState) int {
	beyond := func(level int) bool {
		_, ok := L.GetStack(level)
		return !ok
	}
	end := 1
	for !beyond(end) {
		end *= 2
	}
	return sort.Search(end, beyond)
}

// traceLine is the line of a level. For the level of a tail call gopher-lua returns the bottom
// frame.
func traceLine(L *glua.LState, level, bottom int) string {
	frame, _ := L.GetStack(level)
	if lowest, _ := L.GetStack(bottom); level != bottom && *frame == *lowest {
		return "\t(tailcall): ?"
	}
	_, _ = L.GetInfo("Sn", frame, glua.LNil)
	name := frame.Name
	if level != bottom { // the name of the bottom is "main chunk" or similar
		if name[0] != '(' && name[0] != '<' {
			name = "'" + name + "'"
		}
		name = "function " + name
	}
	return fmt.Sprintf("\t%s in %s", L.Where(level), name)
}
