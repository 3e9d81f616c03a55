package fibers

import (
	"bufio"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/wait"
)

// openInput makes the reads of io.stdin block their fiber only.
func (fs *files) openInput(stdin glua.LValue) {
	in := &file{lib: fs, lock: wait.NewMutex(wait.HandOver)}
	in.lock.SetName("the standard input")
	in.in = bufio.NewReader(in)
	fs.stdin, fs.input = stdin, in
}

// inputOf is fileOf, but knows the standard input too. Lua code of the host, which has no fiber
// that could wait, gets gopher-lua's.
func (fs *files) inputOf(L *glua.LState, v glua.LValue) *file {
	if v != fs.stdin {
		return fs.fileOf(L, v)
	}
	if fs.caller(L) == nil {
		return nil
	}
	in := fs.input
	if in.from == nil {
		in.from = fs.reader(L)
	}
	return in
}

func (fs *files) reader(L *glua.LState) *fiberio.Reader {
	if fs.cfg.Stdin != nil {
		return fs.world(L).NewReader(fs.cfg.Stdin, "the standard input")
	}
	return fs.world(L).Stdin()
}
