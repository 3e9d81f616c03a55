package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/internal/asm"
)

func reportOf(t *testing.T, text string) *inspect.Report {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	r := new(inspect.Report)
	d := json.NewDecoder(strings.NewReader(lines[len(lines)-1]))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(r), text)
	return r
}

func TestAReportOfADeadlockHasTheFibersAndWhatTheyWaitOn(t *testing.T) {
	e := guest(t, `local a, b = fiber.mutex(), fiber.mutex()
fiber.spawn(function() a:lock() fiber.sleep(1) b:lock() end):name("ab")
fiber.spawn(function() b:lock() fiber.sleep(1) a:lock() end):name("ba")
fiber.chan(3):recv()`, "--virtual", "--report=json")
	require.Equal(t, statusDeadlock, e.status)
	require.Equal(t, 1, strings.Count(e.err, "\n"), "one line, and no text beside it")
	r := reportOf(t, e.err)
	require.Equal(t, inspect.Version, r.Version)
	require.Equal(t, "deadlock", r.Verdict)
	require.Equal(t, statusDeadlock, r.Status)
	require.Contains(t, r.Error, "all 3 fibers are blocked")
	require.Equal(t, []string{"f1.1", "f2.1"}, r.Cycle)
	require.Equal(t, []string{"p.lua:4", "p.lua:2", "p.lua:3"}, r.Sites)
	for i, name := range []string{"main", "ab", "ba"} {
		f, edge := r.Fibers[i], r.Edges[i]
		require.Equal(t, []string{name, "blocked", "queue"}, []string{f.Name, f.State, f.Reason})
		require.Equal(t, r.Sites[i], r.Sites[*f.Site])
		require.Equal(t, f.ID, edge.Fiber)
	}
	require.Equal(t, []string{"f2.1"}, r.Objects[*r.Edges[1].Object].Holders)
	require.Equal(t, []string{"f1.1"}, r.Objects[*r.Edges[2].Object].Holders)
	require.Empty(t, r.Objects[*r.Edges[0].Object].Holders)
}

func TestEveryEndOfARunHasItsVerdict(t *testing.T) {
	for program, want := range map[string]struct {
		verdict string
		status  int
	}{
		`print(1)`:            {"done", statusDone},
		`error("no luck")`:    {"failed", statusGuest},
		`os.exit(7)`:          {"exited", 7},
		`os.exit(3)`:          {"exited", 3},
		`fiber.chan():recv()`: {"deadlock", statusDeadlock},
		`fiber.spawn(error, "no luck") fiber.sleep(0.001)`: {"failed", statusGuest},
	} {
		e := guest(t, program, "--report=json")
		require.Equal(t, want.status, e.status, program)
		r := reportOf(t, e.err)
		require.Equal(t, want.verdict, r.Verdict, program)
		require.Equal(t, want.status, r.Status, program)
	}
}

func TestAGoProgramsDeadlockIsReported(t *testing.T) {
	files{"p.go": "package main\n\nfunc main() { <-make(chan int) }\n"}.write(t)
	e := selvage(t, "run", "--report=json", "p.go")
	require.Equal(t, statusPanic, e.status)
	r := reportOf(t, e.err)
	require.Equal(t, "deadlock", r.Verdict)
	require.Contains(t, r.Error, "all goroutines are asleep")
}

// Those that wait have done about as much as their loops say, in each language.
func TestAReportHasTheStepsOfEachFiber(t *testing.T) {
	files{
		"p.lua": "local never = fiber.chan()\nfiber.spawn(function() for i = 1, 5000 do end never:recv() end)\nnever:recv()\n",
		"p.go":  "package main\n\nfunc main() {\n\tnever := make(chan int)\n\tgo func() { for i := 0; i < 5000; i++ {}; <-never }()\n\t<-never\n}\n",
		"p.wasm": string(asm.Assemble(exploredImports + `func task (i64) export
				loop local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0 end
				i32.const 1 i64.const 7 call put
			end
			func run () export i32.const 0 call chan drop i64.const 5000 call start i32.const 1 i64.const 7 call put end`)),
	}.write(t)
	for _, program := range []string{"p.lua", "p.go", "p.wasm"} {
		for _, flags := range [][]string{{"--report=json"}, {"--report=json", "--max-steps=10000000"}, {"--report-file=r.json"}} {
			e := selvage(t, append(append([]string{"run"}, flags...), program)...)
			text := e.err
			if flags[0] == "--report-file=r.json" {
				file, err := os.ReadFile("r.json")
				require.NoError(t, err)
				text = string(file)
			}
			r := reportOf(t, text)
			require.Len(t, r.Fibers, 2, "%s: %s", program, text)
			require.Less(t, *r.Fibers[0].Steps, uint64(200), program)
			require.GreaterOrEqual(t, *r.Fibers[1].Steps, uint64(4999), program)
		}
	}
}

