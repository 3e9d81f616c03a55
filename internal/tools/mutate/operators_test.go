package main

import (
	"slices"
	"strings"
	"testing"
)

// made are the mutants of one function's body, as "was → becomes".
func made(t *testing.T, head, body string) []string {
	t.Helper()
	found, err := mutants(&source{"p/f.go", []byte("package p\n\n" + head + " {\n" + body + "\n}\n")})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range found {
		texts = append(texts, m.Was+" → "+m.Becomes)
	}
	return texts
}

func TestEveryOperatorMakesItsMistakes(t *testing.T) {
	for _, c := range []struct {
		name, head, body string
		want             []string
	}{
		{"a statement is left out", "func f()", "g()", []string{"g() → "}},
		{"a comparison is wrong, or at its boundary", "func f()", "for a < b {}", []string{"for a < b {} → ", "for a < b {} → for a <= b {}", "for a < b {} → for a >= b {}"}},
		{"a condition is turned round", "func f()", "if a || g() {}", []string{"if a || g() {} → ", "if a || g() {} → if !(a || g()) {}", "if a || g() {} → if a && g() {}"}},
		{"a not is forgotten", "func f()", "if !a {}", []string{"if !a {} → ", "if !a {} → if a {}"}},
		{"arithmetic is another", "func f()", "a = b + c*d", []string{"a = b + c*d → ", "a = b + c*d → a = b - c*d", "a = b + c*d → a = b + c/d"}},
		{"bits are others", "func f()", "a |= b &^ c", []string{"a |= b &^ c → ", "a |= b &^ c → a &= b &^ c", "a |= b &^ c → a |= b & c"}},
		{"a constant is one off", "func f()", "g(7, 1)", []string{"g(7, 1) → ", "g(7, 1) → g(8, 1)", "g(7, 1) → g(7, 2)", "g(7, 1) → g(7, 0)"}},
		{"counting goes the other way", "func f()", "n++", []string{"n++ → ", "n++ → n--"}},
		{"truth is a lie", "func f()", "g(true)", []string{"g(true) → ", "g(true) → g(false)"}},
		{"a loop goes on", "func f()", "for { break }", []string{"for { break } → ", "for { break } → for { }"}},
		{"a result is nothing", "func f() (int, *T)", "return a, b", []string{"return a, b → return *new(int), *new(*T)"}},
		{"a truth that is returned is a lie", "func f() bool", "return g()", []string{"return g() → return !(g())"}},
		{"a case is taken where it is not meant", "func f()", "switch { case a: }", []string{"switch { case a: } → ", "switch { case a: } → switch { case !(a): }", "switch { case a: } → switch { }"}},
		{"of what only the checked build has, none", "func f()", "if invariants.On {\n\t\tg()\n\t}", nil},
		{"what is nothing already stays it", "func f() (T, error)", "return T{}, nil", nil},
	} {
		got := made(t, c.head, c.body)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestAFunctionOfSeveralStatementsReturnsAtOnce(t *testing.T) {
	got := made(t, "func (r *T[V]) f(n int) (int, error)", "g()\n\treturn n, nil")
	if want := "func (r *T[V]) f(n int) (int, error) { → func (r *T[V]) f(n int) (int, error) { return *new(int), *new(error)"; !slices.Contains(got, want) {
		t.Errorf("%q is not among\n%s", want, strings.Join(got, "\n"))
	}
}

func TestAMutantIsKnownWhereverItStands(t *testing.T) {
	const text = "package p\n\nfunc f() {\n\tg()\n\tg()\n}\n"
	before, err := mutants(&source{"p/f.go", []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	after, err := mutants(&source{"p/f.go", []byte(strings.Replace(text, "func f", "// A comment.\n\nfunc e() {}\n\nfunc f", 1))})
	if err != nil {
		t.Fatal(err)
	}
	keys := map[key]bool{}
	for i, m := range before {
		keys[m.key] = true
		if m.key != after[i].key {
			t.Errorf("%v is %v some lines below", m.key, after[i].key)
		}
	}
	if len(keys) != len(before) || len(keys) != 3 {
		t.Errorf("%d keys of %d mutants, want 3", len(keys), len(before))
	}
}

func TestAMutantIsTheFileButForTheMistake(t *testing.T) {
	s := &source{"p/f.go", []byte("package p\n\nfunc f(a, b int) bool { return a < b }\n")}
	found, err := mutants(s)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range found {
		texts = append(texts, strings.TrimSpace(strings.TrimPrefix(string(s.with(m)), "package p")))
	}
	if want := []string{"func f(a, b int) bool { return a <= b }", "func f(a, b int) bool { return a >= b }"}; !slices.Equal(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}

}

func TestALongStatementHasAShortName(t *testing.T) {
	long := strings.Repeat("word ", 100)
	a, b := brief(long+"a"), brief(long+"b")
	if len(a) > 150 || a == b {
		t.Errorf("%q and %q", a, b)
	}
}
