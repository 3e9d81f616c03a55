package jit

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
)

// maxWindow is the largest window a callee may have of either bank.
const maxWindow = 1 << 20

// call writes a call of a function. It makes the frame as the interpreter does, and says in
// the caller's where to go on natively; without room, the interpreter calls.
func (e *emitter) call(pc int, in *code.Instr) {
	if e.inline(pc, in) {
		return
	}
	e.refs = true // the frame refers to the function
	callee, fr := e.t.Funcs[in.D], e.t.Frame
	a, b := int32(in.A), int32(in.B)
	if int(b) > e.fn.R || fr.RB != fr.NB+4 || fr.Flags != fr.PC+4 || callee.N > maxWindow || callee.R > maxWindow {
		e.refuse(in)
		return
	}
	e.spill(pc)
	interpret := e.NewLabel()
	e.frameRoom(interpret)
	e.wordsRoom(a, callee, interpret)
	if callee.R > 0 { // else the window begins within the caller's
		e.Mov(third, fromContext(execmem.OffR))
		e.Lea(scratch, amd64.At(third, (b+int32(callee.R))*refSize))
		e.Op(amd64.Cmp, scratch, fromContext(execmem.OffRefEnd))
		e.Jcc(amd64.Above, interpret)
	}
	back := e.note(pc)
	e.MovImm(scratch, uint64(address(callee)))
	e.push(scratch, a, b)
	e.transfer(pc, interpret, func(missing amd64.Label) {
		if callee == e.fn {
			e.Jmp(e.entries[0])
			return
		}
		e.Mov(scratch, fromContext(execmem.OffEntries))
		e.Mov(scratch, amd64.At(scratch, in.D*wordSize))
		e.Test(scratch)
		e.Jcc(amd64.Equal, missing)
		e.JmpTo(amd64.In(scratch))
	})
	e.comeBack(pc+1, a, b, back)
}

// frameRoom leaves the caller's frame in CX, if there is room for one behind it.
func (e *emitter) frameRoom(without amd64.Label) {
	e.frame(second)
	e.Lea(scratch, amd64.At(second, 2*e.t.Frame.Size))
	e.Op(amd64.Cmp, scratch, fromContext(execmem.OffFramesEnd))
	e.Jcc(amd64.Above, without)
}

// note says in the frame in CX where it goes on.
func (e *emitter) note(pc int) (back amd64.Label) {
	back = e.NewLabel()
	e.Store32Imm(amd64.At(second, e.t.Frame.PC), int32(pc+1))
	e.LeaLabel(scratch, back)
	e.Store(amd64.At(second, e.t.Frame.Ret), scratch)
	return back
}

// transfer takes the call from the budget and jumps to the callee.
func (e *emitter) transfer(pc int, interpret amd64.Label, jump func(missing amd64.Label)) {
	expired, missing := e.NewLabel(), e.NewLabel()
	e.OpImm(amd64.Sub, amd64.In(budget), 1)
	e.Jcc(amd64.Below, expired)
	jump(missing)
	e.later = append(e.later, func() {
		e.Bind(interpret)
		e.frame(second)
		e.Store32Imm(amd64.At(second, e.t.Frame.PC), int32(pc))
		e.out(Interpret)
		e.Bind(expired)
		e.out(Expired)
		e.Bind(missing)
		e.out(Called)
	})
}

// push makes the frame of a function behind the one in CX, and its window.
func (e *emitter) push(fn amd64.Reg, a, b int32) {
	fr := e.t.Frame
	next := func(off int32) amd64.Arg { return amd64.At(second, fr.Size+off) }
	e.Store(next(fr.Fn), fn)
	e.MovImm(scratch, uint64(b)<<32|uint64(a)) // both bases at once: RB is behind NB
	e.Op(amd64.Add, scratch, amd64.At(second, fr.NB))
	e.Store(next(fr.NB), scratch)
	e.StoreImm(next(fr.PC), 0) // and the flags behind it
	e.StoreImm(next(fr.Ret), 0)
	e.OpImm(amd64.Add, amd64.In(second), fr.Size)
	e.Store(fromContext(execmem.OffFrame), second)
	e.OpImm(amd64.Add, amd64.In(words), a*wordSize)
	if b > 0 {
		e.OpImm(amd64.Add, fromContext(execmem.OffR), b*refSize)
	}
}

// comeBack is where the callee of the call before pc returns to. Others may do so, as the place
// stays noted; but if the frame says that pc is next, it was that call, or one that an unwind
// has made out of turn, with another window.
func (e *emitter) comeBack(pc int, a, b int32, back amd64.Label) {
	fr := e.t.Frame
	e.Bind(back)
	e.frame(second)
	e.Op32Imm(amd64.Cmp, amd64.At(second, fr.PC), int32(pc))
	elsewhere := e.NewLabel()
	e.Jcc(amd64.NotEqual, elsewhere)
	e.later = append(e.later, func() {
		e.Bind(elsewhere)
		e.out(Returned)
	})
	if pc == e.fn.Epilogue {
		e.out(Returned)
	} else {
		e.OpImm(amd64.Sub, amd64.In(words), a*wordSize)
		if b > 0 {
			e.OpImm(amd64.Sub, fromContext(execmem.OffR), b*refSize)
		}
	}
	if pc < len(e.fn.Code) {
		e.enterHere(pc)
	}
}

// ret returns to the caller: natively, if it was left so. The first frame of a fiber is the
// interpreter's to end.
func (e *emitter) ret(pc int, in *code.Instr) {
	if e.way == nil {
		e.frame(second)
		e.Op(amd64.Cmp, second, fromContext(execmem.OffBottom))
		e.Jcc(amd64.Equal, e.interpret(pc))
	}
	e.results(pc, in)
	if e.way != nil {
		e.Jmp(e.way.done)
		return
	}
	e.pop()
}

// results puts what a function returns where its window begins.
func (e *emitter) results(pc int, in *code.Instr) {
	results := span{0, e.fn.ResN}
	if in.Op == code.RetN {
		results = span{1, max(0, e.fn.ResN-1)}
		if x, ok := e.places[in.A].IsXmm(); ok {
			e.StoreF(inWindow(0), x)
		} else {
			e.Store(inWindow(0), e.get(int(in.A), scratch))
		}
	}
	e.store(e.f.setOf([]span{results}, oneWord) & e.f.dirty[pc])
}

// pop takes off the frame in CX and goes on behind the call.
func (e *emitter) pop() {
	fr := e.t.Frame
	e.OpImm(amd64.Sub, amd64.In(second), fr.Size)
	e.Store(fromContext(execmem.OffFrame), second)
	e.Mov(scratch, amd64.At(second, fr.Ret))
	e.Test(scratch)
	returned := e.NewLabel()
	e.Jcc(amd64.Equal, returned)
	e.JmpTo(amd64.In(scratch))
	e.later = append(e.later, func() {
		e.Bind(returned)
		e.out(Returned)
	})
}
