package compile

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// compareTo computes a comparison into a word.
func (f *fn) compareTo(e *ast.BinaryExpr, dst place) {
	t, x, y := f.comparands(e)
	f.comparePlaces(e.Op, t, x, y, dst.n)
}

// comparands computes both sides of a comparison as values of one type.
func (f *fn) comparands(e *ast.BinaryExpr) (t types.Type, x, y place) {
	t = f.typeOf(e.X)
	if ty := f.typeOf(e.Y); f.info.Types[e.X].IsNil() || isInterface(ty) && !isInterface(t) || isUntyped(t) {
		t = ty
	}
	if isInterface(t) || f.info.Types[e.X].IsNil() {
		x = f.valueAs(e.X, t)
	} else {
		x = f.expr(e.X)
	}
	return t, x, f.valueAs(e.Y, t)
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

func (f *fn) comparePlaces(op token.Token, t types.Type, x, y place, dst int) {
	op, x, y = ascending(op, x, y)
	l := f.c.layout(t)
	switch {
	case isString(t):
		f.emit(stringOps()[op], dst, x.r, y.r, 0)
	case isFloat(t):
		f.emit(map[token.Token]code.Op{token.EQL: code.EqF, token.NEQ: code.NeF, token.LSS: code.LtF, token.LEQ: code.LeF}[op], dst, x.n, y.n, 0)
		return
	case l == layout{1, 0} && isWord(t):
		f.emit(wordOp(op, isUnsigned(t)), dst, x.n, y.n, 0)
		return
	case isInterface(t):
		f.emit(code.EqIfc, dst, x.n, y.n, f.aux(code.Aux{I: [8]int32{int32(x.r), int32(y.r)}}))
	case isPointer(t):
		f.emit(code.EqP, dst, x.r, y.r, 0)
	case l == layout{0, 1} && !isAggregate(t), isSlice(t): // a slice is compared with nil
		f.emit(code.EqR, dst, x.r, y.r, 0)
	default:
		f.emit(code.EqT, dst, 0, 0, f.aux(code.Aux{T: f.c.typeOf(t), I: [8]int32{int32(x.n), int32(x.r), int32(y.n), int32(y.r)}}))
	}
	if op == token.NEQ {
		f.emit(code.Flip, dst, dst, 0, 0)
	}
}

func stringOps() map[token.Token]code.Op {
	return map[token.Token]code.Op{token.EQL: code.EqS, token.NEQ: code.EqS, token.LSS: code.LtS, token.LEQ: code.LeS}
}

func wordOp(op token.Token, unsigned bool) code.Op {
	return map[token.Token][2]code.Op{
		token.EQL: {code.Eq, code.Eq}, token.NEQ: {code.Ne, code.Ne},
		token.LSS: {code.LtI, code.LtU}, token.LEQ: {code.LeI, code.LeU},
	}[op][b2i(unsigned)]
}

// jumpIf jumps if the condition is want, else falls through; the jumps are to be landed.
func (f *fn) jumpIf(e ast.Expr, want bool) []int {
	e = ast.Unparen(e)
	mark := f.top
	defer func() { f.top = mark }()
	f.at(e.Pos())
	if tv := f.info.Types[e]; tv.Value != nil {
		if (tv.Value.String() == "true") == want {
			return []int{f.emit(code.Jmp, 0, 0, 0, 0)}
		}
		return nil
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return f.jumpIf(e.X, !want)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			return f.jumpLogic(e, want)
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return f.jumpCompare(e, want)
		}
	}
	return []int{f.emit(choose(want, code.JT, code.JF), f.expr(e).n, 0, 0, 0)}
}

func (f *fn) jumpLogic(e *ast.BinaryExpr, want bool) []int {
	if (e.Op == token.LOR) == want { // either side decides
		return append(f.jumpIf(e.X, want), f.jumpIf(e.Y, want)...)
	}
	skip := f.jumpIf(e.X, !want)
	jumps := f.jumpIf(e.Y, want)
	f.land(skip...)
	return jumps
}

