package fibers

import (
	"bufio"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/wait"
)

// openInput puts a file that reads Config.Access.Stdin into io.stdin, in place of the one of the process.
func (fs *files) openInput(stdin glua.LValue) {
	in := &file{lib: fs, lock: wait.NewMutex(wait.HandOver)}
	in.lock.SetName("the standard input")
	fs.stdin = stdin.(*glua.LUserData)
	fs.stdin.Value = in
}

// inputOf is fileOf for a file that is about to be read: it opens the standard input, which most programs never
// read, at the first read.
func (fs *files) inputOf(L *glua.LState, v glua.LValue) *file {
	in := fs.fileOf(L, v)
	if in != nil && in.from == nil {
		in.from, in.in = fs.world(L).Stdin(), bufio.NewReader(in)
	}
	return in
}
