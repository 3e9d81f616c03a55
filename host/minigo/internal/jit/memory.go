package jit

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
)

// ref is the memory operand of a reference in the window: its type there, its data behind it. It
// loads the base of the references into the register.
func (e *emitter) ref(in *code.Instr, r int, base amd64.Reg) amd64.Arg {
	if r >= e.fn.R {
		e.refuse(in)
	}
	e.Mov(base, fromContext(execmem.OffR))
	return amd64.At(base, int32(r)*refSize)
}

// behind is the second word at a place that ref returned.
func behind(r int, base amd64.Reg) amd64.Arg { return amd64.At(base, int32(r)*refSize+data) }

// objectOf loads the object of a reference into CX. If the reference is not an object, the
// interpreter handles the instruction.
func (e *emitter) objectOf(pc int, in *code.Instr, r int) {
	e.typed(in, r, e.t.Object, e.interpret(pc))
}

// typed loads a reference's data into CX, if it has the type.
func (e *emitter) typed(in *code.Instr, r int, t uintptr, otherwise amd64.Label) {
	at := e.ref(in, r, second)
	e.MovImm(third, uint64(t))
	e.OpTo(amd64.Cmp, at, third)
	e.Jcc(amd64.NotEqual, otherwise)
	e.Mov(second, behind(r, second))
}

// object compiles accesses to globals and to objects at constant offsets.
func (e *emitter) object(pc int, in *code.Instr) {
	switch in.Op {
	case code.LoadN:
		e.fetch(int(in.A), e.fixedWord(pc, in, int(in.B)))
	case code.StoreN:
		e.deposit(e.fixedWord(pc, in, int(in.A)), int(in.B))
	case code.LoadGN, code.StoreGN:
		e.globalWord(in)
	case code.SetP0:
		e.OpImm(amd64.Cmp, e.ref(in, int(in.A), second), 0)
		e.Jcc(amd64.Equal, e.interpret(pc))
	default:
		e.objectRef(pc, in)
	}
}

// fixedWord is word D of a referenced object, bounds-checked.
func (e *emitter) fixedWord(pc int, in *code.Instr, ref int) amd64.Arg {
	if at, ok := e.foundWord(pc, in, ref); ok {
		return at
	}
	e.objectOf(pc, in, ref)
	return e.fixed(pc, in, objectN, wordSize)
}

// maxFixed is the largest constant offset in an object.
const maxFixed = 1 << 26

// fixed is word or reference D of the object in CX, bounds-checked.
func (e *emitter) fixed(pc int, in *code.Instr, bank, size int32) amd64.Arg {
	if in.D < 0 || in.D > maxFixed {
		e.refuse(in)
	}
	e.OpImm(amd64.Cmp, amd64.At(second, bank+length), in.D)
	e.Jcc(amd64.BelowEqual, e.interpret(pc))
	e.Mov(second, amd64.At(second, bank))
	return amd64.At(second, in.D*size)
}

// globalWord reads or writes a package-level variable.
func (e *emitter) globalWord(in *code.Instr) {
	if in.D < 0 || int(in.D) >= len(e.t.Globals) || len(e.t.Globals[in.D].N) == 0 {
		e.refuse(in)
		return
	}
	e.MovImm(second, uint64(address(&e.t.Globals[in.D].N[0])))
	if in.Op == code.LoadGN {
		e.fetch(int(in.A), amd64.At(second, 0))
		return
	}
	e.deposit(amd64.At(second, 0), int(in.A))
}

// fetch loads a word of an object, and deposit stores one.
func (e *emitter) fetch(w int, at amd64.Arg) {
	if x, ok := e.places[w].IsXmm(); ok {
		e.LoadF(x, at)
		return
	}
	dst := e.target(w)
	e.Mov(dst, at)
	e.put(w, dst)
}

func (e *emitter) deposit(at amd64.Arg, w int) {
	if x, ok := e.places[w].IsXmm(); ok {
		e.StoreF(at, x)
		return
	}
	e.Store(at, e.get(w, third))
}

