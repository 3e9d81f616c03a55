package main

import (
	"regexp"
	"strings"
	"testing"
)

func TestHelpSaysWhatANewcomerNeeds(t *testing.T) {
	for line, pieces := range map[string][]string{
		"": {
			"Usage: selvage COMMAND", "Run Lua, WebAssembly, Go and Starlark programs", "  run ", "  script ",
			"Examples:", "selvage run hello.lua", "deadlock", "130", `Run "selvage <command> --help"`,
		},
		"run": {
			"Usage: selvage run [flags] FILE [args ...]", "docs/lua.md", "docs/wasm.md", "Flags go before FILE",
			"Exit status: 0 done; 1", "3 deadlock", "Examples:", "selvage run --virtual",
			"--virtual", "--budget=N", "(10000)", "--max-fibers=N", "(1000000)", "--seed=N", "--stats",
			"--workers=N", "--copies=N", "--io-workers=N", "$SELVAGE_WORKERS", "$SELVAGE_IO_WORKERS", "fiber.copies", "SELVAGE_MAX_TIMERS",
		},
		"script": {
			"Usage: selvage script [flags] FILES ...", "docs/scripts.md", "Exit status: 0 all as expected; 1",
			"Examples:", "selvage script --rewrite", "--rewrite", "--actors", "docs/actors.md",
		},
	} {
		for _, flag := range []string{"--help", "-h"} {
			e := selvage(t, append(strings.Fields(line), flag)...)
			e.want(t, statusDone)
			for _, piece := range pieces {
				if !strings.Contains(e.out, piece) {
					t.Errorf("selvage %s %s lacks %q:\n%s", line, flag, piece, e.out)
				}
			}
		}
	}
}

func TestSelvageAloneShowsItsHelp(t *testing.T) {
	e := selvage(t)
	e.want(t, statusDone)
	e.wantOut(t, selvage(t, "--help").out)
}

func TestTheProgramGetsEverythingBehindItsFile(t *testing.T) {
	files{"p.lua": `print(select("#", ...), ...)
		print(arg[0], #arg, table.concat(arg, " "))`}.write(t)
	for line, want := range map[string]string{
		"p.lua":                         "0\np.lua\t0\t\n",
		"p.lua one two":                 "2\tone\ttwo\np.lua\t2\tone two\n",
		"p.lua --virtual --budget":      "2\t--virtual\t--budget\np.lua\t2\t--virtual --budget\n",
		"p.lua -h --help":               "2\t-h\t--help\np.lua\t2\t-h --help\n",
		"p.lua -- x":                    "2\t--\tx\np.lua\t2\t-- x\n",
		"--budget 5 p.lua --budget 6":   "2\t--budget\t6\np.lua\t2\t--budget 6\n",
		"-- p.lua --virtual":            "1\t--virtual\np.lua\t1\t--virtual\n",
		"--virtual -- p.lua p.lua -x=1": "2\tp.lua\t-x=1\np.lua\t2\tp.lua -x=1\n",
	} {
		e := selvage(t, append([]string{"run"}, strings.Fields(line)...)...)
		e.want(t, statusDone)
		e.wantOut(t, want)
	}
	e := selvage(t, "run", "p.lua", "", "two words", "\xff")
	e.wantOut(t, "3\t\ttwo words\t\xff\np.lua\t3\t two words \xff\n")
}

func TestVirtualTimeTakesNoneAndIsExact(t *testing.T) {
	e := guest(t, `fiber.sleep(86400 * 365)
		print(fiber.now())
		fiber.sleep(0.1)
		print(("%.1f"):format(fiber.now()))`, "--virtual")
	e.want(t, statusDone)
	e.wantOut(t, "31536000\n31536000.1\n")
}

func TestRealTimePasses(t *testing.T) {
	e := guest(t, `local before = os.time() - fiber.now()
		fiber.sleep(0.02)
		print(fiber.now() >= 0.02, fiber.now() < 600)`)
	e.want(t, statusDone)
	e.wantOut(t, "true\ttrue\n")
}

// Two loops that never wait for each other run side by side if slices end.
func TestTheBudgetDecidesHowOftenFibersTakeTurns(t *testing.T) {
	const program = `
		local turns, last = 0
		local function loop(name)
			for i = 1, 1000 do
				if last ~= name then last, turns = name, turns + 1 end
			end
		end
		local a, b = fiber.spawn(loop, "a"), fiber.spawn(loop, "b")
		a:join() b:join()
		print(turns > 100 and "often" or turns)`
	guest(t, program, "--budget", "10").wantOut(t, "often\n")
	guest(t, program, "--budget", "1000000").wantOut(t, "2\n")
}

func TestSeedDecidesTheChoicesOfSelectAndNothingElseDoes(t *testing.T) {
	const program = `
		local a, b, chosen = fiber.chan(40), fiber.chan(40), {}
		for i = 1, 40 do a:send("a") b:send("b") end
		for i = 1, 40 do
			local _, v = fiber.select{ { a, "recv" }, { b, "recv" } }
			chosen[i] = v
		end
		print(table.concat(chosen))`
	one := guest(t, program, "--seed", "1")
	one.want(t, statusDone)
	if again := guest(t, program, "--seed", "1"); again.out != one.out {
		t.Errorf("the same seed chose %sand %s", one.out, again.out)
	}
	if sliced := guest(t, program, "--budget", "3"); sliced.out != one.out {
		t.Errorf("seed 1 is the default, and the budget changes no choice: %sand %s", one.out, sliced.out)
	}
	if two := guest(t, program, "--seed", "2"); two.out == one.out {
		t.Errorf("seeds 1 and 2 both chose %s", one.out)
	}
}

func TestStatsGoToStderrHoweverTheRunEnds(t *testing.T) {
	stats := regexp.MustCompile(`(?m)^fibers: 3 spawned, 3 ended, \d+ killed\ntransitions: \d+\nscheduler time: 5s\nwall time: .+\n`)
	for program, status := range map[string]int{
		`fiber.spawn(print) fiber.spawn(print) fiber.sleep(5)`:         statusDone,
		`fiber.spawn(print) fiber.spawn(print) fiber.sleep(5) error()`: statusGuest,
	} {
		e := guest(t, program, "--virtual", "--stats")
		e.wantOut(t, "\n\n")
		if e.status != status || !stats.MatchString(e.err) {
			t.Errorf("%s: status %d, stderr:\n%s", program, e.status, e.err)
		}
	}
	e := guest(t, `fiber.sleep(1) fiber.chan():recv()`, "--virtual", "--stats")
	e.want(t, statusDeadlock, "fibers: 1 spawned, 0 ended, 0 killed\n", "scheduler time: 1s\n", "deadlock")
}
