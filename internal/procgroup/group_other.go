//go:build !unix

package procgroup

import "os/exec"

// Begin leaves the command as it is: only the process itself is killed.
func Begin(*exec.Cmd) {}

// Kill kills a process that was started.
func Kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
