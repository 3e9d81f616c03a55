package lua_test

import (
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/host/lua"
)

func TestAPatternOutOfAllProportionIsAnErrorAndNotACrash(t *testing.T) {
	state := lua.New(lua.Config{})
	defer state.Close()
	program, err := state.Load(strings.NewReader(`
		local huge = ("("):rep(3000000)
		local calls = {
			function() return ("a"):find(huge) end,
			function() return ("a"):match(huge) end,
			function() return ("a"):gsub(huge, "") end,
			function() return ("a"):gmatch(huge)() end,
		}
		for _, call in ipairs(calls) do
			local ok, err = pcall(call)
			assert(not ok and err:find("too many captures"), err)
		end
		assert(("(a)(b)"):gsub("%((%w)%)", "%1") == "ab")
		assert(select("#", ("x"):rep(20):match(("(.)"):rep(20))) == 20)`), "patterns.lua")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := state.Main().Run(&alone{}, program); err != nil {
		t.Fatal(err)
	}
}

func TestAStringThatIsTooLongIsAnErrorAndNotACrash(t *testing.T) {
	state := lua.New(lua.Config{})
	defer state.Close()
	program, err := state.Load(strings.NewReader(`
		for _, n in ipairs{2^29, 2^40, 2^62, 2^63, 2^100, 1/0} do
			local ok, err = pcall(string.rep, "xy", n)
			assert(not ok and err:find("resulting string too large"), err)
			assert((""):rep(n) == "")
		end
		for _, n in ipairs{0, -1, -2^63, -1/0, 0/0, 0.5} do
			assert(("x"):rep(n) == "")
		end
		assert(("xy"):rep(2.9) == "xyxy")
		assert(not pcall(string.rep, "x", "1e18"))
		local ok, err = pcall(string.rep, "x")
		assert(not ok and err:find("number expected, got nil"), err)`), "rep.lua")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := state.Main().Run(&alone{}, program); err != nil {
		t.Fatal(err)
	}
}
