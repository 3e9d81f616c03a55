package compile

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

func (f *fn) binaryTo(e *ast.BinaryExpr, dst place) {
	switch e.Op {
	case token.LAND, token.LOR:
		t := f.word() // the destination may be a variable of the operands
		f.emit(code.LoadI, t, 0, 0, 1)
		skip := f.jumpIf(e, true)
		f.emit(code.LoadI, t, 0, 0, 0)
		f.land(skip...)
		f.emit(code.MovN, dst.n, t, 0, 0)
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.compareTo(e, dst)
	case token.SHL, token.SHR:
		f.shiftTo(e.Op, f.expr(e.X).n, e.X, e.Y, dst)
	default:
		t := f.typeOf(e)
		if isString(t) {
			x := f.expr(e.X)
			f.emit(code.Concat, dst.r, x.r, f.expr(e.Y).r, 0)
			return
		}
		f.arith(e.Op, f.expr(e.X).n, e.Y, t, dst.n)
	}
}

// arith emits n[dst] = n[x] op y, of type t.
func (f *fn) arith(op token.Token, x int, y ast.Expr, t types.Type, dst int) {
	if isFloat(t) {
		f.emit(floatOps()[op], dst, x, f.expr(y).n, 0)
		if is32(t) {
			f.emit(code.Rnd32, dst, dst, 0, 0)
		}
		return
	}
	if k, ok := f.intValue(y); ok && f.arithK(op, x, k, t, dst) {
		f.wrap(op, t, dst)
		return
	}
	f.emit(intOp(op, isUnsigned(t)), dst, x, f.expr(y).n, 0)
	f.wrap(op, t, dst)
}

// arithK emits an operation with a small constant, if there is an instruction for it.
func (f *fn) arithK(op token.Token, x int, k int64, t types.Type, dst int) bool {
	if k != int64(int32(k)) || k == -1<<31 {
		return false
	}
	with := map[token.Token]code.Op{
		token.ADD: code.AddK, token.SUB: code.AddK, token.MUL: code.MulK,
		token.AND: code.AndK, token.QUO: code.DivK, token.REM: code.RemK,
	}[op]
	if op == token.SUB {
		k = -k
	}
	if with == code.Nop || (with == code.DivK || with == code.RemK) && (k == 0 || k == -1 || isUnsigned(t)) {
		return false
	}
	f.emit(with, dst, x, 0, int32(k))
	return true
}

// wrap brings a result back into the range of a type smaller than a word.
func (f *fn) wrap(op token.Token, t types.Type, dst int) {
	switch op {
	case token.AND, token.AND_NOT, token.OR, token.XOR, token.REM, token.SHR:
		return
	}
	f.narrow(t, dst, dst)
}

// narrow emits n[dst] = n[src] as a value of the integer type, if that needs anything.
func (f *fn) narrow(t types.Type, dst, src int) {
	if op := narrowing(t); op != code.Nop {
		f.emit(op, dst, src, 0, 0)
	} else if dst != src {
		f.emit(code.MovN, dst, src, 0, 0)
	}
}

func narrowing(t types.Type) code.Op {
	return map[types.BasicKind]code.Op{
		types.Int8: code.Sext8, types.Int16: code.Sext16, types.Int32: code.Sext32, types.UntypedRune: code.Sext32,
		types.Uint8: code.Zext8, types.Uint16: code.Zext16, types.Uint32: code.Zext32,
	}[kindOf(t)]
}

func (f *fn) shiftTo(op token.Token, x int, xe, y ast.Expr, dst place) {
	t := f.typeOf(xe)
	with, k := code.Shl, code.ShlK
	if op == token.SHR {
		with, k = choose(isUnsigned(t), code.ShrU, code.ShrS), choose(isUnsigned(t), code.ShrUK, code.ShrSK)
	}
	if n, ok := f.intValue(y); ok && n >= 0 && n < 1<<30 {
		f.emit(k, dst.n, x, 0, int32(n))
	} else {
		count := f.expr(y).n
		if !isUnsigned(f.typeOf(y)) {
			f.emit(code.ShiftOK, count, 0, 0, 0)
		}
		f.emit(with, dst.n, x, count, 0)
	}
	f.wrap(op, t, dst.n)
}

func floatOps() map[token.Token]code.Op {
	return map[token.Token]code.Op{token.ADD: code.AddF, token.SUB: code.SubF, token.MUL: code.MulF, token.QUO: code.DivF}
}

func intOp(op token.Token, unsigned bool) code.Op {
	with, ok := map[token.Token][2]code.Op{
		token.ADD: {code.Add, code.Add}, token.SUB: {code.Sub, code.Sub}, token.MUL: {code.Mul, code.Mul},
		token.AND: {code.And, code.And}, token.OR: {code.Or, code.Or}, token.XOR: {code.Xor, code.Xor},
		token.AND_NOT: {code.AndNot, code.AndNot}, token.QUO: {code.Div, code.DivU}, token.REM: {code.Rem, code.RemU},
	}[op]
	if !ok {
		panic("minigo: no integer operation " + op.String())
	}
	return with[b2i(unsigned)]
}

func (f *fn) unaryTo(e *ast.UnaryExpr, dst place) {
	t := f.typeOf(e)
	switch e.Op {
	case token.ADD:
		f.exprTo(e.X, dst)
	case token.SUB:
		if isFloat(t) {
			f.emit(code.NegF, dst.n, f.expr(e.X).n, 0, 0)
			return
		}
		f.emit(code.Neg, dst.n, f.expr(e.X).n, 0, 0)
		f.narrow(t, dst.n, dst.n)
	case token.XOR:
		f.emit(code.Not, dst.n, f.expr(e.X).n, 0, 0)
		f.narrow(t, dst.n, dst.n)
	case token.NOT:
		f.emit(code.Flip, dst.n, f.expr(e.X).n, 0, 0)
	case token.AND:
		f.addressTo(e.X, dst)
	case token.ARROW:
		f.recvTo(e, dst, -1)
	}
}
