package jit

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// integer compiles the integer operations that cannot fail.
func (e *emitter) integer(in *code.Instr) {
	switch op := in.Op; {
	case op >= code.Add && op <= code.Mul, op >= code.And && op <= code.Xor:
		e.binary(in)
	case op == code.AndNot:
		e.load(second, int(in.C))
		e.Unary(amd64.Not, amd64.In(second))
		e.load(scratch, int(in.B))
		e.Op(amd64.And, scratch, amd64.In(second))
		e.put(int(in.A), scratch)
	case op >= code.Shl && op <= code.ShrU:
		e.shift(in)
	case op >= code.AddK && op <= code.ShrUK:
		e.withConstant(in)
	case op >= code.Neg && op <= code.Zext32:
		e.unary(in)
	case op >= code.Eq && op <= code.LeU:
		e.Op(amd64.Cmp, e.get(int(in.B), scratch), e.arg(int(in.C), second))
		e.putFlag(int(in.A), condition(op))
	default:
		e.refuse(in)
	}
}

// putFlag sets a word to 1 if the condition holds, else to 0.
func (e *emitter) putFlag(w int, c amd64.Cond) {
	dst := e.target(w)
	e.MovImm(third, 0) // does not change the flags
	e.Set(c, third)
	if dst != scratch {
		e.Mov(dst, amd64.In(third))
		return
	}
	e.put(w, third)
}

// condition is the condition code of an integer comparison or jump. A single operand is compared
// with 0.
func condition(op code.Op) amd64.Cond {
	switch op {
	case code.Eq, code.JEq, code.JEqK, code.JF, code.JNil:
		return amd64.Equal
	case code.Ne, code.JNe, code.JNeK, code.JT, code.JSet:
		return amd64.NotEqual
	case code.LtI, code.JLt, code.JLtK:
		return amd64.Less
	case code.LeI, code.JLe, code.JLeK:
		return amd64.LessEqual
	case code.JGtK:
		return amd64.Greater
	case code.JGeK:
		return amd64.GreaterEqual
	case code.LtU, code.JLtU:
		return amd64.Below
	case code.LeU, code.JLeU:
		return amd64.BelowEqual
	}
	panic("jit: no comparison: " + op.String())
}

// binary compiles an operation on two words.
func (e *emitter) binary(in *code.Instr) {
	a, b, c := int(in.A), int(in.B), int(in.C)
	dst := e.target(a)
	if r, ok := e.places[c].IsReg(); ok && r == dst && e.places[b] != e.places[c] {
		if in.Op == code.Sub {
			dst = scratch // dst would overwrite the second operand
		} else {
			b, c = c, b
		}
	}
	rb, bInReg := e.places[b].IsReg()
	rc, cInReg := e.places[c].IsReg()
	if in.Op == code.Add && bInReg && cInReg && dst != rb && dst != rc {
		e.Lea(dst, amd64.AtIndex(rb, rc, 0, 0))
		e.put(a, dst)
		return
	}
	e.load(dst, b)
	if y := e.arg(c, second); in.Op == code.Mul {
		e.Imul(dst, y)
	} else {
		e.Op(map[code.Op]amd64.Alu{
			code.Add: amd64.Add, code.Sub: amd64.Sub, code.And: amd64.And, code.Or: amd64.Or, code.Xor: amd64.Xor,
		}[in.Op], dst, y)
	}
	e.put(a, dst)
}

// withConstant compiles an operation on a word and a constant.
func (e *emitter) withConstant(in *code.Instr) {
	a, b := int(in.A), int(in.B)
	dst := e.target(a)
	if rb, ok := e.places[b].IsReg(); ok && in.Op == code.AddK && rb != dst {
		e.Lea(dst, amd64.At(rb, in.D))
		e.put(a, dst)
		return
	}
	if in.Op == code.AddK && e.places[a] == e.places[b] && e.places[a] == inWindow(a) {
		e.OpImm(amd64.Add, e.places[a], in.D)
		return
	}
	if in.Op == code.MulK {
		e.ImulImm(dst, e.arg(b, second), in.D)
		e.put(a, dst)
		return
	}
	e.load(dst, b)
	switch in.Op {
	case code.AddK:
		e.OpImm(amd64.Add, amd64.In(dst), in.D)
	case code.AndK:
		e.OpImm(amd64.And, amd64.In(dst), in.D)
	case code.ShlK:
		e.shiftBy(amd64.Shl, dst, uint32(in.D))
	case code.ShrSK:
		e.shiftBy(amd64.Sar, dst, uint32(in.D))
	case code.ShrUK:
		e.shiftBy(amd64.Shr, dst, uint32(in.D))
	}
	e.put(a, dst)
}

// shiftBy compiles a shift by a constant of any size.
func (e *emitter) shiftBy(op amd64.Shift, r amd64.Reg, n uint32) {
	switch {
	case n < 64:
		e.ShiftImm(op, amd64.In(r), uint8(n))
	case op == amd64.Sar:
		e.ShiftImm(op, amd64.In(r), 63)
	default:
		e.MovImm(r, 0)
	}
}

// shift compiles a shift by a word; a count of 64 or more shifts everything out.
func (e *emitter) shift(in *code.Instr) {
	e.load(second, int(in.C))
	e.load(scratch, int(in.B))
	switch in.Op {
	case code.ShrS:
		e.MovImm(third, 63)
		e.OpImm(amd64.Cmp, amd64.In(second), 63)
		e.Cmov(amd64.Above, second, amd64.In(third))
		e.ShiftCL(amd64.Sar, amd64.In(scratch))
	default:
		op := amd64.Shl
		if in.Op == code.ShrU {
			op = amd64.Shr
		}
		e.ShiftCL(op, amd64.In(scratch))
		e.OpImm(amd64.Cmp, amd64.In(second), 64)
		e.Op(amd64.Sbb, third, amd64.In(third)) // all ones if the count is less than 64
		e.Op(amd64.And, scratch, amd64.In(third))
	}
	e.put(int(in.A), scratch)
}

// unary compiles an operation on one word.
func (e *emitter) unary(in *code.Instr) {
	a, b := int(in.A), int(in.B)
	dst := e.target(a)
	switch in.Op {
	case code.Neg:
		e.load(dst, b)
		e.Unary(amd64.Neg, amd64.In(dst))
	case code.Not:
		e.load(dst, b)
		e.Unary(amd64.Not, amd64.In(dst))
	case code.Flip:
		e.load(dst, b)
		e.OpImm(amd64.Xor, amd64.In(dst), 1)
	default:
		extend := [...]func(amd64.Reg, amd64.Arg){e.Sext8, e.Sext16, e.Sext32, e.Zext8, e.Zext16, e.Mov32}[in.Op-code.Sext8]
		extend(dst, amd64.In(e.get(b, scratch)))
	}
	e.put(a, dst)
}
