package jit

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// get returns a register that holds a word: its own, or the one it is loaded into.
func (e *emitter) get(w int, into amd64.Reg) amd64.Reg {
	if r, ok := e.places[w].IsReg(); ok {
		return r
	}
	e.load(into, w)
	return into
}

// load copies a word into a register.
func (e *emitter) load(into amd64.Reg, w int) {
	if x, ok := e.places[w].IsXmm(); ok {
		e.Bits(into, x)
		return
	}
	if r, ok := e.places[w].IsReg(); ok && r == into {
		return
	}
	e.Mov(into, e.places[w])
}

// arg returns a word as an operand; a word in a float register is copied first.
func (e *emitter) arg(w int, into amd64.Reg) amd64.Arg {
	if x, ok := e.places[w].IsXmm(); ok {
		e.Bits(into, x)
		return amd64.In(into)
	}
	return e.places[w]
}

// target is the register in which a word is computed: its own, if it has one.
func (e *emitter) target(w int) amd64.Reg {
	if r, ok := e.places[w].IsReg(); ok {
		return r
	}
	return scratch
}

// put stores a register in a word.
func (e *emitter) put(w int, from amd64.Reg) {
	if x, ok := e.places[w].IsXmm(); ok {
		e.FromBits(x, from)
		return
	}
	if r, ok := e.places[w].IsReg(); !ok {
		e.Store(e.places[w], from)
	} else if r != from {
		e.Mov(r, amd64.In(from))
	}
}

// getF, argF, targetF and putF do the same for floats.
func (e *emitter) getF(w int, into amd64.Xmm) amd64.Xmm {
	if x, ok := e.places[w].IsXmm(); ok {
		return x
	}
	e.loadF(into, w)
	return into
}

func (e *emitter) loadF(into amd64.Xmm, w int) {
	if r, ok := e.places[w].IsReg(); ok {
		e.FromBits(into, r)
		return
	}
	if x, ok := e.places[w].IsXmm(); ok {
		if x != into {
			e.MovF(into, x)
		}
		return
	}
	e.LoadF(into, e.places[w])
}

func (e *emitter) argF(w int, into amd64.Xmm) amd64.Arg {
	if r, ok := e.places[w].IsReg(); ok {
		e.FromBits(into, r)
		return amd64.InX(into)
	}
	return e.places[w]
}

func (e *emitter) targetF(w int) amd64.Xmm {
	if x, ok := e.places[w].IsXmm(); ok {
		return x
	}
	return amd64.X0
}

func (e *emitter) putF(w int, from amd64.Xmm) {
	if r, ok := e.places[w].IsReg(); ok {
		e.Bits(r, from)
		return
	}
	if x, ok := e.places[w].IsXmm(); !ok {
		e.StoreF(e.places[w], from)
	} else if x != from {
		e.MovF(x, from)
	}
}

// move compiles copies of words and constants.
func (e *emitter) move(in *code.Instr) {
	a, b, n := int(in.A), int(in.B), int(in.C)
	switch in.Op {
	case code.MovN:
		e.copyWord(a, b)
	case code.MovNs:
		for i := range n {
			if a > b { // the windows may overlap
				i = n - 1 - i
			}
			e.copyWord(a+i, b+i)
		}
	case code.LoadI:
		e.constant(a, uint64(int64(in.D)))
	case code.LoadK:
		if in.D < 0 || int(in.D) >= len(e.fn.K) {
			e.refuse(in)
			return
		}
		e.constant(a, e.fn.K[in.D])
	case code.ZeroN:
		for i := range n {
			e.constant(a+i, 0)
		}
	default:
		e.refuse(in)
	}
}

func (e *emitter) copyWord(to, from int) {
	if e.places[to] == e.places[from] {
		return
	}
	if x, ok := e.places[to].IsXmm(); ok {
		e.loadF(x, from)
		return
	}
	if x, ok := e.places[from].IsXmm(); ok {
		e.putF(to, x)
		return
	}
	if r, ok := e.places[to].IsReg(); ok {
		e.load(r, from)
		return
	}
	e.put(to, e.get(from, scratch))
}

func (e *emitter) constant(to int, v uint64) {
	if x, ok := e.places[to].IsXmm(); ok && v == 0 {
		e.ZeroF(x)
		return
	}
	if r, ok := e.places[to].IsReg(); ok {
		e.MovImm(r, v)
		return
	}
	if _, ok := e.places[to].IsXmm(); !ok && int64(v) == int64(int32(v)) {
		e.StoreImm(e.places[to], int32(v))
		return
	}
	e.MovImm(scratch, v)
	e.put(to, scratch)
}
