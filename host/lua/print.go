package lua

import glua "github.com/yuin/gopher-lua"

// openPrint replaces print. Each call is one Write, also if the __tostring of an argument lets
// another fiber print. What comes before an argument that fails is written.
func (s *State) openPrint() {
	out := s.config.stdout()
	s.base.SetGlobal("print", s.base.NewFunction(func(L *glua.LState) int {
		var line []byte
		whole := false
		defer func() {
			if !whole {
				_, _ = out.Write(line)
			}
		}()
		top := L.GetTop()
		for i := 1; i <= top; i++ {
			if line = append(line, L.ToStringMeta(L.Get(i)).String()...); len(line) > maxString {
				line = nil
				tooLarge(L)
			}
			if i != top {
				line = append(line, '\t')
			}
		}
		whole = true
		if _, err := out.Write(append(line, '\n')); err != nil {
			L.RaiseError("print: %s", err.Error())
		}
		return 0
	}))
}
