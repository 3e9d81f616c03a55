package main

import (
	"os"
	"strings"
	"testing"
)

// star runs a Starlark program, as p.star, with flags.
func star(t *testing.T, program string, flags ...string) ending {
	t.Helper()
	files{"p.star": program}.write(t)
	return selvage(t, append(append([]string{"run"}, flags...), "p.star")...)
}

func TestStarlarkProgramsRunAndPrint(t *testing.T) {
	files{"p.star": "load('lib/m.star', 'double')\nprint(double(21), fiber.args, copy, copies)", "lib.txt": ""}.write(t)
	if err := os.Mkdir("lib", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("lib/m.star", []byte("def double(n): return 2 * n"), 0o644); err != nil {
		t.Fatal(err)
	}
	e := selvage(t, "run", "p.star", "one", "--two")
	e.want(t, statusDone)
	e.wantOut(t, "42 (\"one\", \"--two\") 1 1\n")
	e = selvage(t, "run", "--allow-read", ".", "p.star")
	e.want(t, statusDone)
	e = selvage(t, "run", "--sandbox", "p.star")
	e.want(t, statusGuest, "p.star:1:1: cannot load lib/m.star: read lib/m.star: not allowed in this sandbox", "--allow-read DIR")
	if err := os.Remove("lib/m.star"); err != nil {
		t.Fatal(err)
	}
	e = selvage(t, "run", "p.star")
	e.want(t, statusGuest, "p.star:1:1: cannot load lib/m.star: open lib/m.star: no such file or directory")
	e = selvage(t, "run", "missing.star")
	e.want(t, statusUsage, "cannot read the program: open missing.star")
	e = selvage(t, "p.star")
	e.want(t, statusUsage, "Run a program by: selvage run p.star")
}

func TestAStarlarkErrorHasItsBacktrace(t *testing.T) {
	e := star(t, "def f(n):\n    return 1 // n\ndef g():\n    return f(0)\ng()")
	e.want(t, statusGuest, "selvage: p.star:2:14: floored division by zero\nTraceback (most recent call last):\n  p.star:5:2: in <toplevel>\n  p.star:4:13: in g\n  p.star:2:14: in f\nError: floored division by zero\n")
	e = star(t, "x = = 1")
	e.want(t, statusGuest, "p.star:1:5: got '=', want primary expression")
	e = star(t, "def f(): fail('lost')\nfiber.spawn(f)\nfiber.sleep(1)", "--virtual")
	e.want(t, statusGuest, "lost", "p.star:1:14: in f")
}

func TestAStarlarkDeadlockHasStatus3AndItsLines(t *testing.T) {
	const program = "ch = fiber.chan(name='jobs')\ndef wait():\n    ch.recv()\nt = fiber.spawn(wait)\nt.join()"
	star(t, program).want(t, statusDeadlock, "deadlock", `p.star:3 waits on chan "jobs"`, "p.star:5")
	star(t, program, "--report", "json").want(t, statusDeadlock, `"deadlock"`, `p.star:3`)
	star(t, strings.ReplaceAll(program, "t.join()", "fiber.sleep(1)"), "--virtual", "--leaks").want(t, statusDeadlock, "p.star:3")
}

func TestStarlarkQuotas(t *testing.T) {
	for flags, program := range map[string]string{
		"--max-steps 1000":              "while True: pass",
		"--max-memory 1MiB":             "s = 'x'\nwhile True: s += s",
		"--max-output 1KB":              "while True: print('x')",
		"--max-time 10s --virtual":      "while True: fiber.sleep(1)",
		"--max-steps 1000 --budget 100": "while True: fiber.spawn(lambda: 1).join()",
	} {
		star(t, program, strings.Fields(flags)...).want(t, statusGuest, "the quota is used up: ", "the flag for this quota is "+strings.Fields(flags)[0])
	}
}

func TestFlagsThatAStarlarkProgramHasNoUseForAreRefusedByName(t *testing.T) {
	for _, flags := range []string{
		"--cpuprofile x", "--schedule x", "--allow-net a:1", "--allow-run ls", "--allow-env HOME", "--allow-write .", "--dir .", "--jit-stats", "--jit=eager",
	} {
		name, _, _ := strings.Cut(strings.Fields(flags)[0], "=")
		star(t, "", strings.Fields(flags)...).want(t, statusUsage, name)
	}
	files{"p.star": ""}.write(t)
	selvage(t, "explore", "p.star").want(t, statusUsage, `cannot explore ".star" files`)
}

func TestStarlarkCopiesTimelineAndRecorder(t *testing.T) {
	e := star(t, "fiber.sleep(0.001)\nprint(copy, copies)", "--copies", "3")
	e.want(t, statusDone)
	for _, line := range []string{"1 3\n", "2 3\n", "3 3\n"} {
		if !strings.Contains(e.out, line) {
			t.Errorf("no line %q in %q", line, e.out)
		}
	}
	const program = "def tick():\n    fiber.sleep(1)\nfiber.spawn(tick).join()\nfiber.chan().recv()"
	star(t, program, "--virtual", "--recorder", "--timeline", "t.json").want(t, statusDeadlock, "sleeps at p.star:2", "blocks on chan \"p.star:4 #1\" at p.star:4")
	text, err := os.ReadFile("t.json")
	if err != nil || !strings.Contains(string(text), "p.star:2") {
		t.Errorf("%v: the timeline has no place of a wait: %s", err, text)
	}
}
