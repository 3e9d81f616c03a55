package starlark_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/starlark"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/wallclock"
)

type point struct{ X, Y int }

var errOut = errors.New("out of range")

// bindAll binds one function of each kind.
func bindAll(t *testing.T, h *starlark.Host) {
	for name, fn := range map[string]any{
		"add":     func(a, b int) int { return a + b },
		"join":    func(words ...string) string { return fmt.Sprint(words) },
		"mirror":  func(p point) point { return point{p.Y, p.X} },
		"both":    func() (int, string) { return 1, "x" },
		"nothing": func() {},
		"any":     func(v any) string { return fmt.Sprintf("%T %v", v, v) },
		"seconds": func(d time.Duration) time.Duration { return 2 * d },
		"at": func(list []float64, i int) (float64, error) {
			if i >= len(list) {
				return 0, errOut
			}
			return list[i], nil
		},
		"twice": func(f func(int) (int, error), n int) (int, error) {
			n, err := f(n)
			if err != nil {
				return 0, err
			}
			return f(n)
		},
		"panics":   func() { panic("oh") },
		"deadline": func(ctx context.Context) bool { return ctx.Err() == nil },
		"large":    func() uint64 { return 1<<64 - 1 },
	} {
		require.NoError(t, h.Bind("go."+name, bind.Must(bind.New(fn))), name)
	}
	require.NoError(t, h.Bind("block", bind.Must(bind.NewBlocking(func(n int) int { return n + 1 }))))
}

func TestBoundFunctions(t *testing.T) {
	for _, c := range []struct{ source, out, err string }{
		{"print(go.add(1, 2), go.add(1.0, 2))", "3 3\n", ""},
		{"go.add(1.5, 2)", "", "go.add: argument 1"},
		{"go.add(1)", "", "go.add: "},
		{"go.add(1, 2, 3)", "", "go.add: "},
		{"go.add(a=1, b=2)", "", "go.add: arguments pass by position"},
		{"go.add(1 << 70, 1)", "", "go.add: argument 1"},
		{"print(go.join(), go.join('a', 'b'))", "[] [a b]\n", ""},
		{"print(go.mirror({'x': 1, 'y': 2}), go.mirror(struct(x=3)))", "{\"x\": 2, \"y\": 1} {\"x\": 0, \"y\": 3}\n", ""},
		{"go.mirror({'z': 1})", "", "go.mirror: argument 1"},
		{"print(go.both(), go.nothing())", "(1, \"x\") None\n", ""},
		{"print(go.any(None), go.any([1, 'a']), go.any((True,)), go.any({'k': 1}))", "<nil> <nil> []interface {} [1 a] []interface {} [true] map[string]interface {} map[k:1]\n", ""},
		{"print(go.seconds(1.5), go.large())", "3.0 18446744073709551615\n", ""},
		{"print(go.at([1, 2], 1))\ngo.at([1], 1)", "2.0\n", "p.star:2:6: out of range"},
		{"print(go.twice(lambda n: n * 3, 2))", "18\n", ""},
		{"def f(n):\n fiber.sleep(1)\n return n + 1\nprint(go.twice(f, 0), fiber.now())", "2 2.0\n", ""},
		{"def f(n): fail('no')\ngo.twice(f, 0)", "", "fail: no"},
		{"go.panics()", "", "oh"},
		{"print(go.deadline(), block(41))", "True 42\n", ""},
		{"l = [1]\nl.append(l)\ngo.any(l)", "", "go.any: argument 1"},
		{"x = []\nfor i in range(40): x = [x, x]\ngo.any(x)", "", "go.any: argument 1"},
	} {
		t.Run(c.source, func(t *testing.T) {
			var out bytes.Buffer
			cfg := starlark.Config{}
			cfg.Access.Stdout = &out
			h, err := starlark.New(cfg)
			require.NoError(t, err)
			defer h.Close()
			bindAll(t, h)
			_, err = h.Run(t.Context(), "p.star", []byte(c.source))
			require.Equal(t, c.out, out.String())
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.err)
			}
			require.Equal(t, c.err == "p.star:2:6: out of range", errors.Is(err, errOut))
		})
	}
}

