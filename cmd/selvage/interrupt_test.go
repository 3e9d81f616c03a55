package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// endless programs say once that they have begun.
var endless = map[string]string{
	"a busy loop":            `print("up") while true do end`,
	"a busy loop in pcall":   `print("up") local function f() while true do end end while true do pcall(f) end`,
	"a coroutine":            `print("up") coroutine.wrap(function() while true do end end)()`,
	"a reader":               `print("up") io.read("*a")`,
	"a client":               `local l = net.listen("127.0.0.1:0") print("up") net.dial(l:addr()):read()`,
	"a server":               `local s = http.serve("127.0.0.1:0", print) print("up") s:wait()`,
	"a process":              `print("up") proc.run{ "sleep", "1000" }`,
	"a sleeper":              `print("up") fiber.sleep(1e6)`,
	"a sleeper that goes on": `print("up") while true do pcall(fiber.sleep, 1e6) end`,
	"waiting with a timeout": `print("up") fiber.chan():recv(1e6)`,
	"many fibers": `for i = 1, 200 do
		fiber.spawn(function() while true do end end)
		fiber.spawn(function() fiber.sleep(1e6) end)
		fiber.spawn(function() fiber.chan():recv() end)
	end
	fiber.yield() print("up") fiber.sleep(1e6)`,
	"holding a lock": `local m = fiber.mutex()
	fiber.spawn(function() m:lock() end)
	m:with(function() print("up") fiber.sleep(1e6) end)`,
}

func TestInterruptEndsEveryProgramAndLeavesNoGoroutine(t *testing.T) {
	for name, program := range endless {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			files{"p.lua": program}.write(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var err bytes.Buffer
			status := run(ctx, []string{"run", "p.lua"}, streams{trigger{cancel}, &err})
			ending{status: status, err: err.String()}.want(t, statusInterrupted, "selvage: interrupted\n")
		})
	}
}

func TestNothingOfAFinishedRunIsLeft(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	guest(t, `for i = 1, 100 do fiber.spawn(function() fiber.chan():recv() end) end fiber.yield()`).want(t, statusDone)
	guest(t, `fiber.spawn(function() error("x") end) fiber.chan():recv()`).want(t, statusDeadlock, "deadlock")
	guest(t, `for i = 1, 10 do coroutine.wrap(function() coroutine.yield() end)() end error("x")`).want(t, statusGuest, "x")
}

// start runs a program in a process of its own and returns when it has said "up".
func start(t *testing.T, program string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	stderr = new(bytes.Buffer)
	return startTelling(t, program, stderr), stderr
}

// startTelling is start with a stderr of the test's own.
func startTelling(t *testing.T, program string, stderr io.Writer) *exec.Cmd {
	t.Helper()
	files{"p.lua": program}.write(t)
	cmd, stdout := startCommand(t, stderr, "run", "p.lua")
	isUp(t, stdout)
	return cmd
}

// isUp waits until the program says so.
func isUp(t *testing.T, stdout io.Reader) {
	t.Helper()
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "up\n" {
		t.Fatalf("the program said %q, %v", line, err)
	}
}

// startCommand starts selvage in a process of its own, whose standard input stays open.
func startCommand(t *testing.T, stderr io.Writer, args ...string) (cmd *exec.Cmd, stdout io.Reader) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A shell starts what runs in its background with SIGINT ignored, and a child inherits
	// that; a handler it does not inherit.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, os.Interrupt)
	t.Cleanup(func() { signal.Stop(heard) })
	cmd = exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1", "SELVAGE_GRACE=1h") // unless the test gives another
	cmd.Stderr = stderr
	stdin, err := cmd.StdinPipe() // which stays open: a read of it never wakes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stdin.Close() })
	stdout, err = cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, stdout
}

func TestCtrlCGivesStatus130(t *testing.T) {
	cmd, stderr := start(t, endless["a busy loop"])
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the status is looked at below
	ending{status: cmd.ProcessState.ExitCode(), err: stderr.String()}.want(t, statusInterrupted, "selvage: interrupted\n")
}

// A call of Go code cannot be preempted: the first Ctrl-C waits for its end, within the grace time.
func TestASecondCtrlCEndsAProgramThatDoesNotListen(t *testing.T) {
	cmd, _ := start(t, `print("up") loadfile("/dev/stdin")`)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	press := time.NewTicker(10 * time.Millisecond)
	defer press.Stop()
	for presses := 0; ; {
		select {
		case <-press.C:
			presses++
			_ = cmd.Process.Signal(os.Interrupt)
		case <-ended:
			if presses < 2 || cmd.ProcessState.Exited() {
				t.Errorf("after %d signals: %v, want it killed by a second one", presses, cmd.ProcessState)
			}
			return
		}
	}
}
