package fibers

import glua "github.com/yuin/gopher-lua"

// paying makes functions pay for the bytes that they take and return, also in tables such as options,
// headers, answers and lists. Those of the library fiber pass values on, and copy none.
func (e *env) paying(library string, members functions) functions {
	if library != "fiber" {
		for name, fn := range members {
			members[name] = e.state.Paying(func(L *glua.LState) int {
				e.state.Charge(contents(L, L.GetTop()).steps())
				n := fn(L)
				results := contents(L, n)
				e.state.Charge(results.steps())
				e.state.Alloc(results.bytes) // strings that are results themselves count already
				return n
			})
		}
	}
	return members
}

// content is how much the tables among some values have.
type content struct{ entries, bytes int64 }

func (c content) steps() int64 { return c.entries/16 + c.bytes/256 }

// contents adds up the entries of the uppermost n values that are tables, and of the tables in them, and
// the bytes of the strings there.
func contents(L *glua.LState, n int) (c content) {
	for i := range n {
		if t, ok := L.Get(-1 - i).(*glua.LTable); ok {
			c.add(t, 2)
		}
	}
	return c
}

func (c *content) add(t *glua.LTable, levels int) {
	for k, v := range pairs(t) {
		c.entries++
		for _, part := range [...]glua.LValue{k, v} {
			switch part := part.(type) {
			case glua.LString:
				c.bytes += int64(len(part))
			case *glua.LTable:
				if levels > 1 {
					c.add(part, levels-1)
				}
			}
		}
	}
}
