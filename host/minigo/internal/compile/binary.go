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
	var with code.Op
	switch op {
	case token.ADD:
		with = code.AddK
	case token.SUB:
		with, k = code.AddK, -k
	case token.MUL:
		with = code.MulK
	case token.AND:
		with = code.AndK
	case token.QUO:
		with = code.DivK
	case token.REM:
		with = code.RemK
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
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return code.Nop
	}
	switch b.Kind() {
	case types.Int8:
		return code.Sext8
	case types.Int16:
		return code.Sext16
	case types.Int32, types.UntypedRune:
		return code.Sext32
	case types.Uint8:
		return code.Zext8
	case types.Uint16:
		return code.Zext16
	case types.Uint32:
		return code.Zext32
	}
	return code.Nop
}

func (f *fn) shiftTo(op token.Token, x int, xe, y ast.Expr, dst place) {
	t := f.typeOf(xe)
	with, k := code.Shl, code.ShlK
	if op == token.SHR {
		with, k = code.ShrS, code.ShrSK
		if isUnsigned(t) {
			with, k = code.ShrU, code.ShrUK
		}
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

func is32(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Float32
}

func floatOps() map[token.Token]code.Op {
	return map[token.Token]code.Op{token.ADD: code.AddF, token.SUB: code.SubF, token.MUL: code.MulF, token.QUO: code.DivF}
}

func intOp(op token.Token, unsigned bool) code.Op {
	switch op {
	case token.ADD:
		return code.Add
	case token.SUB:
		return code.Sub
	case token.MUL:
		return code.Mul
	case token.AND:
		return code.And
	case token.OR:
		return code.Or
	case token.XOR:
		return code.Xor
	case token.AND_NOT:
		return code.AndNot
	case token.QUO:
		if unsigned {
			return code.DivU
		}
		return code.Div
	case token.REM:
		if unsigned {
			return code.RemU
		}
		return code.Rem
	}
	panic("minigo: no integer operation " + op.String())
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
