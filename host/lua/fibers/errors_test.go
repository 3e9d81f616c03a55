package fibers

import (
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

func TestAnUncaughtErrorKeepsItsValueAndTraceback(t *testing.T) {
	for name, value := range map[string]glua.LValue{
		`"text"`: glua.LString("p.lua:1: text"), `42`: glua.LNumber(42), `true`: glua.LTrue, `nil`: glua.LNil, `setmetatable({}, {__tostring = function() return "x" end})`: nil,
	} {
		s := set(t, Config{})
		var guest *GuestError
		require.ErrorAs(t, s.try(`local function fail() fiber.yield() error(`+name+`) end fail()`), &guest)
		if value != nil {
			require.Equal(t, value, guest.Value)
		} else {
			require.Equal(t, glua.LTTable, guest.Value.Type())
			require.Equal(t, "x", guest.Error())
		}
		require.Contains(t, guest.Traceback, "p.lua:1: in function 'fail'\n\tp.lua:1: in main chunk")
	}
}