func (f *fn) jumpCompare(e *ast.BinaryExpr, want bool) []int {
	op := e.Op
	if jumps, ok := f.jumpNil(e, want); ok {
		return jumps
	}
	t := f.typeOf(e.X)
	if isUntyped(t) {
		t = f.typeOf(e.Y)
	}
	switch {
	case isWord(t) && isWord(f.typeOf(e.Y)):
		if !want {
			op = negated(op)
		}
		return f.jumpWords(op, t, e)
	case isFloat(t) && isFloat(f.typeOf(e.Y)):
		return f.jumpFloats(op, want, e)
	}
	dst := f.word()
	f.compareTo(e, place{n: dst})
	return []int{f.emit(choose(want, code.JT, code.JF), dst, 0, 0, 0)}
}

func (f *fn) jumpWords(op token.Token, t types.Type, e *ast.BinaryExpr) []int {
	if k, ok := f.intValue(e.Y); ok && k == int64(int16(k)) && (!isUnsigned(t) || op == token.EQL || op == token.NEQ) {
		x := f.expr(e.X).n
		with := map[token.Token]code.Op{token.EQL: code.JEqK, token.NEQ: code.JNeK, token.LSS: code.JLtK, token.LEQ: code.JLeK, token.GTR: code.JGtK, token.GEQ: code.JGeK}[op]
		return []int{f.emit(with, x, 0, int(uint16(k)), 0)}
	}
	x := f.expr(e.X).n
	y := f.expr(e.Y).n
	op, x, y = ascending(op, x, y)
	with := map[token.Token][2]code.Op{
		token.EQL: {code.JEq, code.JEq}, token.NEQ: {code.JNe, code.JNe},
		token.LSS: {code.JLt, code.JLtU}, token.LEQ: {code.JLe, code.JLeU},
	}[op][b2i(isUnsigned(t))]
	return []int{f.emit(with, x, y, 0, 0)}
}

func (f *fn) jumpFloats(op token.Token, want bool, e *ast.BinaryExpr) []int {
	x := f.expr(e.X).n
	y := f.expr(e.Y).n
	op, x, y = ascending(op, x, y)
	with := map[token.Token][2]code.Op{
		token.EQL: {code.JNeF, code.JEqF}, token.NEQ: {code.JEqF, code.JNeF},
		token.LSS: {code.JNLtF, code.JLtF}, token.LEQ: {code.JNLeF, code.JLeF},
	}[op][b2i(want)]
	return []int{f.emit(with, x, y, 0, 0)}
}

// jumpNil compares a reference with nil.
func (f *fn) jumpNil(e *ast.BinaryExpr, want bool) ([]int, bool) {
	x := e.X
	switch {
	case e.Op != token.EQL && e.Op != token.NEQ:
		return nil, false
	case f.info.Types[e.X].IsNil():
		x = e.Y
	case !f.info.Types[e.Y].IsNil():
		return nil, false
	}
	isNil := (e.Op == token.EQL) == want
	p := f.expr(x)
	if isInterface(f.typeOf(x)) {
		return []int{f.emit(choose(isNil, code.JEqK, code.JNeK), p.n, 0, 0, 0)}, true
	}
	return []int{f.emit(choose(isNil, code.JNil, code.JSet), p.r, 0, 0, 0)}, true
}

func negated(op token.Token) token.Token {
	return map[token.Token]token.Token{
		token.EQL: token.NEQ, token.LSS: token.GEQ, token.GTR: token.LEQ,
		token.NEQ: token.EQL, token.GEQ: token.LSS, token.LEQ: token.GTR,
	}[op]
}

// ascending makes a comparison one with < or <= if it is one with > or >=.
func ascending[T any](op token.Token, x, y T) (token.Token, T, T) {
	switch op {
	case token.GTR:
		return token.LSS, y, x
	case token.GEQ:
		return token.LEQ, y, x
	}
	return op, x, y
}

// choose is one of two operations.
func choose(first bool, yes, no code.Op) code.Op {
	if first {
		return yes
	}
	return no
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
