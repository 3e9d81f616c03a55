package jit

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
)

// maxWindow is the largest callee window of either bank that machine code allocates.
const maxWindow = 1 << 20

// call compiles a call of a known function. It builds the same frame as the interpreter and
// stores the native return address in the caller's frame. If the stack has no room, it exits to
// the interpreter.
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
	if callee.R > 0 { // otherwise the window begins within the caller's
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

// frameRoom loads the caller's frame into CX and checks that there is room for another behind it.
func (e *emitter) frameRoom(without amd64.Label) {
	e.frame(second)
	e.Lea(scratch, amd64.At(second, 2*e.t.Frame.Size))
	e.Op(amd64.Cmp, scratch, fromContext(execmem.OffFramesEnd))
	e.Jcc(amd64.Above, without)
}

// note stores the native return address in the frame in CX.
func (e *emitter) note(pc int) (back amd64.Label) {
	back = e.NewLabel()
	e.Store32Imm(amd64.At(second, e.t.Frame.PC), int32(pc+1))
	e.LeaLabel(scratch, back)
	e.Store(amd64.At(second, e.t.Frame.Ret), scratch)
	return back
}

// transfer decrements the budget and jumps to the callee.
func (e *emitter) transfer(pc int, interpret amd64.Label, jump func(missing amd64.Label)) {
	expired, missing := e.NewLabel(), e.NewLabel()
	e.OpImm(amd64.Sub, amd64.In(budget), 1)
	e.Jcc(amd64.Less, expired)
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

// push builds a function's frame behind the one in CX, and its window.
func (e *emitter) push(fn amd64.Reg, a, b int32) {
	fr := e.t.Frame
	next := func(off int32) amd64.Arg { return amd64.At(second, fr.Size+off) }
	e.Store(next(fr.Fn), fn)
	e.MovImm(scratch, uint64(b)<<32|uint64(a)) // stores both bases at once: RB follows NB
	e.Op(amd64.Add, scratch, amd64.At(second, fr.NB))
	e.Store(next(fr.NB), scratch)
	e.StoreImm(next(fr.PC), 0) // also clears the flags, which follow
	e.StoreImm(next(fr.Ret), 0)
	e.OpImm(amd64.Add, amd64.In(second), fr.Size)
	e.Store(fromContext(execmem.OffFrame), second)
	e.OpImm(amd64.Add, amd64.In(words), a*wordSize)
	if b > 0 {
		e.OpImm(amd64.Add, fromContext(execmem.OffR), b*refSize)
	}
}

// comeBack compiles the return point of the call before pc. The return address stays in the
// frame, so other callees may return here too. If the frame's PC is pc, the return is from this
// call, or from one that an unwind made with another window.
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

// ret returns to the caller, natively if the caller's frame has a native return address. The
// first frame of a fiber is left to the interpreter.
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

// results moves a function's results to the start of its window.
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

// pop removes the frame in CX and continues after the call.
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
