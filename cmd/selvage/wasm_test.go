package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/internal/asm"
)

// imports are what the programs here need of WASI and of the fiber library; at 100 lies
// a line to print, and what describes it at 16.
const imports = `
	import "wasi_snapshot_preview1" "proc_exit" exit (i32)
	import "wasi_snapshot_preview1" "fd_write" fd_write (i32 i32 i32 i32) (i32)
	import "wasi_snapshot_preview1" "fd_read" fd_read (i32 i32 i32 i32) (i32)
	import "wasi_snapshot_preview1" "args_sizes_get" args_sizes (i32 i32) (i32)
	import "wasi_snapshot_preview1" "fd_prestat_get" prestat (i32 i32) (i32)
	import "wasi_snapshot_preview1" "random_get" random (i32 i32) (i32)
	import "selvage" "spawn" spawn (i32 i32 i64) (i32)
	import "selvage" "sleep" sleep (i64)
	import "selvage" "chan" chan (i32) (i32)
	import "selvage" "recv" recv (i32 i32 i64) (i32)
	memory 1
	data 16 "\x64\x00\x00\x00\x03\x00\x00\x00"
	data 64 "child"
	data 100 "up\n"
	func up ()
		i32.const 1 i32.const 16 i32.const 1 i32.const 32 call fd_write drop
	end
	`

// wasmGuest runs a program, as p.wasm, with flags.
func wasmGuest(t *testing.T, text string, flags ...string) ending {
	t.Helper()
	files{"p.wasm": string(asm.Assemble(imports + text))}.write(t)
	return selvage(t, append(append([]string{"run"}, flags...), "p.wasm", "one", "two")...)
}

func TestAWebAssemblyProgramGivesItsOutputAndItsStatus(t *testing.T) {
	e := wasmGuest(t, "func _start () export call up end")
	e.want(t, statusDone)
	e.wantOut(t, "up\n")
	wasmGuest(t, "func _start () export i32.const 7 call exit end").want(t, 7)
	wasmGuest(t, "func _start () export i32.const 0 call exit unreachable end").want(t, statusDone)
	wasmGuest(t, "func run () export i32.const 9 call exit end").want(t, 9)
}

func TestAWebAssemblyProgramGetsItsArguments(t *testing.T) {
	e := wasmGuest(t, `func _start () export
		i32.const 8 i32.const 12 call args_sizes drop
		i32.const 8 i32.load call exit
	end`)
	e.want(t, 3)
}

func TestATrapGivesItsReasonATracebackAndStatusOne(t *testing.T) {
	e := wasmGuest(t, `func inner () unreachable end func _start () export call inner end`)
	e.want(t, statusGuest, "selvage: p.wasm: _start: trap: unreachable\n", "stack traceback:\n\t.inner()\n\t._start()\n")
}

func TestAFailureOfASpawnedInstanceIsTold(t *testing.T) {
	e := wasmGuest(t, `func child (i64) export unreachable end
	func run () export
		i32.const 64 i32.const 5 i64.const 0 call spawn drop
		i64.const 1 call sleep
	end`, "--virtual")
	e.want(t, statusGuest, `selvage: fiber f1.1 "child" failed and nothing joined it: p.wasm: child: trap: unreachable`, "\t.child(i64)\n")
}

func TestADeadlockOfInstancesNamesModuleFunctionAndChannel(t *testing.T) {
	e := wasmGuest(t, `func run () export i32.const 0 call chan i32.const 8 i64.const -1 call recv drop end`)
	e.want(t, statusDeadlock, "selvage: deadlock: the only fiber is blocked",
		`f0.1 "main" at p.wasm: run → selvage.recv waits on chan "1"`)
}

