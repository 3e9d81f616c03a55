package fibers

import (
	"context"
	"os"
	"os/exec"
	"runtime"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/internal/procgroup"
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
	if env := o.table("env"); env != nil {
		c.Env = os.Environ()
		each(L, "env", env, func(name, value string) { c.Env = append(c.Env, name+"="+value) })
	}
	return c, o.timeout()
}

// replaceExecute makes os.execute block its fiber only. Otherwise it does what gopher-lua's does:
// the process has the standard files of this one, and the result is 0 or 1.
func (p *processes) replaceExecute() {
	L := p.state.Base()
	execute := L.GetField(L.GetGlobal("os"), "execute").(*glua.LFunction)
	native := execute.GFunction
	execute.GFunction = func(L *glua.LState) int {
		c := p.caller(L)
		if c == nil || L.GetTop() == 0 {
			return native(L)
		}
		command := L.CheckString(1)
		_, err := fiberio.Wait(p.world(L), c.fiber, fiber.Never, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, shell(ctx, command).Run()
		})
		if err = c.back(err); err != nil {
			return push(L, glua.LNumber(1))
		}
		return push(L, glua.LNumber(0))
	}
}

// shell is a command that has the standard files of this process. When it is killed, the processes
// it has started are killed too, unless it may read from a terminal: only a process in the group
// of this one can do that.
func shell(ctx context.Context, command string) *exec.Cmd {
	name, flag := "/bin/sh", "-c"
	if runtime.GOOS == "windows" {
		name, flag = "cmd.exe", "/c"
	}
	cmd := exec.CommandContext(ctx, name, flag, command)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if !terminal(os.Stdin) {
		procgroup.Begin(cmd)
	}
	return cmd
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
