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

// Each takes minutes, or all memory, if every match has the whole string copied.
func TestManyMatchesAreReplacedInOneGo(t *testing.T) {
	state := lua.New(lua.Config{})
	defer state.Close()
	program, err := state.Load(strings.NewReader(`
		local s, big = ("x"):rep(2^20), ("y"):rep(2^10)
		for _, by in ipairs{"y", {x = "y"}, function() return "y" end} do
			local r, n = s:gsub("x", by)
			assert(r == ("y"):rep(2^20) and n == 2^20)
		end
		for _, by in ipairs{big, {x = big}, function() return big end} do
			local ok, err = pcall(string.gsub, s, "x", by)
			assert(not ok and err:find("resulting string too large"), err)
		end
		local function is(want, n, ...)
			local got, m = string.gsub(...)
			assert(got == want and m == n, got .. " " .. m)
		end
		is("", 0, "", "x", "y") is("-", 1, "", "", "-") is("-a-b-", 3, "ab", "", "-") is("abc", 0, "abc", "x", "y")
		is("xbxb", 2, "abab", "a", "x") is("xbab", 1, "abab", "a", "x", 1) is("abab", 0, "abab", "a", "x", 0)
		is("<a><b>", 2, "ab", "%w", "<%0>") is("<a><b>", 2, "ab", "%w", "<%1>") is("b=a", 1, "a=b", "(%w)=(%w)", "%2=%1")
		is("%%x%", 1, "a", "a", "%%%%x%") is("1,2,", 2, "ab", "()%w", "%1,") is("%qa", 1, "a", "a", "%q%0")
		is("AbA", 2, "aba", "a", {a = "A"}) is("aba", 3, "aba", ".", {}) is("a1", 2, "ab", "(.)", {b = 1, a = false})
		is("[b,a]", 1, "ab", "(.)(.)", function(x, y) return "[" .. y .. "," .. x .. "]" end)
		is("ab", 2, "ab", ".", function() end) is("1a2b", 2, "ab", "()", function(at) if at < 3 then return at end end, 2)
		for _, bad in ipairs{"%2", "%9"} do assert(not pcall(string.gsub, "a", "(a)", bad)) end
		assert(not pcall(string.gsub, "a", "a", true))
		assert(not pcall(string.gsub, "a", "(", "x"))`), "gsub.lua")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := state.Main().Run(&alone{}, program); err != nil {
		t.Fatal(err)
	}
}
