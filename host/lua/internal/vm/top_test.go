//go:build !purego

package vm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// A loop leaves the used part of the registry at its own registers. An instruction behind it that
// sets a higher one extends it, so that a call does not overwrite what it has set.
func TestAResultBehindALoopIsKept(t *testing.T) {
	for _, program := range []string{
		`local t, s = { "a", "b" }, "x" for i = 1, 2 do end return t[1] .. s .. ({ tostring(t[2]) })[1]`,
		`local t = { "a" } for i = 1, 2 do end local r = { t[1], tostring(1), t[1] .. t[1], tostring(2) } return table.concat(r)`,
		`local t = setmetatable({ "a" }, { __index = function(_, k) return "b" end }) for k in pairs({ 1 }) do end return t[1] .. t[2] .. (t[1] .. t[1]) .. t[3]`,
	} {
		base := glua.NewState()
		m := vm.New(vm.Best, 100, func() { panic("the slice ends") })
		m.Left = 1 << 40
		fn, err := base.LoadString(program)
		require.NoError(t, err)
		L, _ := base.NewThread()
		m.Attach(L)
		L.Push(fn)
		L.Call(0, 1)
		base.Push(fn)
		base.Call(0, 1)
		require.Equal(t, base.Get(-1), L.Get(-1), program)
		base.Close()
	}
}
