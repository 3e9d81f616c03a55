package policy

import (
	"slices"
	"strings"
	"testing"
)

// canary is a text that a check must object to. A check that stays silent here has
// stopped looking.
type canary struct {
	name  string
	check check
	files map[string]string
	want  []string // a part of each finding; none: the check must stay silent
}

func TestEveryCheckSeesWhatItIsFor(t *testing.T) {
	for _, c := range slices.Concat(graphCanaries(), documentCanaries(), purityCanaries(), honestyCanaries(), citationCanaries(), wordCanaries(), machineCanaries(), excerptCanaries()) {
		t.Run(c.name, c.run)
	}
}

func (c canary) run(t *testing.T) {
	found := c.check(fixture(t, c.files))
	if len(found) != len(c.want) {
		t.Fatalf("found %v, want %d findings", found, len(c.want))
	}
	for i, f := range found {
		if !strings.Contains(f.String(), c.want[i]) {
			t.Errorf("found %q, want it to say %q", f, c.want[i])
		}
	}
}

func graphCanaries() []canary {
	ours := func(dir string) string { return "import _ \"" + module + "/" + dir + "\"" }
	return []canary{
		{"an import up the graph", importGraph, map[string]string{
			"fiber/a.go": "package fiber;" + ours("scheduler"),
		}, []string{"fiber imports scheduler"}},
		{"an import sideways", importGraph, map[string]string{
			"internal/ring/a.go": "package ring;" + ours("internal/slab"),
			"host/lua/a.go":      "package lua;" + ours("host/wasm"),
		}, []string{"host/lua imports host/wasm", "internal/ring imports internal/slab"}},
		{"a wait that knows the scheduler", importGraph, map[string]string{
			"wait/a.go": "package wait;" + ours("scheduler"),
		}, []string{"wait imports scheduler"}},
		{"what a row reaches", importGraph, map[string]string{
			"wait/a.go":       "package wait;" + ours("ioqueue"),
			"stackful/a.go":   "package stackful;" + ours("internal/ring") + ";" + ours("stackful/internal/coro"),
			"host/lua/a.go":   "package lua;" + ours("fiber") + ";" + ours("host/lua/internal/x") + `;import _ "example.com/x"`,
			"fiber/a_test.go": "package fiber;" + ours("scheduler") + `;import _ "example.com/x"`,
		}, nil},
		{"a package nobody placed", importGraph, map[string]string{"helpers/a.go": "package helpers"}, []string{"no row"}},
		{"a core package with a dependency", importGraph, map[string]string{
			"scope/a.go": `package scope; import _ "example.com/x"`,
		}, []string{"standard library"}},
		{"cgo outside host/native", importGraph, map[string]string{
			"host/native/a.go": `package native; import "C"`,
			"host/lua/a.go":    `package lua; import "C"`,
		}, []string{"host/lua uses cgo"}},
		{"a specification that calls the code", importGraph, map[string]string{
			"fiber/a.go":  "package fiber; type State int; const Dead State = 0; func New() {}",
			"spec/a.go":   "package spec;import \"" + module + "/fiber\"; var s fiber.State = fiber.Dead; func f() { fiber.New() }",
			"spec/x/a.go": "package x;import \"" + module + "/spec\"; func f() { spec.New() }",
		}, []string{"fiber.New is no type"}},
	}
}

