package levels_test

import (
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// words are all tokens of Lua, and more of those that join others.
var words = strings.Fields(`and break do else elseif end false for function if in local nil not or
	repeat return then true until while goto + - * / % ^ # == ~= <= >= < > = ( ) { } [ ] ; : , . .. ...
	:: x y 1 2.5 "s" [[l]] x x x ( ) ( ) , = = . function () (x) x. x= end end`)

// tokens are any tokens in any order.
func tokens() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "tokens"), " ")
	})
}

// altered are programs in which some tokens are changed, most of which are none.
func altered() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		program := strings.Fields(grammar().Draw(t, "program"))
		for n := rapid.IntRange(1, 3).Draw(t, "changes"); n > 0; n-- {
			i := rapid.IntRange(0, len(program)).Draw(t, "where")
			j := min(len(program), i+rapid.IntRange(0, 1).Draw(t, "gone"))
			come := rapid.SliceOfN(rapid.SampledFrom(words), 0, 2).Draw(t, "come")
			program = slices.Concat(program[:i], come, program[j:])
		}
		return strings.Join(program, rapid.SampledFrom([]string{" ", "\n", "--[==[]]\n]==]", ""}).Draw(t, "between"))
	})
}

// writer writes a program by the grammar. Each construct takes some of what it has left,
// so that programs end.
type writer struct {
	t    *rapid.T
	left int
	text strings.Builder
}

// grammar are programs with all constructs, in every place.
func grammar() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		w := &writer{t: t, left: rapid.IntRange(1, 60).Draw(t, "size")}
		w.block()
		return w.text.String()
	})
}

// write writes a pattern: E stands for an expression, P for what can be called, B for a
// block, the rest for itself.
func (w *writer) write(pattern string) {
	for _, word := range strings.Fields(pattern) {
		switch word {
		case "E":
			w.expression()
		case "P":
			w.callable()
		case "B":
			w.block()
		default:
			w.text.WriteString(word + " ")
		}
	}
}

func (w *writer) one(of ...string) {
	w.left--
	w.write(rapid.SampledFrom(of).Draw(w.t, "pattern"))
}

func (w *writer) block() {
	for n := rapid.IntRange(0, 3).Draw(w.t, "statements"); n > 0 && w.left > 0; n-- {
		w.one("x = E", "P . x , P [ E ] = E , E", "P ( )", "P ( E , E )", `P "s"`, "P : x { E }", "do B end", ";",
			"while E do B end", "repeat B until E", "if E then B end", "if E then B elseif E then B else B end",
			"if E then B elseif E then B elseif E then B end", "for x = E , E do B end",
			"for x , y in E , E do B end", "function x . y . z : m ( x , ... ) B end", "function x ( ) B end",
			"local function x ( x ) B end", "local x , y", "local x = E , E", "local x ( P ) ( E )", "goto x ( P ) ( )",
			":: x ::")
	}
	if rapid.IntRange(0, 4).Draw(w.t, "last") == 0 {
		w.one("return", "return E , E", "return E ;", "break")
	}
}

func (w *writer) expression() {
	if w.left <= 0 {
		w.one("x", "1", "nil", "...", `"s"`)
		return
	}
	w.one("E or E", "E and E", "E < E", "E .. E", "E + E", "E * E", "E ^ E", "not E", "- E", "# E", "P", "P", "( E )",
		"{ }", "{ E , E ; }", "{ x = E , [ E ] = E }", "function ( ) B end", "function ( x , ... ) B end", "true", "1")
}

func (w *writer) callable() {
	if w.left <= 0 {
		w.one("x", "( x )")
		return
	}
	w.one("x", "P . x", "P [ E ]", "P ( )", "P ( E )", `P "s"`, "P { E }", "P : x ( E , E )", "( E )")
}
