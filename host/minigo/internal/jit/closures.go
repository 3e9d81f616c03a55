package jit

import (
	"unsafe"

	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// The layout of closures and functions.
const (
	closureFunc = int32(unsafe.Offsetof(value.Closure{}.F))
	funcIndex   = int32(unsafe.Offsetof(code.Func{}.Index))
	funcN       = int32(unsafe.Offsetof(code.Func{}.N))
	funcR       = int32(unsafe.Offsetof(code.Func{}.R))
	funcClo     = int32(unsafe.Offsetof(code.Func{}.Clo))
)

// Registers of a closure call. They are free, because every value has been written back.
const (
	closure = amd64.R8
	callee  = amd64.R9
	number  = amd64.R10 // the callee's number
	itself  = amd64.R11 // the callee's register for its closure
)

// callClosure compiles a call of a closure; call does it for a known function.
func (e *emitter) callClosure(pc int, in *code.Instr) {
	e.refs = true
	a, b := int32(in.A), int32(in.B)
	if int(b) > e.fn.R || int(a) > e.fn.N {
		e.refuse(in)
		return
	}
	e.spill(pc)
	interpret := e.NewLabel()
	e.typed(in, int(in.C), e.t.Closure, interpret)
	e.Mov(closure, amd64.In(second))
	e.Mov(callee, amd64.At(closure, closureFunc))
	e.checkCallee(a, b, interpret)
	e.frameRoom(interpret)
	back := e.note(pc)
	e.push(callee, a, b)
	wantsNone := e.NewLabel()
	e.Test(itself)
	e.Jcc(amd64.Sign, wantsNone)
	e.ShiftImm(amd64.Shl, amd64.In(itself), 4)
	e.Op(amd64.Add, itself, fromContext(execmem.OffR))
	e.MovImm(scratch, uint64(e.t.Closure))
	e.Store(amd64.At(itself, 0), scratch)
	e.Store(amd64.At(itself, data), closure)
	e.Bind(wantsNone)
	e.transfer(pc, interpret, func(missing amd64.Label) {
		e.Mov(scratch, fromContext(execmem.OffEntries))
		e.Mov(scratch, amd64.AtIndex(scratch, number, 3, 0))
		e.Test(scratch)
		e.Jcc(amd64.Equal, missing)
		e.JmpTo(amd64.In(scratch))
	})
	e.comeBack(pc+1, a, b, back)
}

// checkCallee checks at run time what a known callee satisfies at compile time: the number is in
// range, and there is room for the closure in the callee's window and for the window on the
// stack.
func (e *emitter) checkCallee(a, b int32, without amd64.Label) {
	fits := e.NewLabel()
	e.Mov(number, amd64.At(callee, funcIndex))
	e.OpImm(amd64.Cmp, amd64.In(number), int32(len(e.t.Funcs)))
	e.Jcc(amd64.AboveEqual, without)
	e.Mov(itself, amd64.At(callee, funcClo))
	e.Mov(third, amd64.At(callee, funcR))
	e.Test(itself)
	e.Jcc(amd64.Sign, fits)
	e.Op(amd64.Cmp, itself, amd64.In(third))
	e.Jcc(amd64.AboveEqual, without)
	e.Bind(fits)
	e.OpImm(amd64.Cmp, amd64.In(third), maxWindow)
	e.Jcc(amd64.Above, without)
	e.ShiftImm(amd64.Shl, amd64.In(third), 4)
	e.Op(amd64.Add, third, fromContext(execmem.OffR))
	e.OpImm(amd64.Add, amd64.In(third), b*refSize)
	e.Op(amd64.Cmp, third, fromContext(execmem.OffRefEnd))
	e.Jcc(amd64.Above, without)
	e.Mov(third, amd64.At(callee, funcN))
	e.OpImm(amd64.Cmp, amd64.In(third), maxWindow)
	e.Jcc(amd64.Above, without)
	e.Lea(third, amd64.AtIndex(words, third, 3, a*wordSize))
	e.Op(amd64.Cmp, third, fromContext(execmem.OffNumEnd))
	e.Jcc(amd64.Above, without)
}