func documentCanaries() []canary {
	long := "package p\n" + strings.Repeat("\n", maxLines)
	return []canary{
		{"a file with two ideas", fileSizes, map[string]string{"p/a.go": long, "p/b.go": strings.TrimSuffix(long, "\n"), "p/a_test.go": long},
			[]string{"401 lines"}},
		{"a package without introduction", packageDocs, map[string]string{
			"a/a.go": "package a", "b/doc.go": "package b", "c/doc.go": "// Package c is.\npackage c", "d/a.go": "// Package d is.\npackage d",
		}, []string{"a:", "b:", "d:"}},
		{"exported names without a word", identifierDocs, map[string]string{
			"p/a.go": "package p\ntype T int\nfunc (T) M() {}\nfunc F() {}\nconst (\n\tA = 1\n\tB = 2 // B is.\n)\nvar V int\ntype t int\nfunc (t) M() {}\n// G is.\nfunc G() {}\n",
		}, []string{"T has", "M has", "F has", "A has", "V has"}},
		{"core types nobody can try", typeExamples, map[string]string{
			"fiber/a.go": "package fiber\ntype A int\ntype B int\ntype C int\ntype d int\n",
			"fiber/a_test.go": "package fiber\nfunc ExampleA() {\n\t// Output: 1\n}\n" +
				"func ExampleB() {\n}\nfunc ExampleC_method() {\n\t// Output:\n}\n",
		}, []string{"type B"}},
		{"calls without an example", callExamples, map[string]string{
			"trampoline/a.go": "package trampoline\ntype T[X any] int\nfunc (*T[X]) A() {}\nfunc (T[X]) B() {}\nfunc (T[X]) C() {}\nfunc (T[X]) c() {}\nfunc F() {}\nfunc FG() {}\ntype U int\n",
			"trampoline/a_test.go": "package trampoline\nfunc ExampleT_A() {\n\t// Output: 1\n}\nfunc ExampleT_B_late() {\n\t// Output:\n}\n" +
				"func ExampleT_C() {\n}\nfunc ExampleFG() {\n\t// Output:\n}\n",
		}, []string{"type U", "T.C has no func ExampleT_C", "F has no func ExampleF"}},
		{"calls of listed types without an example", callExamples, map[string]string{
			"scheduler/a.go":      "package scheduler\ntype Core int\nfunc (Core) A() {}\nfunc (Core) B() {}\nfunc (Ops) Start() {}\nfunc (Ops) Other() {}\nfunc (Scheduler[T]) A() {}\nfunc Other() {}\n",
			"scheduler/a_test.go": "package scheduler\nfunc ExampleCore_A() {\n\t// Output: 1\n}\nfunc ExampleScheduler_A() {\n\t// Output: 1\n}\n",
		}, []string{"Core.B has", "Ops.Start has", "New is in the list", "Unwind.Context is in the list", "Unwind.Fail is in the list", "Unwind.Stop is in the list"}},
	}
}

func purityCanaries() []canary {
	return []canary{
		{"a core that looks at the world", purity, map[string]string{
			"wait/a.go":      `package wait; import ("net/http"; "os"; clock "time"; "math/rand/v2"; "fmt"); func f() { go f(); clock.Now(); rand.IntN(3); fmt.Println(); _ = fmt.Sprint(clock.Second, rand.New(nil)) }`,
			"wait/a_test.go": `package wait; import "os"; func g() { go g() }`,
			"reactor/a.go":   `package reactor; import "os"; func f() { go f() }`,
		}, []string{"net/http", "imports os", "goroutine", "time.Now", "rand/v2.IntN", "fmt.Println"}},
		{"state of a package", packageState, map[string]string{
			"scope/a.go": `package scope; import ("errors"; "sync"); var ErrA = errors.New("a"); var names = [...]string{"a"}; var _ error = ErrA
				var pool sync.Pool; var m = map[int]int{}; var table = [...]int{1}; func f() { table[0]++ }; func g() { names := 1; names = 2; _ = names }`,
			"scope/a_test.go":    `package scope; var golden = map[int]int{}`,
			"internal/ring/a.go": `package ring; var count int`,
			"cmd/x/a.go":         `package main; var flags int`,
		}, []string{"count", "pool", "variable m", "table is assigned"}},
		{"state written from another file", packageState, map[string]string{
			"scope/a.go": `package scope; var names = [...]string{"a"}`,
			"scope/b.go": `package scope; func f() { names[0] = "b" }`,
		}, []string{"names is assigned"}},
		{"goroutines without the race detector", raced, map[string]string{
			raceList:       "# reason\n./a/...\n./gone # b\n",
			"a/b/x.go":     "package b; func f() { go f() }",
			"c/x.go":       "package c",
			"c/x_test.go":  "package c; func f() { go f() }",
			"d/x.go":       `package d; import _ "sync/atomic"`,
			"quiet/one.go": "package quiet",
		}, []string{"starts a goroutine", "uses sync/atomic", "./gone matches no package"}},
	}
}

func honestyCanaries() []canary {
	return []canary{
		{"tests that wait for the wall clock", honestTests, map[string]string{
			"p/a_test.go": `package p; import "time"; func f(t T, at At) { time.Sleep(1); <-time.After(1); t.Skip(); at.After(2); t.Run() }`,
			"p/a.go":      `package p; import "time"; func f() { time.Sleep(1) }`,
		}, []string{"time.Sleep", "time.After", "skips"}},
		{"work put off", putOff, map[string]string{
			"p/a.go":          "package p\n\n// " + "TODO: think\nvar s = \"" + "TODO\"\n",
			"docs/a.md":       "FIX" + "ME",
			"docs/b.md":       "TODOS and fixmes are words",
			"spec/a.pml":      "/* XX" + "X */",
			".ci/run":         "# TO" + "DO",
			"testdata/a.md":   "TODO is what the test is about",
			"docs/figure.svg": "TODO",
		}, []string{"p/a.go", ".ci/run", "docs/a.md", "spec/a.pml"}},
	}
}
