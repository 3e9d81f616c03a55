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

// popen is io.popen(command [, mode]): a file that is one end of a pipe. Its other end is the
// output of a process ("r") or its input ("w"). The process has the other standard files of this
// one. If the program does not close the file, the process is killed when the Host is closed, on
// Unix together with the processes it has started.
func (p *processes) popen(c call) int {
	L := c.L
	command, mode := L.CheckString(1), L.OptString(2, "r")
	if mode != "r" && mode != "w" {
		L.ArgError(2, `invalid mode `+mode+`; want "r" or "w"`)
	}
	p.countProcesses()
	cmd, err := p.shell(context.Background(), p.world(L), command)
	if err != nil {
		return failed(L, err.Error())
	}
	p.started = append(p.started, cmd) // before the wait: the fiber may be killed in it
	end, err := fiberio.Make(p.world(L), c.fiber, fiber.Never, func(context.Context) (*os.File, error) { return piped(cmd, mode) },
		func(end *os.File) {
			_ = end.Close()
			_ = procgroup.Kill(cmd) // killAll waits for it
		})
	if err = c.back(err); err != nil {
		p.forget(cmd)
		return failed(L, err.Error())
	}
	ud := p.files.newFile(L, p.world(L).NewFile(end), mode == "r", mode == "w")
	p.files.fileOf(L, ud).process = cmd
	return push(L, ud)
}

// piped starts the process, and returns our end of the pipe.
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

// killAll ends the processes that were not waited for.
func (p *processes) killAll() {
	for _, cmd := range p.started {
		if cmd.Process != nil {
			_ = procgroup.Kill(cmd) // it may have ended
			_ = cmd.Wait()
		}
	}
}

func (p *processes) forget(cmd *exec.Cmd) {
	if i := slices.Index(p.started, cmd); i >= 0 {
		p.started = slices.Delete(p.started, i, i+1)
	}
}

// closePipe is file:close() of a pipe: it waits for the end of the process, and returns its status. If
// the fiber is interrupted, the process is killed.
func (p *processes) closePipe(c call, cmd *exec.Cmd) int {
	_, err := fiberio.Wait(p.world(c.L), c.fiber, fiber.Never, func(ctx context.Context) (any, error) {
		defer context.AfterFunc(ctx, func() { _ = procgroup.Kill(cmd) })()
		return nil, cmd.Wait()
	})
	if _, stopped := err.(*stackful.Interrupt); stopped {
		_ = procgroup.Kill(cmd) // if the wait has not begun, killAll waits
	} else if cmd.ProcessState != nil {
		p.forget(cmd)
	}
	err = c.back(err)
	if err != nil && !errors.As(err, new(*exec.ExitError)) && !errors.Is(err, exec.ErrWaitDelay) {
		return failed(c.L, err.Error())
	}
	return push(c.L, glua.LNumber(cmd.ProcessState.ExitCode()))
}
