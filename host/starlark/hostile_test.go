package starlark_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/starlark"
	"github.com/selvage-dev/selvage/quota"
)

// Programs that would take all time, memory or stack end with an error that names the cause.
func TestHostileProgramsEndWithAnErrorThatNamesTheCause(t *testing.T) {
	steps, memory := quota.Limits{Steps: 5_000_000}, quota.Limits{Memory: 1 << 24}
	both := quota.Limits{Steps: 5_000_000, Memory: 1 << 24}
	const passedSteps, passedMemory = "the quota is used up: steps", "the quota is used up: memory"
	for _, c := range []struct {
		name, source string
		limits       quota.Limits
		want         string
	}{
		{"infinite loop", "while True: pass", steps, passedSteps},
		{"loop in a fiber", "def f():\n while True: pass\nfiber.spawn(f).join()", steps, passedSteps},
		{"loop of builtins", "while True: sorted(range(1000))", steps, passedSteps},
		{"recursion", "def f(n): return f(n + 1) + 1\nf(0)", quota.Limits{}, "calls are nested too deeply"},
		{"mutual recursion", "def f(n): return g(n)\ndef g(n): return f(n)\nf(0)", quota.Limits{}, "calls are nested too deeply"},
		{"recursion in a fiber", "def f(n): return f(n + 1)\nfiber.spawn(f, 0).join()", quota.Limits{}, "calls are nested too deeply"},
		{"recursion by a builtin", "def f(n): return sorted([1], key=f)\nf(0)", quota.Limits{}, "calls are nested too deeply"},
		{"doubled text", "s = 'x'\nwhile True: s = s + s", memory, passedMemory},
		{"doubled text in place", "s = 'x'\nwhile True: s += s", memory, passedMemory},
		{"doubled element", "l = ['x']\nwhile True: l[0] += l[0]", memory, passedMemory},
		{"doubled text by steps", "s = 'x'\nwhile True: s = s + s", quota.Limits{Steps: 100_000}, passedSteps},
		{"repeated text", "s = 'x' * 1000000000", memory, passedMemory},
		{"repeated list", "s = [0] * 100000000", memory, passedMemory},
		{"repeated list in place", "s = [0]\ns *= 100000000", memory, passedMemory},
		{"doubled list", "l = [1]\nwhile True: l = l + l", memory, passedMemory},
		{"extended list", "l = [1]\nwhile True: l.extend(l + l)", memory, passedMemory},
		{"list += list", "l = [1]\nwhile True: l += list(l)", memory, passedMemory},
		{"format", "s = 'x'\nwhile True: s = '%s%s%s' % (s, s, s)", memory, passedMemory},
		{"str.format", "s = 'x'\nwhile True: s = '{0}{0}{0}'.format(s)", memory, passedMemory},
		{"join", "s = 'xy'\nwhile True: s = s.join([s] * 10)", memory, passedMemory},
		{"replace", "s = 'xx'\nwhile True: s = s.replace('x', s)", memory, passedMemory},
		{"method as a value", "s = 'xx'\nwhile True:\n f = s.replace\n s = f('x', s)", memory, passedMemory},
		{"getattr", "s = 'xx'\nwhile True: s = getattr(s, 'replace')('x', s)", memory, passedMemory},
		{"large integers", "n = 3\nwhile True: n = n * n", both, passedMemory},
		{"list of a range", "list(range(1000000000))", memory, passedMemory},
		{"set of a range", "set(range(1000000000))", memory, passedMemory},
		{"sorted range", "sorted(range(1000000000))", memory, passedMemory},
		{"zip of ranges", "zip(range(1000000000), range(1000000000))", memory, passedMemory},
		{"arguments of a range", "def f(*args): pass\nf(*range(1000000000))", memory, passedMemory},
		{"list of characters", "s = 'x' * 10000000\nlist(s.codepoints())", memory, passedMemory},
		{"digits", "n = int('9' * 10000000)", steps, passedSteps},
		{"text of a large integer", "n = 1 << 500\nfor i in range(14): n = n * n\nwhile True: str(n)", steps, passedSteps},
		{"comprehension", "[i for i in range(1000000000)]", steps, passedSteps},
		{"text of shared parts", "x = []\nfor i in range(60): x = [x, x]\nprint(x)", quota.Limits{}, "the text of a list has more than"},
		{"text of shared parts by str", "x = ()\nfor i in range(60): x = (x, [x])\nstr(x)", quota.Limits{}, "more than"},
		{"deep value printed", "x = []\nfor i in range(1000000): x = [x]\nprint(x)", quota.Limits{}, "nested more than 10000 levels deep"},
		{"deep value sent", "x = []\nfor i in range(1000000): x = [x]\nfiber.chan(1).send(x)", quota.Limits{}, "nested more than 10000 levels deep"},
		{"deep global", "x = []\nfor i in range(1000000): x = [x]", quota.Limits{}, "nested more than 10000 levels deep"},
		{"deep value as JSON", "x = []\nfor i in range(1000000): x = [x]\njson.encode(x)", quota.Limits{}, "nested more than 10000 levels deep"},
		{"deep JSON", "json.decode('[' * 10000000)", quota.Limits{}, "nested more than 10000 levels deep"},
		{"long text", "x = 1" + strings.Repeat("+1", 1<<19), quota.Limits{}, "want at most 1048576"},
		{"deep text", "x = " + strings.Repeat("[", 1<<19), quota.Limits{}, "excessive nesting"},
		{"deep sum", "x = 1" + strings.Repeat("+1", 1<<18) + "\nfail('done')", steps, "fail: done"},
		{"too many fibers", "def f(): fiber.sleep(1)\nwhile True: fiber.spawn(f)", quota.Limits{Fibers: 100}, "the quota is used up: fibers"},
		{"output", "while True: print('x' * 100)", quota.Limits{Output: 10_000}, "the quota is used up: output, limit 10000 bytes"},
		{"sleeps", "while True: fiber.sleep(1)", quota.Limits{Time: 1e12}, "the quota is used up: time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := play(t, starlark.Config{Quota: c.limits}, c.source)
			require.ErrorContains(t, e.err, c.want)
		})
	}
}

// Values that contain themselves are no error.
func TestCyclesArePrintedAndShared(t *testing.T) {
	e := play(t, starlark.Config{}, `
x = [1]
x.append(x)
d = {"x": x}
d["d"] = d
print(x, d)
ch = fiber.chan(1)
ch.send(d)
print(ch.recv()["x"][1][1][0], str(x))
`)
	require.NoError(t, e.err)
	require.Equal(t, "[1, [...]] {\"x\": [1, [...]], \"d\": {...}}\n1 [1, [...]]\n", e.out)
}
