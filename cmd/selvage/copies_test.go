package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

func TestCopiesShareTheWorkAndNothingElse(t *testing.T) {
	const program = `
		shared = (shared or 0) + 1
		local sum = 0
		for i = fiber.copy, 100, fiber.copies do sum = sum + i end
		fiber.sleep(0.001 * fiber.copy)
		print(fiber.copy, fiber.copies, shared, sum)`
	want := "1\t4\t1\t1225\n2\t4\t1\t1250\n3\t4\t1\t1275\n4\t4\t1\t1300\n"
	for _, flags := range []string{"--workers 1", "--workers 2", "--workers 9 --io-workers 1", "--workers 2 --virtual"} {
		e := guest(t, program, strings.Fields("--copies 4 "+flags)...)
		e.want(t, statusDone)
		lines := strings.SplitAfter(e.out, "\n")
		slices.Sort(lines)
		if got := strings.Join(lines, ""); got != want {
			t.Errorf("%s: the copies print %q, want %q", flags, got, want)
		}
	}
	guest(t, "print(fiber.copy, fiber.copies)", "--workers", "3").wantOut(t, "1\t1\n")
}

// Each waits in the middle of its slice for the other: they can only pass together.
func TestAsManyCopiesRunInParallelAsThereAreWorkers(t *testing.T) {
	here, there := make(chan int), make(chan int)
	s := &session{runCmd: &runCmd{Workers: 2, Copies: 2}, ctx: t.Context()}
	err := s.runCopies(func(c *session) error {
		if c.number == 1 {
			here <- 1
			<-there
		} else {
			<-here
			there <- 1
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A busy copy makes room: with one worker, the one that is to end it comes to run.
func TestABusyCopyMakesRoomForOneThatHasNoWorker(t *testing.T) {
	e := guest(t, `
		if fiber.copy == 2 then io.open("go", "w"):close() return end
		while not io.open("go") do for i = 1, 1000 do end end`, "--copies", "2")
	e.want(t, statusDone)
}

func TestTheFirstCopyThatFailsGivesTheStatusAndTheOthersGoOn(t *testing.T) {
	e := guest(t, `
		if fiber.copy == 2 then fiber.chan():recv() end
		if fiber.copy == 3 then error("no luck") end
		fiber.sleep(0.01)
		print(fiber.copy)`, "--copies", "4", "--workers", "2", "--stats")
	e.want(t, statusDeadlock, "selvage: copy 2: deadlock: the only fiber", "selvage: copy 3: p.lua:3: no luck\nstack traceback:", "copy 4:\nfibers: 1 spawned")
	if out := strings.Fields(e.out); len(out) != 2 || !strings.Contains(e.out, "1\n") || !strings.Contains(e.out, "4\n") {
		t.Errorf("the others print %q", e.out)
	}
}

func TestNumbersThatMakeNoSenseAreRefusedWithWhatIsPossible(t *testing.T) {
	for flags, want := range map[string]string{
		"--workers 0":             "--workers 0: want 1 to 4096",
		"--workers -3":            "--workers -3: want 1 to 4096",
		"--workers 4097":          "--workers 4097: want 1 to 4096",
		"--io-workers 0":          "--io-workers 0: want at least 1",
		"--io-workers -1":         "--io-workers -1: want at least 1",
		"--copies 0":              "--copies 0: want 1 to 10000",
		"--copies 10001":          "--copies 10001: want 1 to 10000",
		"--copies 2 --trace file": "--trace: there is one trace for one program",
	} {
		guest(t, "print()", strings.Fields(flags)...).want(t, statusUsage, "selvage: run: "+want)
	}
	for value, want := range map[string]string{"0": "--workers 0: want 1", "many": `from envar SELVAGE_WORKERS="many"`} {
		t.Setenv("SELVAGE_WORKERS", value)
		guest(t, "print()").want(t, statusUsage, want)
	}
	t.Setenv("SELVAGE_WORKERS", "2")
	guest(t, "print(1)").wantOut(t, "1\n")
}

func TestANumberOfTheEnvironmentThatMakesNoSenseIsRefusedByItsName(t *testing.T) {
	for name, flag := range map[string]string{
		"SELVAGE_WORKERS": "--workers", "SELVAGE_IO_WORKERS": "--io-workers", "SELVAGE_MAX_FIBERS": "--max-fibers", "SELVAGE_BUDGET": "--budget",
	} {
		t.Setenv(name, "-1")
		guest(t, "print()").want(t, statusUsage, flag+" -1: want", "("+name+` is "-1")`)
		t.Setenv(name, "1")
	}
	for _, name := range []string{"SELVAGE_IN_FLIGHT", "SELVAGE_STALL_AFTER", "SELVAGE_DRAIN"} {
		t.Setenv(name, "much")
		guest(t, "print()").want(t, statusUsage, name+` is "much": want a `)
		t.Setenv(name, "0")
	}
	guest(t, "print(1)").wantOut(t, "1\n")
}

func TestTheEnvironmentBoundsHowManyCopiesAreInFlight(t *testing.T) {
	t.Setenv("SELVAGE_IN_FLIGHT", "1")
	s := &session{runCmd: &runCmd{Workers: 4, Copies: 20}, ctx: t.Context()}
	var inside atomic.Int32
	err := s.runCopies(func(*session) error {
		defer inside.Add(-1)
		if n := inside.Add(1); n > 1 {
			return fmt.Errorf("%d copies run at once", n)
		}
		for range 1000 {
			runtime.Gosched() // to another that may not run now
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestCopiesThatAreInterruptedUnwind(t *testing.T) {
	for name, program := range endless {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			files{"p.lua": program}.write(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var err bytes.Buffer
			status := run(ctx, []string{"run", "--copies", "3", "--workers", "2", "p.lua"}, streams{trigger{cancel}, &err})
			e := ending{status: status, err: err.String()}
			for n := range 3 {
				e.want(t, statusInterrupted, fmt.Sprintf("selvage: copy %d: interrupted\n", n+1))
			}
		})
	}
}

func TestTheEnvironmentBoundsWhatAProgramHas(t *testing.T) {
	const program = `
		for i = 1, 3 do fiber.spawn(fiber.sleep, 1) end
		fiber.yield()
		print(pcall(fiber.sleep, 1))
		fiber.yield()`
	for limit, want := range map[string]string{"4": "true\n", "3": "false\tp.lua:4: too many timers", "2": "false\tp.lua:4: too many timers"} {
		t.Setenv("SELVAGE_MAX_TIMERS", limit)
		if e := guest(t, program, "--virtual"); !strings.HasPrefix(e.out, want) {
			t.Errorf("with %s timers: %q, want %q\n%s", limit, e.out, want, e.err)
		}
	}
	for _, name := range []string{"SELVAGE_MAX_TIMERS", "SELVAGE_MAX_TOKENS", "SELVAGE_MAX_COMMANDS"} {
		t.Setenv(name, "-1")
		guest(t, "print()").want(t, statusUsage, name+` is "-1": want a number`)
		t.Setenv(name, "100")
	}
	guest(t, "print(1)").wantOut(t, "1\n")
}

// What a host makes of the number is fiberio's promise (As many calls are done at once…).
func TestEveryHostHasAsManyWorkersForFilesAsAsked(t *testing.T) {
	s := &session{runCmd: &runCmd{IOWorkers: 3, Virtual: true}, io: streams{io.Discard, io.Discard}}
	if wasm := s.wasmConfig(); wasm.IOWorkers != 3 || s.luaConfig().IOWorkers != 3 {
		t.Errorf("WebAssembly has %d; Lua %d", wasm.IOWorkers, s.luaConfig().IOWorkers)
	}
}
