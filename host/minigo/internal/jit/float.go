package jit

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// float compiles the operations on floats.
func (e *emitter) float(pc int, in *code.Instr) {
	switch op := in.Op; {
	case op >= code.AddF && op <= code.DivF:
		e.binaryF(in)
	case op >= code.EqF && op <= code.LeF:
		e.compareF(in)
	case op == code.NegF:
		e.load(scratch, int(in.B))
		e.FlipBit(amd64.In(scratch), 63)
		e.put(int(in.A), scratch)
	case op == code.SqrtF:
		dst := e.targetF(int(in.A))
		e.OpF(amd64.SqrtF, dst, e.argF(int(in.B), amd64.X1))
		e.putF(int(in.A), dst)
	default:
		e.convert(pc, in)
	}
}

func (e *emitter) binaryF(in *code.Instr) {
	a, b, c := int(in.A), int(in.B), int(in.C)
	dst := e.targetF(a)
	if x, ok := e.places[c].IsXmm(); ok && x == dst && e.places[b] != e.places[c] {
		if in.Op == code.AddF || in.Op == code.MulF {
			b, c = c, b // if both are NaN, Go does not specify which one results
		} else {
			dst = amd64.X0 // dst would overwrite the second operand
		}
	}
	e.loadF(dst, b)
	op := [...]amd64.Float{amd64.AddF, amd64.SubF, amd64.MulF, amd64.DivF}[in.Op-code.AddF]
	e.OpF(op, dst, e.argF(c, amd64.X1))
	e.putF(a, dst)
}

// compareF stores the result of a comparison. If either operand is NaN, every comparison except
// != is false.
func (e *emitter) compareF(in *code.Instr) {
	b, c := int(in.B), int(in.C)
	if in.Op == code.LtF || in.Op == code.LeF {
		b, c = c, b // c > b, which is false for NaN
	}
	e.CompareF(e.getF(b, amd64.X0), e.argF(c, amd64.X1))
	e.MovImm(scratch, 0)
	e.MovImm(third, 0)
	switch in.Op {
	case code.LtF:
		e.Set(amd64.Above, scratch)
	case code.LeF:
		e.Set(amd64.AboveEqual, scratch)
	case code.EqF:
		e.Set(amd64.Equal, scratch)
		e.Set(amd64.NoParity, third)
		e.Op(amd64.And, scratch, amd64.In(third))
	default:
		e.Set(amd64.NotEqual, scratch)
		e.Set(amd64.Parity, third)
		e.Op(amd64.Or, scratch, amd64.In(third))
	}
	e.put(int(in.A), scratch)
}

// convert compiles conversions. Where the processor and Go may differ, it exits to the
// interpreter.
func (e *emitter) convert(pc int, in *code.Instr) {
	a, b := int(in.A), int(in.B)
	switch in.Op {
	case code.Rnd32:
		e.ToSingle(amd64.X0, e.argF(b, amd64.X1))
		e.FromSingle(amd64.X0, amd64.InX(amd64.X0))
		e.putF(a, amd64.X0)
	case code.UtoF:
		e.load(second, b)
		e.Test(second)
		e.Jcc(amd64.Sign, e.interpret(pc))
		e.fromInt(a, amd64.In(second), in.D != 0)
	case code.ItoF:
		e.fromInt(a, e.arg(b, second), in.D != 0)
	case code.FtoI:
		x := e.argF(b, amd64.X1)
		if in.D != 0 {
			e.FToInt32(scratch, x)
			e.Sext32(scratch, amd64.In(scratch))
		} else {
			e.FToInt(scratch, x)
		}
		e.put(a, scratch)
	case code.FtoU:
		e.FToInt(scratch, e.argF(b, amd64.X1))
		e.Test(scratch)
		e.Jcc(amd64.Sign, e.interpret(pc))
		e.put(a, scratch)
	default:
		e.refuse(in)
	}
}

// fromInt converts a signed integer to a float, rounded to 32 bits first if asked.
func (e *emitter) fromInt(w int, x amd64.Arg, single bool) {
	e.ZeroF(amd64.X0) // breaks the dependency on the old value of X0
	if single {
		e.IntToSingle(amd64.X0, x)
		e.FromSingle(amd64.X0, amd64.InX(amd64.X0))
	} else {
		e.IntToF(amd64.X0, x)
	}
	e.putF(w, amd64.X0)
}
