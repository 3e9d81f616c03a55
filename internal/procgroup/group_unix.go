//go:build unix

package procgroup

import (
	"os/exec"
	"syscall"
)

// Begin has the process of a command that was made with a context begin a group, which is killed
// as a whole when the context ends. A group of its own is also out of reach of the terminal's
// Ctrl-C, and stops if it reads from the terminal.
func Begin(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return Kill(cmd) }
}

// Kill kills a process that was started, and the others of the group that it began. After it was
// waited for it kills nothing: the number may be another's.
func Kill(cmd *exec.Cmd) error {
	err := cmd.Process.Kill()
	if err == nil && cmd.SysProcAttr != nil && cmd.SysProcAttr.Setpgid {
		err = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	return err
}
