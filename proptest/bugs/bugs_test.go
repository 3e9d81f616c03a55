package bugs

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/internal/tools/trial"
	"github.com/stretchr/testify/require"
)

var only = flag.String("bug", "", "with -long=10: only bugs whose name contains this")

// limit is how long the tests of one bug may take, on a machine that is busy; those that
// are to hang are given less.
const limit, patience = 3 * time.Minute, 20 * time.Second

// Each bug is built and put before its tests, which must fail. That takes minutes and is
// done with -long=10 only.
func TestEveryBugIsCaught(t *testing.T) {
	if !long.Deep() {
		return
	}
	runner := trial.Runner{Root: root(t), Dir: t.TempDir()}
	all, caught, tried := All(), 0, 0
	for i, b := range all {
		if !strings.Contains(b.Name, *only) {
			continue
		}
		tried++
		t.Run(b.Name, func(t *testing.T) {
			texts, err := b.Make(runner.Root)
			require.NoError(t, err)
			want := trial.Found
			if runner.Limit = limit; b.Hangs {
				want, runner.Limit = trial.Hung, patience
			}
			r, err := runner.Try(context.Background(), texts, b.Tests)
			require.NoError(t, err)
			t.Logf("%d/%d %v after %.2f s by %v: %s", i+1, len(all), r.Outcome, r.Took.Seconds(), b.Tests, r.Finding)
			if r.Outcome != want {
				t.Fatalf("it %v, want that it is %v", r.Outcome, want)
			}
			caught++
		})
	}
	t.Logf("%d of %d bugs were caught", caught, tried)
	if tried == 0 {
		t.Fatalf("no bug is called anything like %q", *only)
	}
}

// The tests that a bug is put before must pass without it, or its death means nothing.
func TestTheTestsOfEveryBugPassOnTheRightSource(t *testing.T) {
	if !long.Deep() {
		return
	}
	runner, asked := trial.Runner{Root: root(t), Dir: t.TempDir(), Limit: limit}, map[trial.Tests]bool{}
	for _, b := range All() {
		if asked[b.Tests] || !strings.Contains(b.Name, *only) {
			continue
		}
		asked[b.Tests] = true
		r, err := runner.Try(context.Background(), nil, b.Tests)
		require.NoError(t, err)
		if r.Outcome != trial.Lives {
			t.Errorf("%v: the right source %v: %s", b.Tests, r.Outcome, r.Finding)
		}
	}
}

// A quick run checks only that each bug fits the source.
func TestEveryBugFitsTheSourceAndIsOtherCodeThatCompiles(t *testing.T) {
	dir := root(t)
	if !long.On(t) {
		for _, b := range All() {
			_, err := b.Make(dir)
			require.NoError(t, err)
		}
		return
	}
	compiler, err := trial.NewCompiler(dir, "./actor", "./blocking", "./wait", "./trampoline", "./island", "./host/lua/fibers", "./host/wasm/fibers", "./cmd/selvage")
	require.NoError(t, err)
	for _, b := range All() {
		texts, err := b.Make(dir)
		if err != nil {
			t.Error(err)
			continue
		}
		if err := compiler.Compiles(texts); err != nil {
			t.Errorf("%s does not compile: %v", b.Name, err)
		}
		if code(t, original(t, b)) == code(t, texts[b.File]) {
			t.Errorf("%s is the same code", b.Name)
		}
	}
}

func original(t *testing.T, b Bug) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(b.File)))
	require.NoError(t, err)
	return text
}

// code is a file without its comments.
func code(t *testing.T, text []byte) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, printer.Fprint(&out, fset, file))
	return out.String()
}

func TestThereIsABugForEveryPromise(t *testing.T) {
	promises := slices.Concat(Invariants(), Defects(), Limits(), Truths())
	broken, names := map[Promise]bool{}, map[string]bool{}
	for _, b := range All() {
		if names[b.Name] {
			t.Errorf("two bugs are called %q", b.Name)
		}
		names[b.Name] = true
		if len(b.Breaks) == 0 {
			t.Errorf("%s breaks no promise", b.Name)
		}
		for _, p := range b.Breaks {
			if !slices.Contains(promises, p) {
				t.Errorf("%s breaks %q, which nobody has promised", b.Name, p)
			}
			broken[p] = true
		}
	}
	for _, p := range promises {
		if !broken[p] {
			t.Errorf("no bug breaks %q", p)
		}
	}
	if len(names) < 50 {
		t.Errorf("there are %d bugs, want 50 or more", len(names))
	}
}

// The checks above must be able to fail.
func TestABugThatTheSourceHasLeftBehindIsNoticed(t *testing.T) {
	if !long.On(t) {
		return
	}
	dir, right := root(t), All()[0]
	for _, gone := range []string{"a text that is not there", "h."} {
		b := right
		b.Right = gone
		if _, err := b.Make(dir); err == nil {
			t.Errorf("%q was replaced", gone)
		}
	}
	compiler, err := trial.NewCompiler(dir, "./scheduler")
	require.NoError(t, err)
	b := right
	b.Wrong = "!h.waits() || nothing"
	texts, err := b.Make(dir)
	require.NoError(t, err)
	require.Error(t, compiler.Compiles(texts))
	b.Wrong = b.Right + " /* the same */"
	texts, err = b.Make(dir)
	require.NoError(t, err)
	require.NoError(t, compiler.Compiles(texts))
	require.Equal(t, code(t, original(t, b)), code(t, texts[b.File]))
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := trial.Root()
	require.NoError(t, err)
	return dir
}

func ExampleBug() {
	b := All()[0]
	fmt.Println(b.Name)
	fmt.Println(b.Breaks[0], b.File)
	// Output:
	// a ticket of another wait is good
	// I3 scheduler/deliver.go
}