func TestAReportFileStandsBesideTheText(t *testing.T) {
	e := guest(t, `fiber.chan():recv()`, "--report-file", "r.json")
	e.want(t, statusDeadlock, "selvage: deadlock: the only fiber is blocked")
	text, err := os.ReadFile("r.json")
	require.NoError(t, err)
	require.Equal(t, "deadlock", reportOf(t, string(text)).Verdict)

	e = guest(t, `print(1)`, "--report-file", "missing/r.json")
	e.want(t, statusUsage, "cannot write the report: open missing/r.json")
	require.Empty(t, e.out, "nothing runs")
}

// The sleeper can run again: it is no leak, and the run waits for it.
const leavesOne = `fiber.spawn(function() fiber.chan():recv() end):name("lost")
fiber.spawn(function() fiber.sleep(3600) print("late") end)
print("main")`

func TestFibersThatNeverRunAgainAreALeakIfThatIsAskedFor(t *testing.T) {
	e := guest(t, leavesOne, "--virtual")
	e.want(t, statusDone)
	require.Equal(t, "main\n", e.out)

	e = guest(t, leavesOne, "--virtual", "--leaks")
	e.want(t, statusDeadlock, `selvage: leak: the main fiber has returned, and one fiber is blocked`, `"lost" at p.lua:1 waits on chan`)
	require.Equal(t, "main\nlate\n", e.out)

	e = guest(t, leavesOne, "--virtual", "--leaks", "--report=json")
	r := reportOf(t, e.err)
	require.Equal(t, "leak", r.Verdict)
	require.Equal(t, "lost", r.Fibers[0].Name)
	require.Len(t, r.Fibers, 1)

	guest(t, `fiber.spawn(function() fiber.sleep(1) end)`, "--virtual", "--leaks").want(t, statusDone)
}

func TestGoroutinesThatNeverRunAgainAreALeakIfThatIsAskedFor(t *testing.T) {
	files{"p.go": "package main\n\nfunc main() {\n\tc := make(chan int)\n\tgo func() { <-c }()\n}\n"}.write(t)
	selvage(t, "run", "p.go").want(t, statusDone)
	selvage(t, "run", "--leaks", "p.go").want(t, statusDeadlock, "selvage: leak:", "main.main.func1 at p.go:5 waits on chan")
}

// The second task can run again: it sleeps, and prints.
const leavesOneTask = `func task (i64) export
		local.get 0 i64.eqz if i64.const 1000 call sleep i32.const 103 call print return end
		i32.const 1 i64.const 7 call put
	end
	func run () export
		i32.const 0 call chan drop i64.const 1 call start i64.const 0 call start i32.const 100 call print i64.const 1 call sleep
	end`

func TestTasksOfAWebAssemblyProgramThatNeverRunAgainAreALeakIfThatIsAskedFor(t *testing.T) {
	files{"p.wasm": string(asm.Assemble(exploredImports + leavesOneTask))}.write(t)
	e := selvage(t, "run", "--virtual", "p.wasm")
	e.want(t, statusDone)
	e.wantOut(t, "up\n")

	e = selvage(t, "run", "--virtual", "--leaks", "p.wasm")
	e.want(t, statusDeadlock, "selvage: leak: the main fiber has returned, and one fiber is blocked", `"task" at p.wasm: task → selvage.send waits on chan "1"`)
	e.wantOut(t, "up\nby\n")

	e = selvage(t, "run", "--virtual", "--leaks", "--report=json", "p.wasm")
	r := reportOf(t, e.err)
	require.Equal(t, "leak", r.Verdict)
	require.Len(t, r.Fibers, 1)
	require.Equal(t, "task", r.Fibers[0].Name)
	require.Equal(t, []string{"p.wasm: task → selvage.send"}, r.Sites)
}

func TestAReportIsOfOneProgram(t *testing.T) {
	guest(t, `print(1)`, "--report=json", "--copies=2").want(t, statusUsage, "leave --copies out")
	guest(t, `print(1)`, "--report=json", "--schedule=1").want(t, statusUsage, "selvage explore --json")
	guest(t, `print(1)`, "--report=xml").want(t, statusUsage, "--report")
}
