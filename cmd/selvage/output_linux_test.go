package main

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// Output that the system refuses is lost, so the run must not look as if it had succeeded.
func TestPrintToAFullDeviceFailsTheRun(t *testing.T) {
	const full = "write /dev/stdout: no space left on device"
	for name, c := range map[string]struct {
		program string
		flags   []string
		status  int
		pieces  []string
	}{
		"of the main program": {`print("lost")`, nil, statusGuest, []string{"selvage: p.lua:1: print: " + full}},
		"in virtual time":     {`fiber.sleep(1) print("lost")`, []string{"--virtual"}, statusGuest, []string{"selvage: p.lua:1: print: " + full}},
		"of a fiber":          {`fiber.spawn(print, "lost") fiber.yield()`, nil, statusGuest, []string{"failed and nothing joined it", "print: " + full}},
		"of copies":           {`print("lost")`, []string{"--copies", "2"}, statusGuest, []string{"p.lua:1: print: " + full}},
		"that is caught":      {`assert(not pcall(print, "lost"))`, nil, statusDone, nil},
		"by io.write":         {`assert(io.write("lost"))`, nil, statusGuest, []string{"selvage: p.lua:1: " + full}},
	} {
		t.Run(name, func(t *testing.T) {
			files{"p.lua": c.program}.write(t)
			device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			require.NoError(t, err)
			defer func() { _ = device.Close() }()
			stderr := new(bytes.Buffer)
			cmd := exec.CommandContext(t.Context(), os.Args[0], append(append([]string{"run"}, c.flags...), "p.lua")...)
			cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), asCommand+"=1"), device, stderr
			_ = cmd.Run() // the status is looked at below
			ending{status: cmd.ProcessState.ExitCode(), err: stderr.String()}.want(t, c.status, c.pieces...)
		})
	}
}
