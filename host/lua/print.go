package lua

import (
	"io"

	glua "github.com/yuin/gopher-lua"
)

// openPrint replaces print. Each call is one Write, also if the __tostring of an argument lets
// another fiber print. What comes before an argument that fails is written.
func (s *State) openPrint() {
	out := s.config.stdout()
	s.base.SetGlobal("print", s.base.NewFunction(func(L *glua.LState) int {
		line, complete, whole := s.meter.NewText(L, 0), 0, false
		defer func() {
			if !whole {
				_, _ = out.Write([]byte(line.String()[:complete]))
			}
		}()
		top := L.GetTop()
		for i := 1; i <= top; i++ {
			text := L.ToStringMeta(L.Get(i)).String()
			if line.Len()+len(text) >= maxString {
				complete = 0
				tooLarge(L)
			}
			line.Add(text)
			if i == top {
				break
			}
			line.Add("\t")
			complete = line.Len()
		}
		line.Add("\n")
		whole = true
		if _, err := io.WriteString(out, line.String()); err != nil {
			L.RaiseError("print: %s", err.Error())
		}
		return 0
	}))
}
