package lua

import glua "github.com/yuin/gopher-lua"

func (s *State) openPrint() {
	out := s.config.stdout()
	s.base.SetGlobal("print", s.base.NewFunction(func(L *glua.LState) int {
		var line []byte
		// One Write for the whole line: the __tostring of an argument may let another
		// fiber print, or fail.
		defer func() { _, _ = out.Write(line) }()
		top := L.GetTop()
		for i := 1; i <= top; i++ {
			line = append(line, L.ToStringMeta(L.Get(i)).String()...)
			if i != top {
				line = append(line, '\t')
			}
		}
		line = append(line, '\n')
		return 0
	}))
}
