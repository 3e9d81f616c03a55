package starlark_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/host/starlark"
	"github.com/selvage-dev/selvage/scheduler"
)

// Each program prints what stands below it, at every length of a slice; or it ends with the error.
func TestTheLibrary(t *testing.T) {
	for _, c := range []struct{ name, source, out, err string }{
		{"spawn and join", "def f(a, b): return [a, b]\nt = fiber.spawn(f, 1, 2)\nprint(t.join(), t.join(), t.done())", "[1, 2] [1, 2] True\n", ""},
		{"join times out", "t = fiber.spawn(lambda: fiber.sleep(9))\nprint(t.join(timeout=1), bool(t.join(timeout=1)), fiber.now(), t.join())", "fiber.TIMEOUT False 2.0 None\n", ""},
		{"join of a failure", "def f(): fail('no')\nfiber.spawn(f, name='worker').join()", "", "p.star:2:35: fiber worker: p.star:1:14: fail: no"},
		{"outcome", "def f(n): return 1 // n\nprint(fiber.spawn(f, 1).outcome(), fiber.spawn(f, 0).outcome())", "(1, None) (None, \"p.star:1:20: floored division by zero\")\n", ""},
		{"names", "t = fiber.spawn(lambda: fiber.self().name())\nprint(t.name(), t.join(), fiber.self().name(), fiber.spawn(len, 'x', name='n').name())", "p.star:1 p.star:1 main n\n", ""},
		{"self is equal", "t = fiber.spawn(lambda: fiber.self())\nc = fiber.chan()\nprint(t.join() == t, t != t, t == fiber.self(), {t: 1}[t.join()], c == c, c == fiber.chan(), [c].index(c))", "True False False 1 True False 0\n", ""},
		{"cancel", "def f():\n while True: pass\nt = fiber.spawn(f)\nt.cancel('enough')\nprint(t.outcome())", "(None, \"cancelled: enough\")\n", ""},
		{"cancel of a wait", "t = fiber.spawn(lambda: fiber.sleep(9))\nfiber.yield_now()\nt.cancel()\nprint(t.outcome(), fiber.now())", "(None, \"cancelled: cancelled\") 0.0\n", ""},
		{"channel", "ch = fiber.chan(1)\nprint(ch.send(1), ch.try_send(2), ch.send(2, timeout=1), ch.recv(), ch.try_recv(), ch.recv(timeout=1), ch.cap())", "True False fiber.TIMEOUT 1 fiber.EMPTY fiber.TIMEOUT 1\n", ""},
		{"closed channel", "ch = fiber.chan(1)\nch.send(None)\nch.close()\nprint(ch.recv(), ch.recv(), ch.try_recv(), [v for v in ch])\nch.send(1)", "None fiber.CLOSED fiber.CLOSED []\n", "the channel is closed"},
		{"loop over a channel", "def f(ch):\n for i in range(3):\n  fiber.sleep(1)\n  ch.send(i)\n ch.close()\nch = fiber.chan()\nfiber.spawn(f, ch)\nfor v in ch: print(v, fiber.now())", "0 1.0\n1 2.0\n2 3.0\n", ""},
		{"list of a channel", "ch = fiber.chan(3)\nch.send(3)\nch.send(1)\nch.close()\nprint(sorted(ch))", "[1, 3]\n", ""},
		{"select", "a, b = fiber.chan(), fiber.chan(1)\nprint(fiber.select([(a, 'recv'), (b, 'send', 7)]), fiber.select([(a, 'recv'), (b, 'recv')]), fiber.select([(a, 'recv')], timeout=1), fiber.select([(a, 'recv')], default=True), fiber.select([(None, 'recv'), (fiber.spawn(lambda: 5), 'join')]))",
			"(1, None) (1, 7) (fiber.TIMEOUT, None) (fiber.EMPTY, None) (1, (5, None))\n", ""},
		{"select of a failure", "def f(): fail('no')\nprint(fiber.select([(fiber.spawn(f), 'join')]))", "(0, (None, \"p.star:1:14: fail: no\"))\n", ""},
		{"select without sense", "fiber.select([(1, 'recv')])", "", "select: case 0: cannot \"recv\" on a int"},
		{"mutex", "m = fiber.mutex()\ndef f(i):\n m.lock()\n fiber.sleep(1)\n m.unlock()\n return fiber.now()\nts = [fiber.spawn(f, i) for i in range(3)]\nprint([t.join() for t in ts], m.try_lock(), m.hold)", "[1.0, 2.0, 3.0] True <built-in function hold>\n", ""},
		{"hold", "m = fiber.mutex()\nprint(m.hold(lambda a: a + 1, 1), m.try_lock())", "2 True\n", ""},
		{"lock times out", "m = fiber.mutex()\nm.lock()\nprint(fiber.spawn(lambda: m.lock(timeout=1)).join())", "fiber.TIMEOUT\n", ""},
		{"poisoned", "m = fiber.mutex(name='m')\ndef f(): fail('no')\nfiber.spawn(m.hold, f).outcome()\nprint(m.repair(), m.repair())\nfiber.spawn(m.hold, f).outcome()\nm.lock()", "True False\n", "poison"},
		{"handed on", "m = fiber.mutex(owner_death='hand_on')\nfiber.spawn(m.hold, lambda: fail('no')).outcome()\nprint(m.lock())", "True\n", ""},
		{"timeout", "def f(n):\n fiber.sleep(n)\n return n\nprint(fiber.timeout(2, f, 1), fiber.timeout(2, f, 3), fiber.now())", "1 fiber.TIMEOUT 3.0\n", ""},
		{"timeout of a failure", "fiber.timeout(2, lambda: fail('no'))", "", "fail: no"},
		{"scope", "def f(s):\n ts = [s.spawn(fiber.sleep, i) for i in range(4)]\n return len(ts)\nprint(fiber.scope(f), fiber.now())", "4 3.0\n", ""},
		{"scope with a failure", "def f(s):\n s.spawn(lambda: fail('no'))\n fiber.sleep(9)\nfiber.scope(f, name='s')", "", "fail: no"},
		{"scope that is late", "def f(s): s.spawn(fiber.sleep, 9)\nprint(fiber.scope(f, timeout=1), fiber.now())", "fiber.TIMEOUT 1.0\n", ""},
		{"scope that stops", "def f(s):\n s.spawn(fiber.sleep, 9)\n fiber.yield_now()\n s.stop()\n return 1\nprint(fiber.scope(f), fiber.now())", "1 0.0\n", ""},
		{"any", "def g(n):\n fiber.sleep(n)\n return n\ndef f(s): [s.spawn(g, n) for n in (9, 1, 5)]\nprint(fiber.scope(f, wait='any'), fiber.now())", "1 1.0\n", ""},
		{"durations", "fiber.sleep(1)\nfiber.sleep(0.5)\nfiber.sleep(2 * time.second)\nprint(fiber.now(), time.now())", "3.5 1970-01-01 00:00:03.5 +0000 UTC\n", ""},
		{"a bad duration", "fiber.sleep(-1)", "", "bad duration: -1 is negative"},
		{"no duration", "fiber.sleep('x')", "", "got string, want seconds as an int or a float, or a time.duration"},
		{"a huge duration", "fiber.sleep(1e300)", "", "bad duration"},
		{"modules of the engine", "print(math.floor(1.5), json.decode('[1]'), json.encode({'a': 1}), struct(a=1).a, time.hour)", "1 [1] {\"a\":1} 1 1h0m0s\n", ""},
		{"the main program ends all", "fiber.spawn(fiber.sleep, 9)\nprint(fiber.now())", "0.0\n", ""},
		{"join itself", "fiber.self().join()", "", "join"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, slice := range []int{1, 7, 10_000} {
				cfg := starlark.Config{}
				cfg.Runtime.Budget = slice
				e := play(t, cfg, c.source)
				require.Equal(t, c.out, e.out, "%v", e.err)
				if c.err == "" {
					require.NoError(t, e.err)
				} else {
					require.ErrorContains(t, e.err, c.err)
				}
			}
		})
	}
}

