package lua_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
)

func TestMatchesAreFoundAsTheyAreAskedFor(t *testing.T) {
	state := lua.New(lua.Config{})
	defer state.Close()
	program, err := state.Load(strings.NewReader(`
		local function is(want, s, pattern)
			local got = {}
			for a, b in s:gmatch(pattern) do got[#got + 1] = tostring(a) .. (b and "=" .. tostring(b) or "") end
			got = table.concat(got, ",")
			assert(got == want, got)
		end
		is("a,b,c", "a b c", "%a") is("", "a b c", "%d") is("a=1,b=2", "a=1 b=2", "(%a)=(%d)") is("1,3", "a b", "()%a")
		is(",,", "ab", "") is("", "", "x") is("", "", "") is("a,,b,", "a,b", "%a?") is("ab", "ab", "^ab") is("a", "aa", "^a")
		for n = 1020, 3100, 13 do -- matches are found some at a time
			is(("ab,"):rep(n - 1) .. "ab", ("ab"):rep(n), "ab") is((",a"):rep(n):sub(2) .. ",", ("a"):rep(n), "a?")
		end
		local one = ("abc"):gmatch(".") -- by itself, and beyond the end
		assert(one() == "a" and one() == "b" and one() == "c" and one() == nil and one() == nil)
		local nested = {}
		for line in ("a b;c d"):gmatch("[^;]+") do
			for word in line:gmatch("%a") do nested[#nested + 1] = line .. word end
		end
		assert(table.concat(nested, ",") == "a ba,a bb,c dc,c dd")
		assert(not pcall(string.gmatch, "a") and not pcall(string.gmatch, {}, "a"))
		assert(not pcall(string.gmatch("a", "(")) and not pcall(string.gmatch("a", "[a")))
		assert(string.gmatch(12, "%d")() == "1")`), "gmatch.lua")
	require.NoError(t, err)
	_, err = state.Main().Run(&alone{}, program)
	require.NoError(t, err)
}
