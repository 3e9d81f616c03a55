package jit

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
)

// The largest value that code copies between the window and an object.
const (
	maxValueN = 16
	maxValueR = 8
)

// isSmall reports whether the instruction is a LoadV, StoreV, LoadE or StoreE of a small value.
func isSmall(x *code.Aux) bool {
	i := &x.I
	return i[0] >= 0 && i[1] >= 0 && i[2] >= 0 && i[2] <= maxFixed && i[3] >= 0 && i[3] <= maxFixed &&
		i[4] >= 0 && i[4] <= maxValueN && i[5] >= 0 && i[5] <= maxValueR
}

// value compiles the copy of a small value between the window and an object. It checks the whole
// range before it copies any word.
func (e *emitter) value(pc int, in *code.Instr) {
	x := &e.fn.Aux[in.D].I
	object, index := int(in.B), -1
	switch in.Op {
	case code.StoreV:
		object = int(in.A)
	case code.LoadE, code.StoreE:
		object, index = int(in.C), int(in.B)
	}
	if int(x[1]+x[5]) > e.fn.R {
		e.refuse(in)
		return
	}
	load := in.Op == code.LoadV || in.Op == code.LoadE
	e.objectOf(pc, in, object)
	words := part{bank: objectN, index: index, stride: x[6], off: x[2], n: x[4]}
	refs := part{bank: objectR, index: index, stride: x[7], off: x[3], n: x[5]}
	e.checkPart(pc, words)
	e.checkPart(pc, refs)
	if refs.n > 0 {
		e.refs = true
		e.copyRefs(refs, x[1], load)
	}
	if words.n > 0 {
		e.copyWords(words, int(x[0]), load)
	}
}

// part is the range of a value in one bank of an object.
type part struct {
	bank, stride, off, n int32
	index                int // the word that counts strides; -1 if there is none
}

// begin computes the start of the part into AX.
func (e *emitter) begin(p part) {
	if p.index < 0 {
		e.MovImm(scratch, uint64(p.off))
		return
	}
	e.ImulImm(scratch, e.arg(p.index, scratch), p.stride)
	e.OpImm(amd64.Add, amd64.In(scratch), p.off)
}

// checkPart checks that the object in CX contains the part.
func (e *emitter) checkPart(pc int, p part) {
	if p.n == 0 {
		return
	}
	size := amd64.At(second, p.bank+length)
	e.begin(p)
	e.Op(amd64.Cmp, scratch, size) // check the start first: start plus size may overflow
	e.Jcc(amd64.Above, e.interpret(pc))
	e.OpImm(amd64.Add, amd64.In(scratch), p.n)
	e.Op(amd64.Cmp, scratch, size)
	e.Jcc(amd64.Above, e.interpret(pc))
}

// copyRefs copies references between the object in CX and the window.
func (e *emitter) copyRefs(p part, r int32, load bool) {
	e.begin(p)
	e.ShiftImm(amd64.Shl, amd64.In(scratch), 4)
	e.Op(amd64.Add, scratch, amd64.At(second, p.bank))
	e.Mov(third, fromContext(execmem.OffR))
	for i := range p.n {
		from, to := amd64.At(third, (r+i)*refSize), amd64.At(scratch, i*refSize)
		if load {
			from, to = to, from
		}
		e.LoadPair(amd64.X0, from)
		e.StorePair(to, amd64.X0)
	}
}

// copyWords copies words between the object in CX and the window.
func (e *emitter) copyWords(p part, w int, load bool) {
	e.begin(p)
	e.Mov(second, amd64.At(second, p.bank))
	for i := range p.n {
		at := amd64.AtIndex(second, scratch, 3, i*wordSize)
		place := e.places[w+int(i)]
		if x, ok := place.IsXmm(); ok && load {
			e.LoadF(x, at)
		} else if ok {
			e.StoreF(at, x)
		} else if r, ok := place.IsReg(); ok && load {
			e.Mov(r, at)
		} else if ok {
			e.Store(at, r)
		} else if load {
			e.LoadF(amd64.X0, at)
			e.StoreF(place, amd64.X0)
		} else {
			e.LoadF(amd64.X0, place)
			e.StoreF(at, amd64.X0)
		}
	}
}
