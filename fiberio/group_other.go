//go:build !unix

package fiberio

import "os/exec"

// asGroup leaves the command as it is: only the process itself is stopped.
func asGroup(*exec.Cmd) {}
