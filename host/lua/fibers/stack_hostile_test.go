//go:build !purego

package fibers

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/lua"
)

// shownValues are expressions, and the text that a stack has for their values.
var shownValues = []struct{ expression, want string }{
	{`setmetatable({ 1 }, { __tostring = bad, __index = bad, __name = bad, __len = bad, __call = bad, __metatable = bad })`, `{1}`},
	{`(function() local t = {} t.self = t t[1] = t t[t] = t return t end)()`, `{{{…}, self = {…}, [{…}] = {…}}, self = {{…}, self = {…}, [{…}] = {…}}, [{…}] = {{…}, self = {…}, [{…}] = {…}}}`},
	{`("x"):rep(1000000)`, `"` + strings.Repeat("x", frame.MaxText-3) + `"…`},
	{`("\255"):rep(1000)`, `"` + strings.Repeat(`\xff`, (frame.MaxText-3)/4) + `"…`},
	{`"a\0\n\226\130\172"`, `"a\x00\n€"`},
	{`{ ["\255"] = "\255", ["not a name"] = 1, [1.5] = 0/0, [true] = -1/0 }`, `{["\xff"] = "\xff", ["not a name"] = 1, [1.5] = NaN, [true] = -Inf}`},
	{`(function() local t = {} for i = 1, 100000 do t[i] = i end return t end)()`, `{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, …}`},
	{`(function() local t = {} for i = 1, 100000 do t["k" .. i] = i end for i = 1, 99999 do t["k" .. i] = nil end return t end)()`, `{…}`},
	{`(function() local t = {} t[100000] = 1 return t end)()`, `{[100000] = 1}`},
	{`(function() local t = { 1, 2 } t[2] = nil return t end)()`, `{1}`},
	{`newproxy(true)`, `userdata`},
	{`(function() local p = newproxy(true) getmetatable(p).__tostring = bad return p end)()`, `userdata`},
	{`coroutine.create(bad)`, `thread (suspended)`},
	{`print`, `function (anonymous)`},
	{`fiber.self()`, `task: f0.1`},
	{`{ {}, { {} }, { { 1 } } }`, `{{}, {{}}, {{…}}}`},
}

func TestAStackShowsHostileValuesAsShortText(t *testing.T) {
	for _, c := range shownValues {
		s := set(t, Config{})
		s.stacks()
		s.play("local function bad() error('called') end local v = " + c.expression + "\nshow(fiber.self())")
		printed := s.printed()
		value := printed[strings.Index(printed, " v=")+3:]
		require.Equal(t, c.want+"\n", value, c.expression)
		require.True(t, utf8.ValidString(value))
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSpace(value)), frame.MaxText)
	}
}

func TestTheStackOfADeepRecursionHasItsEnds(t *testing.T) {
	s := set(t, Config{})
	var calls []frame.Frame
	s.global("look", func(L *glua.LState) int {
		id, _ := s.rt().Scheduler().Current().Regular()
		calls = s.Stack(id, true)
		return 0
	})
	s.play("local function f(n) if n == 0 then look() else f(n - 1) end return n end\nf(5000)")
	require.Len(t, calls, frame.MaxFrames+1)
	require.Equal(t, "look", calls[0].Function)
	require.Equal(t, "f", calls[1].Function)
	require.Equal(t, "(4903 more calls)", calls[frame.MaxFrames/2].Function)
	require.Equal(t, "main chunk", calls[frame.MaxFrames].Function)
	require.Equal(t, []frame.Variable{{Name: "n", Value: "5000"}, {Name: "f", Value: "function <p.lua:1>"}}, calls[frame.MaxFrames-1].Locals)
	for _, c := range calls[:frame.MaxFrames/2] {
		require.LessOrEqual(t, len(c.Locals), 2)
	}
}

func TestAChunkMayHaveAnyName(t *testing.T) {
	s := set(t, Config{Lua: lua.Config{KeepSource: 1 << 20}})
	var calls []frame.Frame
	s.global("look", func(L *glua.LState) int {
		id, _ := s.rt().Scheduler().Current().Regular()
		calls = append(calls, s.Stack(id, true)[1])
		return 0
	})
	s.play(`loadstring("look()", ("\255"):rep(10000))() loadstring("look()", ("x"):rep(10000))() loadstring("look() return 1", "")()`)
	require.Equal(t, "�…", calls[0].File)
	require.Equal(t, strings.Repeat("x", frame.MaxText-1)+"…", calls[1].File)
	require.Equal(t, "main chunk", calls[2].Function)
}
