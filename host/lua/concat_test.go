package lua_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
)

func TestATableOfAnyLengthIsConcatenated(t *testing.T) {
	state := lua.New(lua.Config{})
	defer state.Close()
	program, err := state.Load(strings.NewReader(`
		local long = {}
		for i = 1, 2^20 do long[i] = "x" end
		assert(table.concat(long, "-") == ("x-"):rep(2^20 - 1) .. "x")
		local t = {1, "b", 2.5, [0] = "zero", [-1] = "minus"}
		for want, got in pairs{
			["1,b,2.5"] = table.concat(t, ","), ["1b2.5"] = table.concat(t), ["b,2.5"] = table.concat(t, ",", 2),
			["b"] = table.concat(t, ",", 2, 2), ["zero,1"] = table.concat(t, ",", 0, 1), ["minus,zero,1,b,2.5"] = table.concat(t, ",", -1),
			[""] = table.concat({}, ",") .. table.concat(t, ",", 4) .. table.concat(t, ",", 2, 1) .. table.concat(t, ",", 9, 3),
			["117b172.5"] = table.concat(t, 17, 1, nil),
		} do assert(got == want, got) end
		local function fails(words, ...)
			local ok, err = pcall(table.concat, ...)
			assert(not ok and err:find(words, 1, true), err)
		end
		fails("invalid value (nil) at index 4 in table for concat", t, "", 1, 4)
		fails("invalid value (nil) at index 4 in table for concat", t, "", 1, 2^30)
		fails("invalid value (table) at index 2 in table for concat", {1, {}})
		fails("invalid value (boolean) at index 1 in table for concat", {true})
		fails("table expected", "x") fails("string expected", t, {}) fails("number expected", t, "", {})
		local big = ("x"):rep(2^20)
		for i = 1, 2^10 do long[i] = big end
		fails("resulting string too large", long) fails("resulting string too large", t, ("x"):rep(2^28))`), "concat.lua")
	require.NoError(t, err)
	_, err = state.Main().Run(&alone{}, program)
	require.NoError(t, err)
}
