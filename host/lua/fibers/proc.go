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

// runProcess is proc.run{ "name", "argument", …, stdin =, dir =, env = {}, timeout =, linger = }.
func (h *Host) runProcess(L *glua.LState) int {
	spec, c := L.CheckTable(1), h.self(L)
	command, deadline := h.command(L, spec)
	exit, err := h.world(L).Run(c.fiber, command, deadline)
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	result := L.NewTable()
	result.RawSetString("code", glua.LNumber(exit.Code))
	result.RawSetString("stdout", glua.LString(exit.Stdout))
	result.RawSetString("stderr", glua.LString(exit.Stderr))
	result.RawSetString("cut", glua.LBool(exit.Cut))
	L.Push(result)
	return 1
}

func (h *Host) command(L *glua.LState, spec *glua.LTable) (c fiberio.Command, deadline fiber.Time) {
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
	o := options{h, L, 1, spec}
	c.Stdin, c.Dir, c.Linger = []byte(o.text("stdin")), o.text("dir"), o.seconds("linger")
	if env := o.table("env"); env != nil {
		c.Env = os.Environ()
		each(L, "env", env, func(name, value string) { c.Env = append(c.Env, name+"="+value) })
	}
	return c, o.timeout()
}

// each goes through a table of strings.
func each(L *glua.LState, what string, t *glua.LTable, pair func(name, value string)) {
	for name, value := range pairs(t) {
		if !glua.LVCanConvToString(name) || !glua.LVCanConvToString(value) {
			L.RaiseError("%s: names and values are strings, got [%s] = %s", what, word(name), word(value))
		}
		pair(name.String(), value.String())
	}
}

// openExecute makes os.execute wait as a fiber. It is gopher-lua's otherwise: the process
// has the standard files of this one, and the result is 0 or 1.
func (h *Host) openExecute() {
	L := h.state.Base()
	execute := L.GetField(L.GetGlobal("os"), "execute").(*glua.LFunction)
	native := execute.GFunction
	execute.GFunction = func(L *glua.LState) int {
		c := h.caller(L)
		if c == nil || L.GetTop() == 0 {
			return native(L)
		}
		command := L.CheckString(1)
		_, err := fiberio.Wait(h.world(L), c.fiber, fiber.Never, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, shell(ctx, command).Run()
		})
		if err = c.back(err); err != nil {
			L.Push(glua.LNumber(1))
		} else {
			L.Push(glua.LNumber(0))
		}
		return 1
	}
}

// shell is a command that has the standard files of this process. It ends with what it has
// started, unless it may read from a terminal: only the group that this process is in can do that.
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

// terminal tells whether a file may be one: it is a device, and not the one that is always empty.
func terminal(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