// What two fibers have is frozen, so that neither sees a change of the other.
func TestWhatFibersShareIsFrozen(t *testing.T) {
	for name, source := range map[string]string{
		"an argument":      "l = [1]\nfiber.spawn(lambda l: 0, l)\nl.append(2)",
		"a deep argument":  "l = [1]\nfiber.spawn(lambda l: 0, ({'x': l},))\nl.append(2)",
		"a global":         "l = [1]\ndef f(): return l\nfiber.spawn(f)\nl.append(2)",
		"a global in it":   "l = [1]\ndef f(): l.append(2)\nfiber.spawn(f).join()",
		"a free variable":  "def g():\n l = [1]\n fiber.spawn(lambda: l)\n l.append(2)\ng()",
		"a default":        "l = [1]\nfiber.spawn(lambda a=l: a)\nl.append(2)",
		"a receiver":       "l = [1]\nfiber.spawn(l.append, 3).join()",
		"a sent value":     "l = [1]\nfiber.chan(1).send(l)\nl.append(2)",
		"a tried value":    "l = [1]\nfiber.chan(1).try_send(l)\nl.append(2)",
		"a selected value": "l = [1]\nfiber.select([(fiber.chan(1), 'send', l)])\nl.append(2)",
		"a result":         "fiber.spawn(lambda: [1]).join().append(2)",
		"a scope's result": "fiber.scope(lambda s: [1]).append(2)",
		"a late argument":  "l = [1]\nfiber.timeout(1, lambda l: 0, l)\nl.append(2)",
		"predeclared":      "given.append(2)",
		"Go's module":      "load('m', 'l')\nl.append(2)",
	} {
		t.Run(name, func(t *testing.T) {
			cfg := starlark.Config{
				Predeclared: gostar.StringDict{"given": gostar.NewList(nil)},
				Modules:     map[string]gostar.StringDict{"m": {"l": gostar.NewList(nil)}},
			}
			require.ErrorContains(t, play(t, cfg, source).err, "cannot append to frozen list")
		})
	}
}

