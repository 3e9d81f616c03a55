package fibers

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/internal/procgroup"
	"github.com/selvage-dev/selvage/stackful"
)

// popen is io.popen(command [, mode]): a file that is one end of a pipe, whose other end is
// the output of a process ("r"), or its input ("w"). The process has the other standard files
// of this one, and is killed, on Unix with what it has started, if nobody has waited for it when
// the Host is closed.
func (h *Host) popen(L *glua.LState, c *carrier) int {
	command, mode := L.CheckString(1), L.OptString(2, "r")
	if mode != "r" && mode != "w" {
		L.ArgError(2, `invalid mode `+mode+`; want "r" or "w"`)
	}
	cmd := shell(context.Background(), command)
	h.outside.processes = append(h.outside.processes, cmd) // also that of a fiber that is killed meanwhile
	end, err := fiberio.Make(h.world(L), c.fiber, fiber.Never, func(context.Context) (*os.File, error) { return piped(cmd, mode) },
		func(end *os.File) {
			_ = end.Close()
			_ = procgroup.Kill(cmd) // bury waits for it
		})
	if err = c.back(err); err != nil {
		h.forget(cmd)
		return failed(L, err.Error())
	}
	ud := h.newFile(L, h.world(L).NewFile(end), mode == "r", mode == "w")
	h.fileOf(L, ud).process = cmd
	L.Push(ud)
	return 1
}

// piped starts the process.
func piped(cmd *exec.Cmd, mode string) (ours *os.File, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	theirs := w
	if ours = r; mode == "r" {
		cmd.Stdout = w
	} else {
		cmd.Stdin, ours, theirs = r, w, r
	}
	err = cmd.Start()
	_ = theirs.Close()
	if err != nil {
		_ = ours.Close()
		return nil, err
	}
	return ours, nil
}

// bury ends the processes that nobody has waited for.
func (h *Host) bury() {
	for _, cmd := range h.outside.processes {
		if cmd.Process != nil {
			_ = procgroup.Kill(cmd) // it may have ended
			_ = cmd.Wait()
		}
	}
}

func (h *Host) forget(cmd *exec.Cmd) {
	if i := slices.Index(h.outside.processes, cmd); i >= 0 {
		h.outside.processes = slices.Delete(h.outside.processes, i, i+1)
	}
}

// closeProcess is file:close() of a process: it waits for its end, and gives its status. If
// the fiber gives up, the process is killed.
func (h *Host) closeProcess(L *glua.LState, f *file) int {
	c, cmd := h.self(L), f.process
	_, err := fiberio.Wait(h.world(L), c.fiber, fiber.Never, func(ctx context.Context) (any, error) {
		defer context.AfterFunc(ctx, func() { _ = procgroup.Kill(cmd) })()
		return nil, cmd.Wait()
	})
	if _, stopped := err.(*stackful.Interrupt); stopped {
		_ = procgroup.Kill(cmd) // the call may never have begun; bury waits then
	} else if cmd.ProcessState != nil {
		h.forget(cmd)
	}
	err = c.back(err)
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		return failed(L, err.Error())
	}
	L.Push(glua.LNumber(cmd.ProcessState.ExitCode()))
	return 1
}