// element compiles accesses with a computed index.
func (e *emitter) element(pc int, in *code.Instr) {
	switch in.Op {
	case code.IdxN:
		e.fetch(int(in.A), e.sliceWord(pc, pc))
	case code.SetN:
		e.deposit(e.sliceWord(pc, pc), int(in.A))
	case code.IdxR, code.SetR:
		e.elementRef(in, e.sliceRef(pc, in))
	case code.IdxOff:
		e.index(pc, int(in.C), e.arg(int(in.B)+1, second))
		e.Op(amd64.Add, scratch, e.arg(int(in.B), second))
		e.put(int(in.A), scratch)
	case code.ArrOff:
		e.load(scratch, int(in.B))
		if in.D < 0 {
			e.refuse(in)
		}
		e.OpImm(amd64.Cmp, amd64.In(scratch), in.D)
		e.Jcc(amd64.AboveEqual, e.interpret(pc))
		e.put(int(in.A), scratch)
	case code.ElemN:
		e.inArray(pc, in)
		e.fetch(int(in.A), e.indexedWord(pc, in))
	case code.SElemN:
		e.inArray(pc, in)
		e.deposit(e.indexedWord(pc, in), int(in.A))
	case code.ElemR, code.SElemR:
		e.inArray(pc, in)
		e.elementRef(in, e.indexedRef(pc, in))
	default:
		e.character(pc, in)
	}
}

// index loads an index into AX and checks it against a length.
func (e *emitter) index(pc, w int, length amd64.Arg) {
	e.load(scratch, w)
	e.Op(amd64.Cmp, scratch, length)
	e.Jcc(amd64.AboveEqual, e.interpret(pc))
}

// sliceWord is the slice element that the instruction accesses, bounds-checked before the one at
// pc; sliceRef is the same for a slice of references.
func (e *emitter) sliceWord(pc, access int) amd64.Arg {
	in := &e.fn.Code[access]
	if at, ok := e.foundElement(pc, in, aSlice); ok {
		return at
	}
	e.inSlice(pc, in)
	if len(e.f.ops[access].objects) > 0 {
		return e.indexedWord(pc, in)
	}
	return e.loadedWord(pc, in)
}

func (e *emitter) sliceRef(pc int, in *code.Instr) amd64.Arg {
	if at, ok := e.foundElement(pc, in, ofRefs); ok {
		return at
	}
	e.inSlice(pc, in)
	return e.indexedRef(pc, in)
}

// inSlice computes an element's index in its object into AX.
func (e *emitter) inSlice(pc int, in *code.Instr) {
	if in.D < 0 || int(in.D) >= e.fn.N {
		e.refuse(in)
		return
	}
	i := e.get(int(in.D), scratch)
	e.Op(amd64.Cmp, i, e.arg(int(in.B)+1, second))
	e.Jcc(amd64.AboveEqual, e.interpret(pc))
	if from, ok := e.places[in.B].IsReg(); ok {
		e.Lea(scratch, amd64.AtIndex(from, i, 0, 0))
		return
	}
	e.load(scratch, int(in.D))
	e.Op(amd64.Add, scratch, e.arg(int(in.B), second))
}

// putsConstant compiles the store of a constant into a slice, if the constant's word has no other
// use. The bounds check comes before the constant is loaded.
func (e *emitter) putsConstant(pc int, in *code.Instr) bool {
	if in.Op != code.LoadI || pc+1 >= len(e.fn.Code) || e.f.jumpedTo[pc+1] {
		return false
	}
	set, a := &e.fn.Code[pc+1], int32(in.A)
	word, known := e.f.number[candidate{at: int(a)}]
	if set.Op != code.SetN || set.A != in.A || !known || e.f.liveAfter(pc+1).has(word) {
		return false
	}
	if b := int32(set.B); set.D == a || b == a || b+1 == a {
		return false
	}
	e.StoreImm(e.sliceWord(pc, pc+1), in.D)
	e.skip = pc + 1
	return true
}

// inArray does the same for an array, or a field of an element.
func (e *emitter) inArray(pc int, in *code.Instr) {
	stride, off := in.D>>16, in.D&0xffff
	if stride == 1 {
		e.load(scratch, int(in.B))
	} else {
		e.ImulImm(scratch, e.arg(int(in.B), second), stride)
	}
	if off != 0 {
		e.OpImm(amd64.Add, amd64.In(scratch), off)
	}
}

