package jit

import (
	"math/bits"

	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// divide compiles division and remainder.
func (e *emitter) divide(pc int, in *code.Instr) {
	switch in.Op {
	case code.DivK, code.RemK:
		if !e.isMultiple(pc, in) {
			e.divideBy(in)
		}
	case code.Div, code.Rem:
		e.divideSigned(pc, in)
	default:
		e.load(second, int(in.C))
		e.Test(second)
		e.Jcc(amd64.Equal, e.interpret(pc)) // it panics
		e.load(scratch, int(in.B))
		e.MovImm(third, 0)
		e.Unary(amd64.Div, amd64.In(second))
		e.quotient(in, in.Op == code.DivU)
	}
}

// quotient stores the quotient in AX, or the remainder in DX.
func (e *emitter) quotient(in *code.Instr, quotient bool) {
	if quotient {
		e.put(int(in.A), scratch)
	} else {
		e.put(int(in.A), third)
	}
}

func (e *emitter) divideSigned(pc int, in *code.Instr) {
	e.load(second, int(in.C))
	e.Test(second)
	e.Jcc(amd64.Equal, e.interpret(pc)) // it panics
	e.load(scratch, int(in.B))
	minus, done := e.NewLabel(), e.NewLabel()
	e.OpImm(amd64.Cmp, amd64.In(second), -1)
	e.Jcc(amd64.Equal, minus)
	e.Cqo()
	e.Unary(amd64.Idiv, amd64.In(second))
	e.Bind(done)
	e.quotient(in, in.Op == code.Div)
	e.later = append(e.later, func() { // the smallest integer divided by -1 would trap
		e.Bind(minus)
		e.Unary(amd64.Neg, amd64.In(scratch))
		e.MovImm(third, 0)
		e.Jmp(done)
	})
}

// divideBy divides by a constant without a division instruction.
func (e *emitter) divideBy(in *code.Instr) {
	d := int64(in.D)
	if d == 0 || d == -1 {
		e.refuse(in)
		return
	}
	size := uint64(d)
	if d < 0 {
		size = -size
	}
	e.load(second, int(in.B)) // stays there for the remainder
	if size&(size-1) == 0 {
		e.divideByPower(in, uint8(bits.TrailingZeros64(size)), d < 0)
		return
	}
	e.multiplyHigh(d)
	if in.Op == code.DivK {
		e.put(int(in.A), scratch)
		return
	}
	e.ImulImm(scratch, amd64.In(scratch), in.D)
	e.Op(amd64.Sub, second, amd64.In(scratch))
	e.put(int(in.A), second)
}

// isMultiple compiles x%2^k == 0 and the jump on it as a test of the low bits, if the remainder
// has no other use.
func (e *emitter) isMultiple(pc int, in *code.Instr) bool {
	size := max(in.D, -in.D)
	if in.Op != code.RemK || size <= 0 || size&(size-1) != 0 || pc+1 >= len(e.fn.Code) || e.f.jumpedTo[pc+1] {
		return false
	}
	jump := &e.fn.Code[pc+1]
	rest, known := e.f.number[candidate{at: int(in.A)}]
	if jump.Op != code.JEqK && jump.Op != code.JNeK || jump.A != in.A || jump.C != 0 || !known || e.f.liveAfter(pc+1).has(rest) {
		return false
	}
	e.TestImm(e.arg(int(in.B), scratch), size-1)
	e.takeIf(pc+1, jump, condition(jump.Op))
	e.skip = pc + 1
	return true
}

// divideByPower divides CX by 2^k or -2^k, rounding to zero: a negative dividend gets 2^k-1 added
// before the shift.
func (e *emitter) divideByPower(in *code.Instr, k uint8, negative bool) {
	e.Mov(scratch, amd64.In(second))
	if k > 1 {
		e.ShiftImm(amd64.Sar, amd64.In(scratch), 63)
	}
	if k > 0 {
		e.ShiftImm(amd64.Shr, amd64.In(scratch), 64-k)
		e.Op(amd64.Add, scratch, amd64.In(second))
	}
	if in.Op == code.RemK {
		e.OpImm(amd64.And, amd64.In(scratch), -1<<k) // k is at most 31
		e.Op(amd64.Sub, second, amd64.In(scratch))
		e.put(int(in.A), second)
		return
	}
	if k > 0 {
		e.ShiftImm(amd64.Sar, amd64.In(scratch), k)
	}
	if negative {
		e.Unary(amd64.Neg, amd64.In(scratch))
	}
	e.put(int(in.A), scratch)
}

// multiplyHigh is AX = CX / d, computed from the high half of a product.
func (e *emitter) multiplyHigh(d int64) {
	m, s := magic(d)
	e.MovImm(scratch, uint64(m))
	e.Unary(amd64.Imul, amd64.In(second))
	switch {
	case d > 0 && m < 0:
		e.Op(amd64.Add, third, amd64.In(second))
	case d < 0 && m > 0:
		e.Op(amd64.Sub, third, amd64.In(second))
	}
	if s > 0 {
		e.ShiftImm(amd64.Sar, amd64.In(third), s)
	}
	e.Mov(scratch, amd64.In(third)) // add one if it is negative
	e.ShiftImm(amd64.Shr, amd64.In(scratch), 63)
	e.Op(amd64.Add, scratch, amd64.In(third))
}

// magic returns the multiplier and the shift that replace a division by d, whose absolute value
// is not a power of two: x/d is x*m >> (64+s), rounded to zero. The multiplier is 2^(64+s)/|d|,
// rounded up, for the smallest s at which the rounding error does not matter for any x (Hacker's
// Delight, chapter 10).
func magic(d int64) (m int64, s uint8) {
	size := uint64(d)
	if d < 0 {
		size = -size
	}
	for {
		q, r := bits.Div64(1<<s, 0, size) // 1<<s is less than size, because the error is
		if size-r < 2<<s {
			m = int64(q + 1)
			break
		}
		s++
	}
	if d < 0 {
		m = -m
	}
	return m, s
}
