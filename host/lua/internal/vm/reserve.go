package vm

import glua "github.com/yuin/gopher-lua"

// MaxString is the most bytes of a string that a program makes.
const MaxString = 1 << 28

// Reserve makes room for n more values in the registry of L at once. If a Go function pushes each
// of many values without it, a small registry is copied once for every registryStep of them.
func Reserve(L *glua.LState, n int) {
	if n > registryStep {
		top := L.GetTop()
		L.SetTop(top + n)
		L.SetTop(top)
	}
}