func TestWhatIsNoWebAssemblyIsRefusedWithAReason(t *testing.T) {
	files{"text.wasm": "print(1)", "short.wasm": "\x00asm\x01\x00\x00\x00\x01\x20",
		"imports.wasm": string(asm.Assemble(`import "env" "frob" f () func _start () export end`)), "p.lua": ""}.write(t)
	for line, want := range map[string]struct {
		status int
		text   string
	}{
		"text.wasm":          {statusGuest, "selvage: text.wasm: offset 0x0, module: this is not WebAssembly"},
		"short.wasm":         {statusGuest, "selvage: short.wasm: offset 0xa, module: 32 bytes wanted, 0 are left"},
		"imports.wasm":       {statusGuest, "selvage: imports.wasm: imports env.frob, which no host module provides"},
		"missing.wasm":       {statusUsage, "selvage: cannot read the program: open missing.wasm"},
		"--dir no text.wasm": {statusUsage, "selvage: --dir no: no is no directory"},
		"--dir . p.lua":      {statusUsage, "--dir: it is for WebAssembly programs"},
	} {
		selvage(t, append([]string{"run"}, strings.Fields(line)...)...).want(t, want.status, want.text)
	}
}

// The program exits with what it learns about the first directory: 0, or 8 if there is none.
func TestAWebAssemblyProgramHasTheDirectoriesItIsGiven(t *testing.T) {
	const first = "func _start () export i32.const 3 i32.const 8 call prestat call exit end"
	wasmGuest(t, first).want(t, 8)
	wasmGuest(t, first, "--dir", ".").want(t, 0)
	wasmGuest(t, first, "--dir", ".:/data").want(t, 0)
}

func TestVirtualTimeMakesEveryRunOfAWebAssemblyProgramTheSame(t *testing.T) {
	const chance = `func _start () export
		i32.const 8 i32.const 1 call random drop
		i64.const 86400000000000 call sleep
		i32.const 8 i32.load8_u call exit
	end`
	one := wasmGuest(t, chance, "--virtual")
	if again := wasmGuest(t, chance, "--virtual", "--budget", "1"); again.status != one.status {
		t.Errorf("seed 1 drew %d and %d", one.status, again.status)
	}
	if two := wasmGuest(t, chance, "--virtual", "--seed", "2"); two.status == one.status {
		t.Errorf("seeds 1 and 2 both drew %d", one.status)
	}
}

func TestStatsOfAWebAssemblyProgram(t *testing.T) {
	e := wasmGuest(t, "func run () export i64.const 5000000000 call sleep end", "--virtual", "--stats")
	e.want(t, statusDone, "fibers: 1 spawned, 1 ended, 0 killed\n", "scheduler time: 5s\n")
}

func TestInterruptEndsAnEndlessWebAssemblyProgram(t *testing.T) {
	for name, text := range map[string]string{
		"a busy loop": "func _start () export call up loop br 0 end end",
		"a sleeper":   "func _start () export call up i64.const 1000000000000 call sleep end",
		"many": `func child (i64) export loop br 0 end end
			func _start () export
				i32.const 64 i32.const 5 i64.const 0 call spawn drop
				i32.const 64 i32.const 5 i64.const 0 call spawn drop
				i64.const 1 call sleep call up loop br 0 end
			end`,
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			files{"p.wasm": string(asm.Assemble(imports + text))}.write(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var err bytes.Buffer
			status := run(ctx, []string{"run", "p.wasm"}, streams{trigger{cancel}, &err})
			ending{status: status, err: err.String()}.want(t, statusInterrupted, "selvage: interrupted\n")
		})
	}
}

// A process of its own, since the input is the process's: it exits with how much it read.
func TestAWebAssemblyProgramReadsTheInput(t *testing.T) {
	files{"p.wasm": string(asm.Assemble(imports + `
		data 40 "\x00\x02\x00\x00\x00\x01\x00\x00"
		func _start () export
			i32.const 0 i32.const 40 i32.const 1 i32.const 8 call fd_read drop
			i32.const 8 i32.load call exit
		end`))}.write(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "run", "p.wasm")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Stdin = strings.NewReader("five\n")
	_ = cmd.Run() // the status is looked at below
	if status := cmd.ProcessState.ExitCode(); status != 5 {
		t.Errorf("read %d bytes, want 5", status)
	}
}
