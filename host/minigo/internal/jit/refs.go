package jit

import (
	"unsafe"

	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// address is a memory operand that stays valid.
func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// maxZeroed is the most references one instruction may clear.
const maxZeroed = 256

// moveRef compiles copies of references within the window.
func (e *emitter) moveRef(in *code.Instr) {
	e.refs = true
	a, b, n := int(in.A), int(in.B), int(in.C)
	switch in.Op {
	case code.MovR:
		if a >= e.fn.R {
			e.refuse(in)
			return
		}
		e.LoadPair(amd64.X0, e.ref(in, b, second))
		e.StorePair(amd64.At(second, int32(a)*refSize), amd64.X0)
	case code.MovRs:
		if n > maxZeroed || a+n > e.fn.R || b+n > e.fn.R {
			e.refuse(in)
			return
		}
		e.ref(in, a, second)
		for i := range n {
			if a > b { // they may overlap
				i = n - 1 - i
			}
			e.LoadPair(amd64.X0, amd64.At(second, int32(b+i)*refSize))
			e.StorePair(amd64.At(second, int32(a+i)*refSize), amd64.X0)
		}
	case code.ZeroR:
		if n > maxZeroed || a+n > e.fn.R {
			e.refuse(in)
			return
		}
		e.ref(in, a, second)
		e.ZeroF(amd64.X0)
		for i := range n {
			e.StorePair(amd64.At(second, int32(a+i)*refSize), amd64.X0)
		}
	case code.LoadS:
		if in.D < 0 || int(in.D) >= len(e.t.Strings) {
			e.refuse(in)
			return
		}
		e.MovImm(scratch, uint64(address(&e.t.Strings[in.D])))
		e.LoadPair(amd64.X0, amd64.At(scratch, 0))
		e.StorePair(e.ref(in, a, second), amd64.X0)
	default:
		e.refuse(in)
	}
}

// objectRef compiles copies of references from and to objects.
func (e *emitter) objectRef(pc int, in *code.Instr) {
	e.refs = true
	a := int(in.A)
	switch in.Op {
	case code.LoadR:
		e.objectOf(pc, in, int(in.B))
		e.LoadPair(amd64.X0, e.fixed(pc, in, objectR, refSize))
		e.StorePair(e.ref(in, a, second), amd64.X0)
	case code.StoreR:
		e.objectOf(pc, in, a)
		to := e.fixed(pc, in, objectR, refSize)
		e.LoadPair(amd64.X0, e.ref(in, int(in.B), third))
		e.StorePair(to, amd64.X0)
	case code.LoadGR, code.StoreGR:
		if in.D < 0 || int(in.D) >= len(e.t.Globals) || len(e.t.Globals[in.D].R) == 0 {
			e.refuse(in)
			return
		}
		e.MovImm(scratch, uint64(address(&e.t.Globals[in.D].R[0])))
		local, global := e.ref(in, a, second), amd64.At(scratch, 0)
		if in.Op == code.StoreGR {
			local, global = global, local
		}
		e.LoadPair(amd64.X0, global)
		e.StorePair(local, amd64.X0)
	case code.GPtr:
		if in.D < 0 || int(in.D) >= len(e.t.Globals) {
			e.refuse(in)
			return
		}
		to := e.ref(in, a, second)
		e.MovImm(scratch, uint64(e.t.Object))
		e.Store(to, scratch)
		e.MovImm(scratch, uint64(address(e.t.Globals[in.D])))
		e.Store(behind(a, second), scratch)
	case code.Capt:
		e.typed(in, int(in.B), e.t.Closure, e.interpret(pc))
		e.LoadPair(amd64.X0, e.fixed(pc, in, captures, refSize))
		e.StorePair(e.ref(in, a, second), amd64.X0)
	default:
		e.refuse(in)
	}
}

// elementRef compiles the copy of a reference from or to an element.
func (e *emitter) elementRef(in *code.Instr, at amd64.Arg) {
	e.refs = true
	if in.Op == code.IdxR || in.Op == code.ElemR {
		e.LoadPair(amd64.X0, at)
		e.StorePair(e.ref(in, int(in.A), third), amd64.X0)
		return
	}
	e.LoadPair(amd64.X0, e.ref(in, int(in.A), third))
	e.StorePair(at, amd64.X0)
}
