package assignments_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/lua/internal/assignments"
)

// state is what the program of the property has: the local variables a, b and c, of which b belongs to a
// function around, the global d, and a table t with the keys 0 to 2.
type state struct {
	vars  map[string]int
	table [3]int
}

// value is an expression and what it is worth.
type value struct {
	text string
	of   func(*state) int
}

var names = []string{"a", "b", "c", "d"}

func number(t *rapid.T, depth int) value {
	simple := rapid.Custom(func(t *rapid.T) value {
		if n := rapid.IntRange(0, 7).Draw(t, "n"); n > 3 {
			return value{fmt.Sprint(n), func(*state) int { return n }}
		}
		name := rapid.SampledFrom(names).Draw(t, "name")
		return value{name, func(s *state) int { return s.vars[name] }}
	}).Draw(t, "simple")
	if depth == 0 {
		return simple
	}
	switch rapid.IntRange(0, 4).Draw(t, "form") {
	case 0:
		x, y := number(t, depth-1), number(t, depth-1)
		return value{"(" + x.text + " + " + y.text + ")", func(s *state) int { return x.of(s) + y.of(s) }}
	case 1:
		x := number(t, depth-1)
		return value{"t[(" + x.text + ") % 3]", func(s *state) int { return s.table[x.of(s)%3] }}
	case 2:
		return value{"sum()", func(s *state) int { return s.vars["a"] + 2*s.vars["b"] + 3*s.vars["c"] + 5*s.table[0] }}
	case 3:
		x := number(t, depth-1)
		return value{"(" + x.text + " > 4 and 1 or 2)", func(s *state) int {
			if x.of(s) > 4 {
				return 1
			}
			return 2
		}}
	}
	return simple
}

// assignment is a statement with distinct targets: which of two assignments to one of them is last is not
// defined. It returns the text and what it does.
func assignment(t *rapid.T) (string, func(*state)) {
	targets := rapid.SliceOfNDistinct(rapid.SampledFrom(append([]string{"t"}, names...)), 1, 5, rapid.ID[string]).Draw(t, "targets")
	var left, right []string
	var key value
	var values []value
	for i, target := range targets {
		if target == "t" {
			key = number(t, 1)
			targets[i], target = "t", "t[("+key.text+") % 3]"
		}
		v := number(t, 2)
		left, right, values = append(left, target), append(right, v.text), append(values, v)
	}
	if rapid.Bool().Draw(t, "last call has the rest") {
		n := rapid.IntRange(0, len(right)-1).Draw(t, "single")
		right = append(right[:n], "three()")
		for i := n; i < len(values); i++ {
			worth := 10*(i-n) + 10
			if i-n > 2 {
				worth = 0
			}
			values[i] = value{"", func(*state) int { return worth }}
		}
	}
	return strings.Join(left, ", ") + " = " + strings.Join(right, ", "), func(s *state) {
		var results []int
		for _, v := range values {
			results = append(results, v.of(s))
		}
		at := 0
		if key.of != nil {
			at = key.of(s) % 3
		}
		for i, target := range targets {
			if target == "t" {
				s.table[at] = results[i]
			} else {
				s.vars[target] = results[i]
			}
		}
	}
}

const program = `local a, c, t, b = 1, 3, {[0] = 5, 6, 7}, 2
d = 4
local function sum() return a + 2*b + 3*c + 5*t[0] end
local function three() return 10, 20, 30 end
local function run()
  local a, c = a, c
  local function sum() return a + 2*b + 3*c + 5*t[0] end
  %s
  return table.concat({a or 0, b or 0, c or 0, d or 0, t[0] or 0, t[1] or 0, t[2] or 0}, " ")
end
return run()`

func result(t require.TestingT, source string, fix bool) string {
	chunk, err := parse.Parse(strings.NewReader(source), "p.lua")
	require.NoError(t, err)
	if fix {
		assignments.Fix(chunk)
	}
	proto, err := glua.Compile(chunk, "p.lua")
	require.NoError(t, err, source)
	L := glua.NewState()
	defer L.Close()
	L.Push(L.NewFunctionFromProto(proto))
	require.NoError(t, L.PCall(0, 1, nil), source)
	return L.ToString(-1)
}

func TestAllValuesAreEvaluatedBeforeTheFirstVariableChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &state{map[string]int{"a": 1, "b": 2, "c": 3, "d": 4}, [3]int{5, 6, 7}}
		text, do := assignment(t)
		do(s)
		want := fmt.Sprintf("%d %d %d %d %d %d %d", s.vars["a"], s.vars["b"], s.vars["c"], s.vars["d"], s.table[0], s.table[1], s.table[2])
		require.Equal(t, want, result(t, fmt.Sprintf(program, text), true), text)
	})
}

// The statement is in every kind of block, and in functions within expressions.
func TestAssignmentsAreCorrectedWhereverTheyAre(t *testing.T) {
	for _, around := range []string{
		"%s", "do %s end", "while true do %s break end", "repeat %s until true", "if true then %s end",
		"if nil then elseif true then %s end", "if nil then else %s end", "for _ = 1, 1 do %s end", "for _ in pairs{1} do %s end",
		"local function f() %s end f()", "function F() %s end F()", "local f = { g = function() %s end } f.g()",
		"(function() %s end)()", "(nil or function() %s end)()", "local _ = (function() %s end)()", "do local _ = -(function() %s return 1 end)() end",
		"local o = {f = function() %s end} o:f()", "t[1], t[2] = (function() %s end)(), 2",
	} {
		source := "local a, b, t = 1, 2, {} " + fmt.Sprintf(around, "local x, y = 1, 2 x, y = y, x a = x b = y") + " return a .. ' ' .. b"
		require.Equal(t, "2 1", result(t, source, true), around)
		require.Equal(t, "2 2", result(t, source, false), "gopher-lua compiles this correctly now: %s", around)
	}
}

func TestWhatTheCompilerGetsRightIsNotChanged(t *testing.T) {
	for _, statement := range []string{"a = b", "a, b = 1, 2", "a, b = a + 1, b + 1", "t[1], t[2] = t[2], t[1]", "a, b = sum()", "a, b = sum(b), 1"} {
		chunk, err := parse.Parse(strings.NewReader(statement), "p.lua")
		require.NoError(t, err)
		before := chunk[0]
		assignments.Fix(chunk)
		require.Same(t, before, chunk[0], statement)
	}
}
