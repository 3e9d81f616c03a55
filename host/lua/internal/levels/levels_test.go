package levels_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua/internal/levels"
)

var programs = [...]struct {
	source string
	levels int
}{
	{"", 0},
	{"local a = 1; a, b = b, a", 0},
	{"a = b + c * d", 2},
	{"a = not not -b", 3},
	{"a = b .. c .. d == e and f", 4},
	{"a = b + c d = e + f g = 1", 1},
	{"a.b.c = d.e", 2},
	{"a = (((b)))", 3},
	{"a = (b + c) + d", 3},
	{"a = b + (c)", 2},
	{"a = {}", 1},
	{"a = {{1}, {{2}}, x = 3; [{4}] = 5}", 3},
	{"f()", 2},
	{"f{} f'x' f[[y]]", 2},
	{"f'x''y''z'", 3},
	{"f()()()", 4},
	{"f(g(h()))", 6},
	{"a:b():c():d()", 4},
	{"a[b][c] = d", 3},
	{"a[b[c]] = d", 4},
	{"do end do end", 1},
	{"do do end end", 2},
	{"while a + b do c = 1 end", 1},
	{"repeat a = b + c until d + e + f", 2},
	{"for i = 1, 2 do for k, v in pairs(t) do end end", 3},
	{"if a then b() elseif c then b() elseif d then b() else b() end", 5},
	{"if a then end if a then end", 1},
	{"function a.b.c:d(...) return 1 end", 4},
	{"local function f(x) return function() return x end end", 3},
	{"local x = a + b function f() end", 2},
	{"x = function() return a + b end y = 1", 2},
	{"x = 1 (f or g)() x = 2 (f or g)()", 3},
	{"local x (f)() goto x (f)()", 2},
	{"goto x f()() ::x:: f()()", 3},
	{"do end (f)() do end (f)()", 2},
	{"x = a + b + 1 (f)()", 2},
	{"local x, y (f)()", 2},
	{"f = ... (g)()", 2},
	{"return f(), -1", 2},
}

func TestEachConstructHasTheLevelsOfTheTable(t *testing.T) {
	for _, p := range programs {
		require.Equal(t, p.levels, levels.Count(p.source), p.source)
		require.Equal(t, p.levels, count(p.source), p.source)
	}
}

func TestTextAndCommentsHaveNoLevels(t *testing.T) {
	for _, source := range []string{
		"-- ((((\na = 1", "--[[ (((( ]] a = 1", "--[==[ ((((]] \n ]=] ]==] a = 1",
		`a = "(((("`, `a = '"((((\''`, "a = [[((((]]", "a = [=[((((]]]=]", `a = "\
((("`,
	} {
		require.Zero(t, levels.Count(source), source)
	}
}

// deep has as many levels as asked for, and line ends of all kinds.
func deep(n int) string { return "\n\r\n\r\n" + strings.Repeat("{", n) + strings.Repeat("}", n) }

func TestAProgramMayHaveAsManyLevelsAsTheLimitAndNoMore(t *testing.T) {
	require.NoError(t, levels.Check("return"+deep(levels.Max), "chunk"))
	err := levels.Check("return"+deep(levels.Max+1), "chunk")
	require.Equal(t, &levels.Error{Chunk: "chunk", Line: 4}, err)
	require.EqualError(t, err, "chunk:4: chunk has too many syntax levels")
}

func TestAProgramIsNotReadFurtherThanItTakes(t *testing.T) {
	for _, source := range []string{
		"return " + strings.Repeat("a .. b .. (", 5),
		"a = " + strings.Repeat("function() return not {", 4),
		strings.Repeat("if a then elseif b then ", 5),
		"f" + strings.Repeat("(a)", 8) + "(",
	} {
		require.True(t, levels.Exceeds(source, 9), source)
		require.False(t, levels.Exceeds(source, 40), source)
	}
	require.Equal(t, 1, levels.Check(strings.Repeat("(", levels.Max+1)+"\n\n", "").(*levels.Error).Line)
}

func TestWhatIsNoProgramIsLeftToTheParser(t *testing.T) {
	for _, source := range []string{"end end ) } ] until", ")((", "elseif elseif", "function function", `"`, "\\ ((((", "a = 1 2 'x' y"} {
		require.NoError(t, levels.Check(source, "chunk"), source)
	}
}
