package fibers

import (
	"context"
	"os"
	"regexp"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/sandbox"
)

// replaceOpening makes the functions of io that open a file by its name block their fiber only.
func (fs *files) replaceOpening(lib glua.LValue) {
	L := fs.state.Base()
	named := func(L *glua.LState) bool { return L.Get(1).Type() == glua.LTString }
	always := func(*glua.LState) bool { return true }
	fs.replace(L.GetField(lib, "open"), always, fs.openFile)
	fs.replace(L.GetField(lib, "tmpfile"), always, fs.tempFile)
	fs.replace(L.GetField(lib, "popen"), always, fs.processes.popen)
	fs.replace(L.GetField(lib, "lines"), func(L *glua.LState) bool { return L.GetTop() > 0 }, fs.linesOfNamed)
	fs.replace(L.GetField(lib, "input"), named, fs.standardFrom(2, "r"))
	fs.replace(L.GetField(lib, "output"), named, fs.standardFrom(1, "w"))
}

// replace makes a function of gopher-lua call act if a fiber calls it and applies returns true. Code of
// the host itself, which has no fiber, gets gopher-lua's function, but only with the access of the process.
func (fs *files) replace(fn glua.LValue, applies func(*glua.LState) bool, act func(call) int) {
	f := fn.(*glua.LFunction)
	native := f.GFunction
	f.GFunction = fs.state.Paying(func(L *glua.LState) int {
		if !applies(L) || fs.caller(L) == nil && fs.cfg.Access.Unrestricted() {
			return native(L)
		}
		return act(fs.begin(L))
	})
}

// modes are the modes of C's fopen.
var modes = regexp.MustCompile(`^[rwa](\+b?|b\+?)?$`)

// flagsOf translates a mode into the flags of the system.
func flagsOf(mode string) (flag int, reads, writes bool) {
	both := strings.Contains(mode, "+")
	reads, writes = both || mode[0] == 'r', both || mode[0] != 'r'
	switch {
	case both:
		flag = os.O_RDWR
	case writes:
		flag = os.O_WRONLY
	}
	return flag | map[byte]int{'r': 0, 'w': os.O_CREATE | os.O_TRUNC, 'a': os.O_CREATE | os.O_APPEND}[mode[0]], reads, writes
}

func (fs *files) fopen(c call, path, mode string) (*glua.LUserData, error) {
	flag, reads, writes := flagsOf(mode)
	disk, err := fs.world(c.L).OpenFile(c.fiber, path, flag, 0o666, fiber.Never)
	if err = c.back(err); err != nil {
		return nil, err
	}
	return fs.newFile(c.L, disk, reads, writes), nil
}

// openFile is io.open(path [, mode]).
func (fs *files) openFile(c call) int {
	L := c.L
	path, mode := L.CheckString(1), L.OptString(2, "r")
	if !modes.MatchString(mode) {
		L.ArgError(2, `invalid mode `+mode+`; want "r", "w", "a", "r+", "w+" or "a+"`)
	}
	ud, err := fs.fopen(c, path, mode)
	if err != nil {
		return failed(L, err.Error())
	}
	return push(L, ud)
}

// tempFile is io.tmpfile(): a file without a name.
func (fs *files) tempFile(c call) int {
	world := fs.world(c.L)
	made, err := fiberio.Make(world, c.fiber, fiber.Never, func(context.Context) (sandbox.File, error) {
		made, err := world.Tree().CreateTemp()
		if err == nil {
			_ = world.Tree().Remove(made.Name()) // a system that cannot remove an open file keeps it
		}
		return made, err
	}, func(made sandbox.File) { _ = made.Close() })
	if err = c.back(err); err != nil {
		return failed(c.L, err.Error())
	}
	return push(c.L, fs.newFile(c.L, world.NewFile(made), true, true))
}

// linesOfNamed is io.lines(path), which closes the file after the last line.
func (fs *files) linesOfNamed(c call) int {
	ud, err := fs.fopen(c, c.L.CheckString(1), "r")
	fs.check(c.L, err)
	f := fs.fileOf(c.L, ud)
	return fs.linesOf(c.L, f, func() { _ = f.close() })
}

// standardFrom is io.input(path) (2) and io.output(path) (1).
func (fs *files) standardFrom(n int, mode string) func(call) int {
	return func(c call) int {
		ud, err := fs.fopen(c, c.L.CheckString(1), mode)
		fs.check(c.L, err)
		return setStandard(c.L, n, ud)
	}
}
