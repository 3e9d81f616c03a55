package main

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/asm"
)

// exploredImports are those of the WebAssembly programs that are explored. At the addresses 8 and 16 is what
// is received, and at 32 what describes the three bytes to print, at 100 and later.
const exploredImports = `
	import "wasi_snapshot_preview1" "proc_exit" exit (i32)
	import "wasi_snapshot_preview1" "fd_write" fd_write (i32 i32 i32 i32) (i32)
	import "selvage" "spawn" spawn (i32 i32 i64) (i32)
	import "selvage" "join" join (i32 i32 i64) (i32)
	import "selvage" "sleep" sleep (i64)
	import "selvage" "yield" yield ()
	import "selvage" "chan" chan (i32) (i32)
	import "selvage" "send" send (i32 i64 i64) (i32)
	import "selvage" "recv" recv (i32 i32 i64) (i32)
	memory 1
	data 64 "task"
	data 100 "up\nby\n"
	func print (i32)
		i32.const 32 local.get 0 i32.store i32.const 36 i32.const 3 i32.store
		i32.const 1 i32.const 32 i32.const 1 i32.const 40 call fd_write drop
	end
	func start (i64) i32.const 64 i32.const 4 local.get 0 call spawn drop end
	func put (i32 i64) local.get 0 local.get 1 i64.const -1 call send drop end
	func take (i32 i32) local.get 0 local.get 1 i64.const -1 call recv drop end
	func ended (i32) local.get 0 i32.const 24 i64.const -1 call join drop end
	`

// transfers are two tasks that take two locks, which are channels with room for one value. With 513 the second
// takes them in the opposite order.
func transfers(second string) string {
	return `func task (i64) export
		local.get 0 i64.const 8 i64.shr_u i32.wrap_i64 i64.const 1 call put
		local.get 0 i32.wrap_i64 i32.const 255 i32.and i64.const 1 call put
		local.get 0 i32.wrap_i64 i32.const 255 i32.and i32.const 8 call take
		local.get 0 i64.const 8 i64.shr_u i32.wrap_i64 i32.const 8 call take
	end
	func run () export
		i32.const 1 call chan drop i32.const 1 call chan drop
		i64.const 258 call start i64.const ` + second + ` call start
		i32.const 1 call ended i32.const 2 call ended
	end`
}

// firstWins sends the number of each task; run sees the first.
const firstWins = `func task (i64) export i32.const 1 local.get 0 call put end
	func run () export
		i32.const 2 call chan drop
		i64.const 1 call start i64.const 2 call start
		i32.const 1 i32.const 8 call take
		i32.const 8 i64.load i64.const 1 i64.ne if `

var exploredWasm = map[string]struct{ text, kind, flags, shown string }{
	"deadlock": {transfers("513"), "deadlock", "", `f1.1 "task" at p.wasm: task → selvage.send waits on chan "2"`},
	"leak": {`func task (i64) export i64.const 1000 call sleep i32.const 1 i64.const 7 call put end
		func run () export
			i32.const 0 call chan drop i64.const 0 call start
			i32.const 1 i32.const 8 i64.const 1000 call recv drop
		end`, "leak", "", `"task" at p.wasm: task → selvage.send waits on chan "1"`},
	"trap":   {firstWins + "unreachable end end", "failure", "", "p.wasm: run: trap: unreachable\nstack traceback:\n\t.run()\n"},
	"status": {firstWins + "i32.const 3 call exit end end", "failure", "", "p.wasm: exit status 3\n"},
	"unread": {`func task (i64) export i32.const 1 i64.const 1 i64.const 0 call send if unreachable end end
		func run () export i32.const 1 call chan drop i64.const 0 call start i64.const 0 call start i64.const 1 call sleep end`,
		"failure", "", "failed and nothing joined it: p.wasm: task: trap: unreachable\nstack traceback:\n\t.task(i64)\n"},
	"different": {`func task (i64) export local.get 0 i32.wrap_i64 call print end
		func run () export i64.const 100 call start i64.const 103 call start i32.const 1 call ended i32.const 2 call ended end`,
		"different", "--same-output", `the output is "by\nup\n"; in the first run it was "up\nby\n"`},
	"compute": {`func run () export loop br 0 end end`, "endless", "--steps=10000", "the run has passed its bounds"},
	"endless": {`func run () export loop call yield br 0 end end`, "endless", "--steps=10000", "the run has passed its bounds"},
}

// exploreWasmText explores a program, as p.wasm.
func exploreWasmText(t *testing.T, text string, flags ...string) ending {
	t.Helper()
	files{"p.wasm": string(asm.Assemble(exploredImports + text))}.write(t)
	return selvage(t, append(append([]string{"explore"}, flags...), "p.wasm")...)
}

