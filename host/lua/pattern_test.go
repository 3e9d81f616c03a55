package lua_test

import (
	"runtime"
	"strings"
	"testing"

	glua "github.com/yuin/gopher-lua"

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

// Each would take minutes, or all memory, if every match copied the whole string.
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
		is("aa", 0, "aa", "a", "b", -1) is("aa", 0, "aa", "a", "b", -1/0) is("bb", 2, "aa", "a", "b", 1/0) is("ba", 1, "aa", "a", "b", 1.5)
		is("bb", 2, "aa", "a", "b", nil) is("aa", 0, "aa", "a", "b", 0.5) is("aa", 0, "aa", "a", "b", 0/0) is("ba", 1, "aa", "a", "b", "1")
		is("77", 2, "aa", "a", 7) is("0.50.5", 2, "aa", "a", 0.5) is("ba", 1, "aa", "^a", "b") is("ab", 1, "aa", "a$", "b")
		for n = 1020, 3100, 13 do -- matches are found some at a time
			local s = ("ab"):rep(n)
			is(("<a>b"):rep(n), n, s, "a", "<%0>") is(("-"):rep(n), n, s, "ab", "-") is("-b" .. s:sub(3), 1, s, "^a", "-")
			is(("-a"):rep(n) .. "-", 2 * n + 1, s, "b?", {[""] = "-", b = ""}) is(("-"):rep(1024) .. s:sub(1025), 1024, s, ".", "-", 1024)
		end
		for what, value in pairs{["a table"] = {}, ["a boolean"] = true, ["a function"] = print} do
			for _, by in ipairs{{a = value}, function() return value end} do
				local ok, err = pcall(string.gsub, "a", "a", by)
				assert(not ok and err:find("invalid replacement value (" .. what .. ")", 1, true), err)
			end
		end
		for _, n in ipairs{-1, 0} do assert(not pcall(string.gsub, "a", "(", "x", n)) end
		for _, by in ipairs{false, print == nil} do assert(not pcall(string.gsub, "a", "a", by)) end
		assert(not pcall(string.gsub, "a", "a") and not pcall(string.gsub, "a", "a", "b", "x"))
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

func TestTheMatchesOfALongTextAreNotInMemoryAllAtOnce(t *testing.T) {
	state := lua.New(lua.Config{})
	defer state.Close()
	state.Base().SetGlobal("used", state.Base().NewFunction(func(L *glua.LState) int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		L.Push(glua.LNumber(m.HeapAlloc >> 20))
		return 1
	}))
	program, err := state.Load(strings.NewReader(`
		local s, n, most = ("x"):rep(2^19), 0, 0
		local before = used()
		s:gsub("", function() n = n + 1 if n % 2^17 == 1 then most = math.max(most, used()) end end)
		for _ in s:gmatch("") do n = n + 1 if n % 2^17 == 1 then most = math.max(most, used()) end end
		assert(n == 2 * (2^19 + 1) and most - before < 8, most .. " MB, before " .. before)`), "gsub.lua")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := state.Main().Run(&alone{}, program); err != nil {
		t.Fatal(err)
	}
}
