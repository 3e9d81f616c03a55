package jit

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
)

// find loads objects and slices into their registers, before the instruction at pc.
func (e *emitter) find(s set, pc int) {
	e.each(s, func(i int, c candidate) {
		if c.kind == anObject {
			e.findObject(i, c)
		} else {
			e.findSlice(i, c, pc)
		}
	})
}

// refresh reloads the registers that depend on what an instruction has set.
func (e *emitter) refresh(pc int) {
	e.each(e.f.sets[pc]&^e.f.words, func(i int, _ candidate) { delete(e.proven, i) })
	if !e.f.sync(pc) {
		e.find(e.f.sets[pc]&^e.f.words&e.f.liveAfter(pc), pc+1)
	}
}

// findObject loads the address and the length of an object's words. The length is 0 if the
// reference is not an object: every access then exits to the interpreter.
func (e *emitter) findObject(i int, c candidate) {
	ref := int32(c.at) * refSize
	place, _ := e.regs.place[i].IsReg()
	count := e.regs.size[i]
	e.Mov(place, fromContext(execmem.OffR))
	e.MovImm(count, uint64(e.t.Object))
	e.OpTo(amd64.Cmp, amd64.At(place, ref), count)
	none, done := e.NewLabel(), e.NewLabel()
	e.Jcc(amd64.NotEqual, none)
	e.Mov(place, amd64.At(place, ref+data))
	e.Mov(count, amd64.At(place, objectN+length))
	e.Mov(place, amd64.At(place, objectN))
	e.Bind(done)
	e.later = append(e.later, func() {
		e.Bind(none)
		e.MovImm(place, 0)
		e.MovImm(count, 0)
		e.Jmp(done)
	})
}

// findSlice loads the address of a slice's first element. It checks that the object has all
// elements the window claims, so that later bounds checks compare with the length only. A slice
// that fails the check, or is not empty and has no object, is left to the interpreter.
func (e *emitter) findSlice(i int, c candidate, pc int) {
	place, _ := e.regs.place[i].IsReg()
	ref, bank, size := int32(c.ref)*refSize, objectN, uint8(3)
	if c.kind == ofRefs {
		bank, size = objectR, 4
	}
	none, done := e.NewLabel(), e.NewLabel()
	e.Mov(place, fromContext(execmem.OffR))
	e.MovImm(scratch, uint64(e.t.Object))
	e.OpTo(amd64.Cmp, amd64.At(place, ref), scratch)
	e.Jcc(amd64.NotEqual, none)
	e.Mov(place, amd64.At(place, ref+data))
	e.load(scratch, c.at)
	e.Mov(third, amd64.In(scratch))
	e.Op(amd64.Add, third, e.arg(c.at+1, second))
	e.Jcc(amd64.Below, e.interpret(pc)) // the end overflows
	e.Op(amd64.Cmp, third, amd64.At(place, bank+length))
	e.Jcc(amd64.Above, e.interpret(pc))
	e.ShiftImm(amd64.Shl, amd64.In(scratch), size)
	e.Op(amd64.Add, scratch, amd64.At(place, bank))
	e.Mov(place, amd64.In(scratch))
	e.Bind(done)
	e.later = append(e.later, func() {
		e.Bind(none)
		e.OpImm(amd64.Cmp, e.arg(c.at+1, second), 0)
		e.Jcc(amd64.Equal, done)
		e.Jmp(e.interpret(pc))
	})
}

// found returns the registers that hold the address and the length of an object's words, if it
// lives in registers; i is its number.
func (e *emitter) found(ref int) (i int, place, count amd64.Reg, ok bool) {
	i, ok = e.f.number[candidate{kind: anObject, at: ref}]
	if !ok || !e.regs.all.has(i) {
		return 0, 0, 0, false
	}
	place, _ = e.regs.place[i].IsReg()
	return i, place, e.regs.size[i], true
}

// foundWord is a word at a constant offset of an object in registers, bounds-checked. The first
// access checks for all later ones in its basic block; if the object is too short, the
// interpreter finds out which access fails.
func (e *emitter) foundWord(pc int, in *code.Instr, ref int) (at amd64.Arg, ok bool) {
	i, place, count, ok := e.found(ref)
	if !ok {
		return at, false
	}
	if in.D < 0 || in.D > maxFixed {
		e.refuse(in)
	}
	if e.proven[i] <= in.D {
		last := e.f.lastWord(pc, i)
		e.OpImm(amd64.Cmp, amd64.In(count), last)
		e.Jcc(amd64.BelowEqual, e.interpret(pc))
		e.proven[i] = last + 1
	}
	return amd64.At(place, in.D*wordSize), true
}

// lastWord is the largest constant offset at which an object is accessed from an instruction to
// the end of its basic block.
func (f *flow) lastWord(pc, object int) (last int32) {
	for ; ; pc++ {
		if in := &f.fn.Code[pc]; f.uses[pc].has(object) && (in.Op == code.LoadN || in.Op == code.StoreN) {
			last = max(last, in.D)
		}
		if _, jumps := f.target(pc); jumps || !falls(f.fn.Code[pc].Op) || f.sync(pc) || f.sets[pc].has(object) || pc+1 == len(f.fn.Code) || f.begins(pc+1) {
			return last
		}
	}
}

// begins reports whether an instruction starts a basic block: it is a jump target or an entry
// point.
func (f *flow) begins(pc int) bool {
	return pc == 0 || f.jumpedTo[pc] || pc == f.fn.Epilogue || f.sync(pc-1) || f.fn.Code[pc-1].Op == code.Append
}

// foundElement is an element of a slice in a register, bounds-checked.
func (e *emitter) foundElement(pc int, in *code.Instr, k kind) (at amd64.Arg, ok bool) {
	i, ok := e.f.number[candidate{k, int(in.B), int(in.C)}]
	if !ok || !e.regs.all.has(i) {
		return at, false
	}
	place, _ := e.regs.place[i].IsReg()
	index := e.get(int(in.D), scratch)
	e.Op(amd64.Cmp, index, e.arg(int(in.B)+1, second))
	e.Jcc(amd64.AboveEqual, e.interpret(pc))
	if _, ok := e.places[in.D].IsReg(); ok && e.f.heads[pc] {
		inside := guard{e.NewLabel(), int(in.D), int(in.B) + 1}
		e.Bind(inside.label)
		e.guards[pc] = inside
	}
	if k == aSlice {
		return amd64.AtIndex(place, index, 3, 0), true
	}
	e.load(scratch, int(in.D))
	e.ShiftImm(amd64.Shl, amd64.In(scratch), 4)
	return amd64.AtIndex(place, scratch, 0, 0), true
}