func TestAFindingInAWebAssemblyProgramIsShownAgainByItsSchedule(t *testing.T) {
	for name, c := range exploredWasm {
		t.Run(name, func(t *testing.T) {
			e := exploreWasmText(t, c.text, append(strings.Fields(c.flags), "--json")...)
			require.Equal(t, statusFinding, e.status, e.err)
			var found findingJSON
			require.NoError(t, json.Unmarshal([]byte(e.out), &found))
			require.EqualValues(t, c.kind, found.Kind)
			require.LessOrEqual(t, found.Switches, 1)
			require.Contains(t, found.Text+"\n", c.shown)
			require.NotEmpty(t, found.Steps)
			whole := exploreWasmText(t, c.text, strings.Fields(c.flags)...)
			_, report, _ := strings.Cut(whole.out, "\n")
			if c.kind == "different" {
				return // a single run differs from nothing
			}
			var bounds []string
			if c.kind == "endless" {
				bounds = strings.Fields(strings.Replace(c.flags, "=", " ", 1))
			}
			for i := range 20 {
				before := runtime.GOMAXPROCS(1 + i%3)
				e = selvage(t, append(append([]string{"run", "--schedule", found.Schedule}, bounds...), "p.wasm")...)
				runtime.GOMAXPROCS(before)
				_, got, _ := strings.Cut(e.err, "\n")
				require.Equal(t, statusFinding, e.status, e.err)
				require.Equal(t, report, got)
			}
		})
	}
}

// The schedule by default of each of them is that of selvage run --virtual, which shows no deadlock and no trap.
func TestTheFindingsInWebAssemblyProgramsNeedAnotherSchedule(t *testing.T) {
	for _, name := range []string{"deadlock", "trap", "status", "different"} {
		files{"p.wasm": string(asm.Assemble(exploredImports + exploredWasm[name].text))}.write(t)
		selvage(t, "run", "--virtual", "p.wasm").want(t, statusDone)
	}
}

func TestACorrectWebAssemblyProgramIsReportedAsComplete(t *testing.T) {
	all := exploreWasmText(t, transfers("258"), "--strategy=dfs", "--depth=-1", "--runs=10000")
	all.want(t, statusDone, "all schedules were run: ", "nothing was found")
	some := exploreWasmText(t, transfers("258"), "--strategy=dpor", "--runs=10000")
	some.want(t, statusDone, "all schedules but for the order of independent steps were run: ", "nothing was found")
	for _, strategy := range []string{"mixed", "random", "pct"} {
		exploreWasmText(t, transfers("258"), "--strategy="+strategy, "--runs=100").want(t, statusDone, "nothing was found in 100 runs")
	}
}

// A fiber that computes for many time slices cannot be noticed by others, so that there are no more schedules.
func TestTheTimeSlicesOfAWebAssemblyProgramAreNoDecisions(t *testing.T) {
	const compute = `func compute (i32)
		loop local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0 end
	end `
	runs := map[string]bool{}
	for _, rounds := range []string{"1", "1000000"} {
		text := compute + strings.Replace(transfers("258"), "export", "export i32.const "+rounds+" call compute", 1)
		e := exploreWasmText(t, text, "--strategy=dfs", "--depth=-1", "--runs=10000")
		e.want(t, statusDone, "all schedules were run: ")
		first, _, _ := strings.Cut(e.err, "\n")
		runs[first] = true
	}
	require.Len(t, runs, 1)
}

func TestEachStrategyFindsTheDeadlockOfAWebAssemblyProgram(t *testing.T) {
	for _, strategy := range []string{"mixed", "random", "pct", "dfs", "dpor"} {
		e := exploreWasmText(t, transfers("513"), "--strategy="+strategy)
		e.want(t, statusFinding)
		require.Contains(t, e.out, "deadlock, found in run ")
		require.Contains(t, e.out, "f1.1 task → send waits\n")
	}
}

func TestJobsOfAWebAssemblyProgramHaveTheSameFindingEachTime(t *testing.T) {
	first := exploreWasmText(t, transfers("513"), "--strategy=random", "--jobs=1")
	first.want(t, statusFinding)
	for range 3 {
		require.Equal(t, first.out, exploreWasmText(t, transfers("513"), "--strategy=random", "--jobs=4").out)
	}
	exploreWasmText(t, transfers("258"), "--jobs=4", "--runs=200").want(t, statusDone, "nothing was found in 200 runs")
}

func TestAWebAssemblyProgramIsNotWatched(t *testing.T) {
	for _, flag := range []string{"--races", "--points=access"} {
		exploreWasmText(t, transfers("258"), flag).want(t, statusUsage, flag, "share no memory")
	}
	files{"q.wasm": "\x00asm"}.write(t)
	selvage(t, "explore", "q.wasm").want(t, statusGuest, "q.wasm")
}

func TestAWebAssemblyProgramGetsItsArgumentsInEachRun(t *testing.T) {
	text := `import "wasi_snapshot_preview1" "args_sizes_get" args_sizes (i32 i32) (i32)` + exploredImports + `
		func run () export i32.const 8 i32.const 12 call args_sizes drop i32.const 8 i32.load call exit end`
	files{"p.wasm": string(asm.Assemble(text))}.write(t)
	e := selvage(t, "explore", "p.wasm", "one", "two")
	e.want(t, statusFinding)
	require.Contains(t, e.out, "p.wasm: exit status 3\n")
}