// A function in Go that drops the error of a function it calls does not keep a fiber alive.
func TestCancelAndKillCannotBeCaught(t *testing.T) {
	catch := gostar.NewBuiltin("catch", func(star *gostar.Thread, _ *gostar.Builtin, args gostar.Tuple, _ []gostar.Tuple) (gostar.Value, error) {
		_, _ = gostar.Call(star, args[0], nil, nil)
		return gostar.None, nil
	})
	cfg := starlark.Config{Predeclared: gostar.StringDict{"catch": catch}}
	e := play(t, cfg, `
def stubborn(ch):
    while True:
        catch(lambda: fiber.sleep(100))
        catch(lambda: [v for v in ch])
t = fiber.spawn(stubborn, fiber.chan())
fiber.sleep(1)
t.cancel("enough")
print(t.outcome(), fiber.now())
`)
	require.NoError(t, e.err)
	require.Equal(t, "(None, \"cancelled: enough\") 1.0\n", e.out)
}

// A deadlock names each fiber with its line.
func TestADeadlockHasTheLinesOfItsFibers(t *testing.T) {
	e := play(t, starlark.Config{}, `
a, b = fiber.mutex(name="a"), fiber.mutex(name="b")
def need(one, two):
    one.lock()
    fiber.sleep(1)
    two.lock()
x = fiber.spawn(need, a, b, name="x")
y = fiber.spawn(need, b, a, name="y")
x.join()
`)
	var stuck *scheduler.DeadlockError
	require.ErrorAs(t, e.err, &stuck)
	for _, want := range []string{`"main" at p.star:9`, `"x" at p.star:6 waits on mutex "b"`, `"y" at p.star:6 waits on mutex "a"`} {
		require.ErrorContains(t, e.err, want)
	}
}

// A failure that no fiber joins is reported.
func TestAFailureThatNoFiberJoinsIsReported(t *testing.T) {
	var seen []error
	cfg := starlark.Config{}
	cfg.Runtime.Unobserved = func(f *scheduler.UnobservedError) { seen = append(seen, f) }
	e := play(t, cfg, "def f(): fail('no')\nfiber.spawn(f)\nfiber.sleep(1)")
	require.NoError(t, e.err)
	require.Len(t, seen, 1)
	var guest *starlark.GuestError
	require.True(t, errors.As(seen[0], &guest))
	require.Equal(t, "p.star:1:14: fail: no", guest.Message)
	require.Equal(t, "Traceback (most recent call last):\n  p.star:1:14: in f\nError in fail: fail: no", guest.Traceback)
}