func TestNamesThatCannotBeBound(t *testing.T) {
	h, err := starlark.New(starlark.Config{Predeclared: gostar.StringDict{"mine": gostar.None}})
	require.NoError(t, err)
	defer h.Close()
	one := bind.Must(bind.New(func() int { return 1 }))
	for _, name := range []string{"", "a.", ".a", "a.b.c", "json", "json.x", "fiber.x", "mine", "mine.x", "print"} {
		require.ErrorAs(t, h.Bind(name, one), new(*bind.ValueError), name)
	}
	require.NoError(t, h.Bind("a.b", one))
	require.NoError(t, h.Bind("a.c", one))
	require.Error(t, h.Bind("a.b", one))
}

// A blocking function in real time lets other fibers run.
func TestABlockingFunctionBlocksItsFiberOnly(t *testing.T) {
	var out bytes.Buffer
	cfg := starlark.Config{}
	cfg.Access.Stdout, cfg.Runtime.Clock = &out, wallclock.New()
	h, err := starlark.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	release := make(chan struct{})
	require.NoError(t, h.Bind("wait", bind.Must(bind.NewBlocking(func() { <-release }))))
	require.NoError(t, h.Bind("release", bind.Must(bind.New(func() { close(release) }))))
	_, err = h.Run(t.Context(), "p.star", []byte("t = fiber.spawn(wait)\nfiber.yield_now()\nprint(t.done())\nrelease()\nprint(t.join())"))
	require.NoError(t, err)
	require.Equal(t, "False\nNone\n", out.String())
}

// Calls from Go, with quotas, errors and values of the engine.
func TestCalls(t *testing.T) {
	const source = "load('lib.star', 'n')\ndef echo(*args): return args\ndef make(): return lambda x: x + n\ndef bad(): return 1 // 0\ndef huge(): return 1 << 100\ndef wait(): fiber.chan().recv()\nx = 1"
	cfg := files(map[string]string{"lib.star": "n = 41"})
	program, err := starlark.Compile("p.star", []byte(source), cfg)
	require.NoError(t, err)
	cfg.Program = program
	h, err := starlark.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	ctx := t.Context()
	values, err := h.Call(ctx, "echo", nil, true, 1, 2.5, "s", []int{1}, map[string]int{"k": 1}, point{1, 2})
	require.NoError(t, err)
	require.Equal(t, []any{[]any{nil, true, 1.0, 2.5, "s", []any{1.0}, map[string]any{"k": 1.0}, map[string]any{"x": 1.0, "y": 2.0}}}, values)
	made, err := h.Call(ctx, "make")
	require.NoError(t, err)
	values, err = h.Call(ctx, made[0], 1)
	require.NoError(t, err)
	require.Equal(t, []any{42.0}, values)
	for name, want := range map[string]string{"bad": "floored division by zero", "huge": "int of more than 64 bits", "x": "not a function", "none": "no global"} {
		_, err = h.Call(ctx, name)
		if name == "huge" {
			require.NoError(t, err) // it is a value of the engine
			var n int
			err = h.CallInto(ctx, []any{&n}, name)
		}
		require.ErrorContains(t, err, want, name)
	}
	_, err = h.Call(ctx, 7)
	require.ErrorAs(t, err, new(*bind.ValueError))
	_, err = h.Call(ctx, "wait")
	require.ErrorContains(t, err, "p.star:6 waits on chan")
	_, err = h.Call(ctx, starlark.Limited{Func: "echo", Quota: quota.Limits{Steps: 1}}, 1)
	require.ErrorAs(t, err, new(*quota.Error))
	values, err = h.Call(ctx, "echo")
	require.NoError(t, err)
	require.Equal(t, []any{[]any{}}, values)
}
