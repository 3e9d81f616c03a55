package fibers

import (
	"context"
	"os"
	"regexp"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
)

// openOpening makes the functions of io that open a file by its name wait as fibers.
func (h *Host) openOpening(lib glua.LValue) {
	L := h.state.Base()
	named := func(L *glua.LState) bool { return L.Get(1).Type() == glua.LTString }
	always := func(*glua.LState) bool { return true }
	h.replace(L.GetField(lib, "open"), always, h.openFile)
	h.replace(L.GetField(lib, "tmpfile"), always, h.tempFile)
	h.replace(L.GetField(lib, "popen"), always, h.popen)
	h.replace(L.GetField(lib, "lines"), named, h.linesOfNamed)
	h.replace(L.GetField(lib, "input"), named, h.standardFrom(2, "r"))
	h.replace(L.GetField(lib, "output"), named, h.standardFrom(1, "w"))
}

// replace has a function act if a fiber calls it, and it applies.
func (h *Host) replace(fn glua.LValue, applies func(*glua.LState) bool, act func(*glua.LState, *carrier) int) {
	f := fn.(*glua.LFunction)
	native := f.GFunction
	f.GFunction = func(L *glua.LState) int {
		if c := h.caller(L); c != nil && applies(L) {
			return act(L, c)
		}
		return native(L)
	}
}

// modes are those of C's fopen.
var modes = regexp.MustCompile(`^[rwa](\+b?|b\+?)?$`)

// flagsOf is what a mode means to the system.
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

func (h *Host) fopen(L *glua.LState, c *carrier, path, mode string) (*glua.LUserData, error) {
	flag, reads, writes := flagsOf(mode)
	disk, err := h.world(L).OpenFile(c.fiber, path, flag, 0o666, fiber.Never)
	if err = c.back(err); err != nil {
		return nil, err
	}
	return h.newFile(L, disk, reads, writes), nil
}

// openFile is io.open(path [, mode]).
func (h *Host) openFile(L *glua.LState, c *carrier) int {
	path, mode := L.CheckString(1), L.OptString(2, "r")
	if !modes.MatchString(mode) {
		L.ArgError(2, `invalid mode `+mode+`; want "r", "w", "a", "r+", "w+" or "a+"`)
	}
	ud, err := h.fopen(L, c, path, mode)
	if err != nil {
		return failed(L, err.Error())
	}
	L.Push(ud)
	return 1
}

// tempFile is io.tmpfile(), a file without a name.
func (h *Host) tempFile(L *glua.LState, c *carrier) int {
	made, err := fiberio.Make(h.world(L), c.fiber, fiber.Never, func(context.Context) (*os.File, error) {
		made, err := os.CreateTemp("", "")
		if err == nil {
			_ = os.Remove(made.Name()) // where an open file cannot be removed, it stays
		}
		return made, err
	}, func(made *os.File) { _ = made.Close() })
	if err = c.back(err); err != nil {
		return failed(L, err.Error())
	}
	L.Push(h.newFile(L, h.world(L).NewFile(made), true, true))
	return 1
}

// linesOfNamed is io.lines(path), which closes the file at its end.
func (h *Host) linesOfNamed(L *glua.LState, c *carrier) int {
	ud, err := h.fopen(L, c, L.CheckString(1), "r")
	h.check(L, err)
	f := h.fileOf(L, ud)
	return h.linesOf(L, f, func() { _ = f.close() })
}

// standardFrom is io.input(path) (2) and io.output(path) (1).
func (h *Host) standardFrom(n int, mode string) func(*glua.LState, *carrier) int {
	return func(L *glua.LState, c *carrier) int {
		ud, err := h.fopen(L, c, L.CheckString(1), mode)
		h.check(L, err)
		L.Get(glua.UpvalueIndex(1)).(*glua.LTable).RawSetInt(n, ud)
		L.Push(ud)
		return 1
	}
}
