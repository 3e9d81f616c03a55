package main

import (
	"bytes"
	"os"
	"syscall"
	"testing"
)

// stuck commands are in a call that never returns: they read an input that stays open.
var stuck = map[string]struct {
	args   []string
	speaks bool // it says "up"; otherwise it opens the pipe
}{
	"a Lua builtin":      {[]string{"run", "--grace", "1ms", "p.lua"}, true},
	"a copy":             {[]string{"run", "--grace", "1ms", "--copies", "2", "p.lua"}, true},
	"the flag in front":  {[]string{"--grace", "1ms", "run", "p.lua"}, true},
	"a script of actors": {[]string{"script", "--grace", "1ms", "--actors", "pipe"}, false},
	"a script":           {[]string{"script", "--grace", "1ms", "pipe"}, false},
	"the check of a run": {[]string{"spec", "check", "--grace", "1ms", "pipe"}, false},
}

func TestOneSignalEndsAProcessThatIsInACallOfGoCode(t *testing.T) {
	for name, c := range stuck {
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			t.Run(name+", "+signal.String(), func(t *testing.T) {
				files{"p.lua": `print("up") loadfile("/dev/stdin")`}.write(t)
				if err := syscall.Mkfifo("pipe", 0o600); err != nil {
					t.Fatal(err)
				}
				stderr := new(bytes.Buffer)
				cmd, stdout := startCommand(t, stderr, c.args...)
				if c.speaks {
					isUp(t, stdout)
				} else {
					pipe, err := os.OpenFile("pipe", os.O_WRONLY, 0) // waits until the process opens it
					if err != nil {
						t.Fatal(err)
					}
					defer func() { _ = pipe.Close() }()
				}
				if err := cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				_ = cmd.Wait() // the status is looked at below
				ending{status: cmd.ProcessState.ExitCode(), err: stderr.String()}.want(t, statusInterrupted, "selvage: interrupted; ", "within 1ms (--grace)")
			})
		}
	}
}
