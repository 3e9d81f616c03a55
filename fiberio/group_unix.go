//go:build unix

package fiberio

import (
	"os/exec"
	"syscall"
)

// asGroup has the command stopped together with what it has started. A group of its own is
// also out of reach of the terminal's Ctrl-C, which interrupts the run, and the run stops it.
func asGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
