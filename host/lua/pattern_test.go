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