// indexedWord is the word at index AX of the accessed object, bounds-checked.
func (e *emitter) indexedWord(pc int, in *code.Instr) amd64.Arg {
	_, place, count, ok := e.found(int(in.C))
	if !ok {
		return e.loadedWord(pc, in)
	}
	e.Op(amd64.Cmp, scratch, amd64.In(count))
	e.Jcc(amd64.AboveEqual, e.interpret(pc))
	return amd64.AtIndex(place, scratch, 3, 0)
}

// loadedWord is the same for an object that has to be loaded first.
func (e *emitter) loadedWord(pc int, in *code.Instr) amd64.Arg {
	e.objectOf(pc, in, int(in.C))
	e.inBounds(pc, objectN)
	return amd64.AtIndex(second, scratch, 3, 0)
}

// indexedRef is the same for a reference, which takes two words.
func (e *emitter) indexedRef(pc int, in *code.Instr) amd64.Arg {
	e.objectOf(pc, in, int(in.C))
	e.inBounds(pc, objectR)
	e.ShiftImm(amd64.Shl, amd64.In(scratch), 4)
	return amd64.AtIndex(second, scratch, 0, 0)
}

// append is the fast path of appending a word. Without room, the machine appends.
func (e *emitter) append(pc int, in *code.Instr) {
	x := &e.fn.Aux[in.D].I
	s, slow := int(x[2]), e.exit(Cold, pc)
	e.load(scratch, s+1)
	e.Op(amd64.Cmp, scratch, e.arg(s+2, second))
	e.Jcc(amd64.AboveEqual, slow)
	e.Op(amd64.Add, scratch, e.arg(s, second))
	at := amd64.AtIndex(second, scratch, 3, 0)
	if _, place, count, ok := e.found(int(x[3])); ok {
		e.Op(amd64.Cmp, scratch, amd64.In(count))
		e.Jcc(amd64.AboveEqual, slow)
		at = amd64.AtIndex(place, scratch, 3, 0)
	} else {
		e.typed(in, int(x[3]), e.t.Object, slow)
		e.Op(amd64.Cmp, scratch, amd64.At(second, objectN+length))
		e.Jcc(amd64.AboveEqual, slow)
		e.Mov(second, amd64.At(second, objectN))
	}
	e.deposit(at, int(x[4]))
	size := e.target(s + 1)
	e.load(size, s+1)
	e.OpImm(amd64.Add, amd64.In(size), 1)
	e.put(s+1, size)
}

// inBounds checks AX against the length of a bank of the object in CX, and loads the bank's
// address into CX.
func (e *emitter) inBounds(pc int, bank int32) {
	e.Op(amd64.Cmp, scratch, amd64.At(second, bank+length))
	e.Jcc(amd64.AboveEqual, e.interpret(pc))
	e.Mov(second, amd64.At(second, bank))
}

// character compiles accesses to the bytes of a string.
func (e *emitter) character(pc int, in *code.Instr) {
	if in.Op == code.IdxStr {
		e.typed(in, int(in.B), e.t.String, e.interpret(pc))
		e.index(pc, int(in.C), amd64.At(second, length))
		e.Mov(second, amd64.At(second, 0))
		dst := e.target(int(in.A))
		e.Zext8(dst, amd64.AtIndex(second, scratch, 0, 0))
		e.put(int(in.A), dst)
		return
	}
	empty := e.NewLabel()
	at := e.ref(in, int(in.B), second)
	e.MovImm(scratch, 0)
	e.OpImm(amd64.Cmp, at, 0)
	e.Jcc(amd64.Equal, empty)
	e.MovImm(third, uint64(e.t.String))
	e.OpTo(amd64.Cmp, at, third)
	e.Jcc(amd64.NotEqual, e.interpret(pc))
	e.Mov(second, behind(int(in.B), second))
	e.Mov(scratch, amd64.At(second, length))
	e.Bind(empty)
	e.put(int(in.A), scratch)
}
