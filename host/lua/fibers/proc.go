package fibers

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/internal/procgroup"
	"github.com/selvage-dev/selvage/sandbox"
)

// processes starts processes, and ends those that are left.
type processes struct {
	*external
	files   *files
	started []*exec.Cmd // processes of popen that were not waited for
}

func openProc(x *external) *processes {
	p := &processes{external: x}
	p.module("proc", functions{"run": p.run})
	p.replaceExecute()
	return p
}

// run is proc.run{ "name", "argument", …, stdin =, dir =, env = {}, timeout =, linger = }.
func (p *processes) run(L *glua.LState) int {
	spec, c := L.CheckTable(1), p.begin(L)
	command, deadline := p.command(L, spec)
	exit, err := p.world(L).Run(c.fiber, command, deadline)
	if c.timedOut(err) {
		return 2
	}
	result := L.NewTable()
	result.RawSetString("code", glua.LNumber(exit.Code))
	result.RawSetString("stdout", glua.LString(exit.Stdout))
	result.RawSetString("stderr", glua.LString(exit.Stderr))
	result.RawSetString("cut", glua.LBool(exit.Cut))
	return push(L, result)
}

func (p *processes) command(L *glua.LState, spec *glua.LTable) (c fiberio.Command, deadline fiber.Time) {
	for i := 1; i <= spec.Len(); i++ {
		v := spec.RawGetInt(i)
		if !glua.LVCanConvToString(v) {
			L.ArgError(1, "the program and its arguments are strings, got "+typeName(v))
		}
		c.Args = append(c.Args, v.String())
	}
	if len(c.Args) == 0 {
		L.ArgError(1, `no program; want proc.run{ "name", "argument", ... }`)
	}
	c.Path, c.Args = c.Args[0], c.Args[1:]
	o := p.options(L, 1, spec.Len(), "stdin", "dir", "env", "timeout", "linger")
	c.Stdin, c.Dir, c.Linger = []byte(o.text("stdin")), o.text("dir"), o.seconds("linger")
	c.Env = append([]string{}, p.vars...)
	if env := o.table("env"); env != nil {
		each(L, "env", env, func(name, value string) { c.Env = append(c.Env, name+"="+value) })
	}
	return c, o.timeout()
}

// replaceExecute makes os.execute block its fiber only. The process has the standard files of the
// program, and the result is 0 or 1, as that of gopher-lua; a program that is refused the shell gets
// the reason too.
func (p *processes) replaceExecute() {
	L := p.state.Base()
	execute := L.GetField(L.GetGlobal("os"), "execute").(*glua.LFunction)
	execute.GFunction = func(L *glua.LState) int {
		c, command := p.begin(L), L.CheckString(1)
		p.countProcesses()
		world := p.world(L)
		_, err := fiberio.Wait(world, c.fiber, fiber.Never, func(ctx context.Context) (struct{}, error) {
			cmd, err := p.shell(ctx, world, command)
			if err == nil {
				err = cmd.Run()
			}
			return struct{}{}, err
		})
		err = c.back(err)
		switch refused := new(sandbox.AccessError); {
		case errors.As(err, &refused):
			return push(L, glua.LNumber(1), glua.LString(refused.Error()))
		case err != nil && !errors.Is(err, exec.ErrWaitDelay):
			return push(L, glua.LNumber(1))
		}
		return push(L, glua.LNumber(0))
	}
}

// shell is a command that has the standard files of the program. When it is killed, the processes
// it has started are killed too, unless it may read from a terminal: only a process in the group
// of this one can do that.
func (p *processes) shell(ctx context.Context, world *fiberio.World, command string) (*exec.Cmd, error) {
	name, flag := "/bin/sh", "-c"
	if runtime.GOOS == "windows" {
		name, flag = "cmd.exe", "/c"
	}
	cmd, err := world.Command(ctx, fiberio.Command{Path: name, Args: []string{flag, command}, Env: append([]string{}, p.vars...)})
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = p.inherited(p.cfg.Access.Stdout, p.cfg.Lua.Stdout), p.inherited(p.cfg.Access.Stderr, p.cfg.Lua.Stderr)
	cmd.WaitDelay = outputGrace
	stdin, isFile := p.cfg.Access.Stdin.(*os.File)
	if isFile {
		cmd.Stdin = stdin // another reader would lose what the process does not read
	}
	if !isFile || !terminal(stdin) {
		procgroup.Begin(cmd)
	}
	return cmd, nil
}

// outputGrace is how long processes in the background may write, after the shell has ended, to an output
// that is no file.
const outputGrace = time.Second

// inherited is the output of a process: a file itself, or else the locked form of the output. With a quota
// of output, all that the process writes passes through this process.
func (p *processes) inherited(to, locked io.Writer) io.Writer {
	if p.cfg.Quota.Output > 0 {
		return &processWriter{p.guest, locked}
	}
	if file, ok := to.(*os.File); ok {
		return file
	}
	return locked
}

// terminal returns whether a file may be a terminal: a device other than os.DevNull.
func terminal(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
