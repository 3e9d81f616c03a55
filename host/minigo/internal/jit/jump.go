package jit

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// jump compiles jumps. A backward jump decrements the budget.
func (e *emitter) jump(pc int, in *code.Instr) {
	switch op := in.Op; {
	case op == code.Jmp:
		e.take(pc, in)
	case op == code.JT, op == code.JF:
		if r, ok := e.places[in.A].IsReg(); ok {
			e.Test(r)
		} else {
			e.OpImm(amd64.Cmp, e.arg(int(in.A), scratch), 0)
		}
		e.takeIf(pc, in, condition(op))
	case op >= code.JEq && op <= code.JLeU:
		e.Op(amd64.Cmp, e.get(int(in.A), scratch), e.arg(int(in.B), second))
		e.takeGuarded(pc, in)
		e.takeIf(pc, in, condition(op))
	case op >= code.JEqF && op <= code.JNLeF:
		e.jumpF(pc, in)
	case op >= code.JEqK && op <= code.JGeK:
		e.OpImm(amd64.Cmp, e.arg(int(in.A), scratch), int32(int16(in.C)))
		e.takeIf(pc, in, condition(op))
	case op == code.JNil, op == code.JSet:
		e.OpImm(amd64.Cmp, e.ref(in, int(in.A), second), 0)
		e.takeIf(pc, in, condition(op))
	default:
		e.refuse(in)
	}
}

// jumpF compares floats and jumps. An unordered result (NaN) sets the below, equal and parity
// flags.
func (e *emitter) jumpF(pc int, in *code.Instr) {
	x, y := int(in.A), int(in.B)
	if in.Op > code.JNeF {
		x, y = y, x // y > x, which is false for NaN
	}
	e.CompareF(e.getF(x, amd64.X0), e.argF(y, amd64.X1))
	switch in.Op {
	case code.JEqF:
		differ := e.NewLabel()
		e.Jcc(amd64.Parity, differ)
		e.takeIf(pc, in, amd64.Equal)
		e.Bind(differ)
	case code.JNeF:
		differ, same := e.NewLabel(), e.NewLabel()
		e.Jcc(amd64.Parity, differ)
		e.Jcc(amd64.Equal, same)
		e.Bind(differ)
		e.take(pc, in)
		e.Bind(same)
	default:
		above := [...]amd64.Cond{amd64.Above, amd64.AboveEqual, amd64.BelowEqual, amd64.Below}
		e.takeIf(pc, in, above[in.Op-code.JLtF])
	}
}

// takeIf jumps if the condition holds.
func (e *emitter) takeIf(pc int, in *code.Instr, c amd64.Cond) {
	to := pc + 1 + int(in.D)
	if to > pc {
		e.Jcc(c, e.body[to])
		return
	}
	on := e.NewLabel()
	e.Jcc(c.Not(), on)
	e.take(pc, in)
	e.Bind(on)
}

// guard is the bounds check at the head of a loop: the label is behind the check.
type guard struct {
	label         amd64.Label
	index, length int // the words that are compared
}

// takeGuarded jumps back behind the loop head's bounds check, if the jump has compared the same
// two words and the result implies the check. The slice is in its register at the loop head, so
// its length is not negative: unsigned below implies signed below.
func (e *emitter) takeGuarded(pc int, in *code.Instr) {
	to := pc + 1 + int(in.D)
	inside, ok := e.guards[to]
	if to > pc || !ok || in.Op != code.JLt && in.Op != code.JLtU || inside.index != int(in.A) || inside.length != int(in.B) {
		return
	}
	outside := e.NewLabel()
	e.Jcc(amd64.AboveEqual, outside)
	e.back(to, inside.label)
	e.Bind(outside) // the flags are those of the comparison
}

// take jumps unconditionally.
func (e *emitter) take(pc int, in *code.Instr) {
	to := pc + 1 + int(in.D)
	if to <= pc {
		e.back(to, e.body[to])
		return
	}
	e.Jmp(e.body[to])
}

// back jumps back to a loop head if budget is left.
func (e *emitter) back(to int, at amd64.Label) {
	e.OpImm(amd64.Sub, amd64.In(budget), 1)
	e.Jcc(amd64.GreaterEqual, at) // the budget was above 0
	e.Jmp(e.exit(Expired, to))
}
