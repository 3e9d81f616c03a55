package fibers

import (
	"context"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/sandbox"
)

// openOS changes the functions of os that reach something outside of the program. Those that tell the time are
// package lua's.
func openOS(h *Host) {
	L, fs := h.env.state.Base(), h.files
	lib := L.GetGlobal("os")
	of := func(name string) *glua.LFunction { return L.GetField(lib, name).(*glua.LFunction) }
	of("exit").GFunction = h.exitProgram
	of("getenv").GFunction = h.env.getenv
	of("setenv").GFunction = h.env.setenv
	always := func(*glua.LState) bool { return true }
	fs.replace(of("remove"), always, fs.removeFile)
	fs.replace(of("rename"), always, fs.renameFile)
	fs.replace(of("tmpname"), always, fs.tempName)
	h.env.setPath(L)
}

// getenv is os.getenv(name): nil also for an empty variable.
func (e *env) getenv(L *glua.LState) int {
	value := e.variable(L.CheckString(1))
	if value == "" {
		return push(L, glua.LNil)
	}
	return push(L, glua.LString(value))
}

// variable is the last value of a variable, as for a process.
func (e *env) variable(name string) (value string) {
	for _, v := range e.vars {
		if n, of, ok := strings.Cut(v, "="); ok && n == name {
			value = of
		}
	}
	return value
}

// setenv is os.setenv(name, value). The program and the processes that it starts see it.
func (e *env) setenv(L *glua.LState) int {
	name, value := L.CheckString(1), L.CheckString(2)
	if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00") {
		return push(L, glua.LNil, glua.LString("setenv: invalid argument"))
	}
	kept := make([]string, 0, len(e.vars)+1) // the list belongs to the Config
	for _, v := range e.vars {
		if n, _, _ := strings.Cut(v, "="); n != name {
			kept = append(kept, v)
		}
	}
	e.vars = append(kept, name+"="+value)
	return push(L, glua.LTrue)
}

// setPath sets package.path from LUA_PATH, as Lua does.
func (e *env) setPath(L *glua.LState) {
	path := glua.LuaPathDefault
	if named := e.variable(glua.LuaPath); named != "" {
		path = strings.ReplaceAll(named, ";;", ";"+path+";")
	}
	L.SetField(L.GetGlobal("package"), "path", glua.LString(path))
}

// onFiles makes a call on the files of the program, for a function of os: it returns true, or nil and the reason.
func (fs *files) onFiles(c call, do func(*sandbox.Tree) error) int {
	world := fs.world(c.L)
	_, err := fiberio.Do(world, c.fiber, fiber.Never, func(context.Context) (struct{}, error) { return struct{}{}, do(world.Tree()) })
	if err = c.back(err); err != nil {
		return push(c.L, glua.LNil, glua.LString(err.Error()))
	}
	return push(c.L, glua.LTrue)
}

// removeFile is os.remove(path).
func (fs *files) removeFile(c call) int {
	path := c.L.CheckString(1)
	return fs.onFiles(c, func(t *sandbox.Tree) error { return t.Remove(path) })
}

// renameFile is os.rename(from, to).
func (fs *files) renameFile(c call) int {
	from, to := c.L.CheckString(1), c.L.CheckString(2)
	return fs.onFiles(c, func(t *sandbox.Tree) error { return t.Rename(from, to) })
}

// tempName is os.tmpname(): the name of a file that can be made.
func (fs *files) tempName(c call) int {
	world := fs.world(c.L)
	name, err := fiberio.Do(world, c.fiber, fiber.Never, func(context.Context) (string, error) {
		file, err := world.Tree().CreateTemp()
		if err != nil {
			return "", err
		}
		_ = file.Close()
		return file.Name(), world.Tree().Remove(file.Name())
	})
	c.check(err)
	return push(c.L, glua.LString(name))
}
