package main

import (
	"bufio"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// A program asked for a dump prints it, continues, and ends as it would have without the dump.
func TestSIGQUITHasTheProgramTellWhatItIsDoingAndGoOn(t *testing.T) {
	told, stderr := io.Pipe()
	cmd := startTelling(t, `local a, b = fiber.mutex(), fiber.mutex()
local function both(first, second)
  first:lock() fiber.yield()
  second:lock()
end
fiber.spawn(both, a, b):name("left")
fiber.spawn(both, b, a):name("right")
fiber.spawn(function() while true do end end):name("spinner")
for _ = 1, 5 do fiber.yield() end
print("up")
while true do fiber.yield() end`, stderr)
	lines := bufio.NewScanner(told)
	for range 2 { // it goes on, so it can be asked again
		if err := cmd.Process.Signal(syscall.SIGQUIT); err != nil {
			t.Fatal(err)
		}
		var report strings.Builder
		for lines.Scan() {
			report.WriteString(lines.Text() + "\n")
			if strings.HasPrefix(lines.Text(), "cycle: ") {
				break
			}
		}
		for _, part := range []string{
			"selvage: 4 fibers, 2 of them blocked\n",
			`  f0.1 "main" at p.lua:1`,
			`  f3.1 "spinner" at p.lua:8 is runnable` + "\n",
			"partial deadlock: 2 fibers can only be woken by each other\n" +
				`  f1.1 "left" at p.lua:4 waits on mutex "p.lua:1 #2" (owner f2.1, waiting: 1); could be woken by f2.1 "right"`,
			"cycle: f1.1 → f2.1 → f1.1\n",
		} {
			if !strings.Contains(report.String(), part) {
				t.Errorf("it does not tell %q:\n%s", part, &report)
			}
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, told) }()
	_ = cmd.Wait() // the status is looked at below
	if status := cmd.ProcessState.ExitCode(); status != statusInterrupted {
		t.Errorf("status %d", status)
	}
	_ = stderr.Close()
}
