package starlark_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/host/starlark"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// files is a Config with a directory of modules, beside the program p.star.
func files(list map[string]string) (cfg starlark.Config) {
	fs := fstest.MapFS{}
	for name, text := range list {
		fs[name] = &fstest.MapFile{Data: []byte(text)}
	}
	cfg.Access.Dirs = []sandbox.Dir{{FS: fs, Guest: "/"}}
	return cfg
}

func TestLoad(t *testing.T) {
	for _, c := range []struct {
		name, source string
		files        map[string]string
		out, err     string
	}{
		{
			name: "relative to the file", source: `load("lib/a.star", "a"); print(a)`,
			files: map[string]string{"lib/a.star": `load("b.star", "b"); a = b + 1`, "lib/b.star": "b = 1"}, out: "2\n",
		},
		{
			name: "once", source: "load('a.star', 'x')\nload('b.star', y='x')\nprint(x, y)",
			files: map[string]string{"a.star": "print('a')\nload('c.star', 'c')\nx = c", "b.star": "load('./c.star', 'c')\nx = c", "c.star": "print('c')\nc = 3"}, out: "a\nc\n3 3\n",
		},
		{
			name: "frozen", source: "load('a.star', 'l')\nl.append(1)",
			files: map[string]string{"a.star": "l = []"}, err: "p.star:2:9: append: cannot append to frozen list",
		},
		{
			name: "an error has its line", source: "load('a.star', 'x')",
			files: map[string]string{"a.star": "\nx = 1 // 0"}, err: "a.star:2:7: floored division by zero",
		},
		{
			name: "an error of the text has its line", source: "load('a.star', 'x')",
			files: map[string]string{"a.star": "x ="}, err: "a.star:1:4: got end of file, want primary expression",
		},
		{
			name: "no such file", source: "load('a.star', 'x')", err: "p.star:1:1: cannot load a.star: open a.star: file does not exist",
		},
		{
			name: "a cycle in a fiber", source: "load('a.star', 'x')",
			files: map[string]string{"a.star": "\nload('b.star', 'x')", "b.star": "load('a.star', 'x')"},
			err:   "load cycle: a.star:2:1 loads b.star; b.star:1:1 loads a.star",
		},
		{
			name: "a cycle with the program", source: "load('a.star', 'x')",
			files: map[string]string{"a.star": "load('p.star', 'x')"},
			err:   "load cycle: p.star:1:1 loads a.star; a.star:1:1 loads p.star",
		},
		{
			name: "by a function", source: "def f(): return fiber.module('lib/a.star').x\nprint(fiber.spawn(f).join(), fiber.spawn(fiber.module, 'lib/a.star').join().x, dir(fiber.module('lib/a.star')))",
			files: map[string]string{"lib/a.star": "x, _y = 1, 2"}, out: "1 1 [\"x\"]\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, slice := range []int{1, 10_000} {
				cfg := files(c.files)
				cfg.Runtime.Budget = slice
				e := play(t, cfg, c.source)
				if c.err != "" {
					require.ErrorContains(t, e.err, c.err)
					continue
				}
				require.NoError(t, e.err)
				require.Equal(t, c.out, e.out)
			}
		})
	}
}

// Two fibers need a file that the other one executes.
func TestALoadCycleOfTwoFibersIsAnErrorWithItsLines(t *testing.T) {
	list := map[string]string{
		"a.star": "fiber.sleep(1)\nload('b.star', 'x')\nx = 1",
		"b.star": "fiber.sleep(1)\nload('a.star', 'x')\nx = 1",
	}
	e := play(t, files(list), `
def need(name):
    return fiber.module(name)
for t in [fiber.spawn(need, "a.star"), fiber.spawn(need, "b.star")]:
    print(t.outcome()[1])
`)
	require.NoError(t, e.err)
	require.Contains(t, e.out, "load cycle: a.star:2:1 loads b.star; b.star:2:1 loads a.star")
	require.Equal(t, 2, strings.Count(e.out, "load cycle: "), e.out)
}

// A fiber that is cancelled while it executes a file leaves it to the next one that needs it.
func TestAFileWhoseFiberIsCancelledIsExecutedByTheNext(t *testing.T) {
	e := play(t, files(map[string]string{"a.star": "print('a')\nfiber.sleep(5)\nx = 1", "bad.star": "print('bad')\nfail('no')"}), `
def need(name): return fiber.module(name).x
first, second = fiber.spawn(need, "a.star"), fiber.spawn(need, "a.star")
fiber.sleep(1)
first.cancel("enough")
print(first.outcome(), second.outcome(), fiber.now())
for t in [fiber.spawn(need, "bad.star"), fiber.spawn(need, "bad.star")]:
    print(t.outcome())
`)
	require.NoError(t, e.err)
	require.Equal(t, "a\na\n(None, \"cancelled: enough\") (1, None) 6.0\nbad\n"+strings.Repeat("(None, \"bad.star:2:5: fail: no\")\n", 2), e.out)
}

// A module that waits for a fiber which waits for the module is a deadlock, with the lines of both.
func TestAModuleThatWaitsForItsOwnLoadIsADeadlock(t *testing.T) {
	e := play(t, files(map[string]string{"a.star": "x = 1\nfiber.chan(name='never').recv()"}), `load("a.star", "x")`)
	var stuck *scheduler.DeadlockError
	require.ErrorAs(t, e.err, &stuck)
	require.ErrorContains(t, e.err, `at a.star:2 waits on chan "never"`)
}

// Each of 10,000 modules, which load each other in chains, is executed once, although many fibers need it at the same time.
func TestTenThousandModulesLoadConcurrently(t *testing.T) {
	modules, chain := 10_000, 10
	if invariants.On {
		modules = 500 // every step is checked against all fibers
	}
	list := map[string]string{}
	for i := range modules {
		text := fmt.Sprintf("executed(%d)\nfiber.sleep(0.001)\n", i)
		if i%chain > 0 {
			text += fmt.Sprintf("load('m%d.star', y='x')\nx = y + 1\n", i-1)
		} else {
			text += "x = 1\n"
		}
		list[fmt.Sprintf("m%d.star", i)] = text
	}
	cfg := files(list)
	cfg.Runtime.Budget = 7
	executed := make([]int, modules)
	cfg.Predeclared = gostar.StringDict{"executed": gostar.NewBuiltin("executed", func(_ *gostar.Thread, _ *gostar.Builtin, args gostar.Tuple, _ []gostar.Tuple) (gostar.Value, error) {
		i, err := gostar.AsInt32(args[0])
		executed[i]++
		return gostar.None, err
	})}
	e := play(t, cfg, fmt.Sprintf(`
def need(i):
    return fiber.module("m%%d.star" %% i).x == i %% %[2]d + 1
tasks = [fiber.spawn(need, i) for i in range(0, %[1]d, 3)] + [fiber.spawn(need, i) for i in range(%[1]d)]
print(all([t.join() for t in tasks]), len(tasks))
`, modules, chain))
	require.NoError(t, e.err)
	require.Equal(t, fmt.Sprintf("True %d\n", modules+(modules+2)/3), e.out)
	for i, n := range executed {
		require.Equal(t, 1, n, "m%d.star", i)
	}
}
