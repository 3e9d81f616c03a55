package fibers

import (
	"bufio"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/wait"
)

// openInput makes io.stdin a file whose reads block their fiber only.
func (h *Host) openInput(stdin glua.LValue) {
	in := &file{host: h, lock: wait.NewMutex(wait.HandOver)}
	in.lock.SetName("the standard input")
	in.in = bufio.NewReader(in)
	h.outside.stdin, h.outside.input = stdin, in
}

// inputOf is fileOf, and knows the standard input. To the host itself, which has no fiber
// that could wait, that is gopher-lua's.
func (h *Host) inputOf(L *glua.LState, v glua.LValue) *file {
	if v != h.outside.stdin {
		return h.fileOf(L, v)
	}
	if h.caller(L) == nil {
		return nil
	}
	in := h.outside.input
	if in.from == nil {
		in.from = h.stdin(L)
	}
	return in
}

func (h *Host) stdin(L *glua.LState) *fiberio.Reader {
	if h.cfg.Stdin != nil {
		return h.world(L).NewReader(h.cfg.Stdin, "the standard input")
	}
	return h.world(L).Stdin()
}
