package compile

import (
	"go/ast"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

func (f *fn) send(s *ast.SendStmt) {
	elem := f.typeOf(s.Chan).Underlying().(*types.Chan).Elem()
	ch := f.expr(s.Chan).r
	v := f.valueAs(s.Value, elem)
	f.at(s.Arrow)
	f.ownPoint()
	x := f.aux(code.Aux{T: f.c.typeOf(elem), I: [8]int32{int32(ch), int32(v.n), int32(v.r)}})
	f.what = f.text(s.Chan)
	if f.c.layout(elem) == (layout{1, 0}) {
		f.emit(code.Send, v.n, ch, 1, x)
		return
	}
	f.emit(code.Send, 0, 0, 0, x)
}

// recvTo computes <-ch; ok is the word that reports whether a value came, -1 for none.
func (f *fn) recvTo(e *ast.UnaryExpr, dst place, ok int) {
	ch := f.expr(e.X).r
	f.at(e.Pos())
	f.ownPoint()
	f.emitRecv(dst, ok, ch, f.typeOf(e.X).Underlying().(*types.Chan).Elem())
}

func (f *fn) emitRecv(dst place, ok, ch int, elem types.Type) {
	x := f.aux(code.Aux{T: f.c.typeOf(elem), I: [8]int32{int32(dst.n), int32(dst.r), int32(ok), int32(ch)}})
	switch oneWord := f.c.layout(elem) == (layout{1, 0}); {
	case oneWord && ok < 0:
		f.emit(code.Recv, dst.n, ch, 1, x)
	case oneWord && ok == dst.n+1:
		f.emit(code.Recv, dst.n, ch, 2, x)
	default:
		f.emit(code.Recv, 0, 0, 0, x)
	}
}

// The kinds of the cases of a select.
const (
	caseRecv = 0
	caseSend = 1
)

func (f *fn) selectStmt(s *ast.SelectStmt) {
	mark := f.top
	sc := f.enter(false)
	which := f.word()
	x := code.Aux{I: [8]int32{0, int32(which)}}
	var clauses []*ast.CommClause
	var def *ast.CommClause
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		if c.Comm == nil {
			def = c
			x.I[0] = 1
			continue
		}
		clauses = append(clauses, c)
		x.List = append(x.List, f.commCase(c.Comm))
	}
	f.at(s.Pos())
	f.ownPoint()
	f.emit(code.Select, 0, 0, 0, f.aux(x))
	for i, c := range clauses {
		next := f.emit(code.JNeK, which, 0, i, 0)
		f.commClause(c, x.List[i])
		sc.breaks = append(sc.breaks, f.emit(code.Jmp, 0, 0, 0, 0))
		f.land(next)
	}
	if def != nil {
		f.block(def.Body)
	}
	f.exit(sc)
	f.top = mark
}

// commCase computes the operands of a case.
func (f *fn) commCase(s ast.Stmt) code.Slot {
	if send, ok := s.(*ast.SendStmt); ok {
		elem := f.typeOf(send.Chan).Underlying().(*types.Chan).Elem()
		ch := f.ref()
		f.exprTo(send.Chan, place{n: f.top.n, r: ch})
		v := f.own(send.Value, elem)
		return code.Slot{Kind: caseSend, N: int32(v.n), R: int32(v.r), I: -1, J: int32(ch), T: f.c.typeOf(elem)}
	}
	recv := recvOf(s)
	elem := f.typeOf(recv.X).Underlying().(*types.Chan).Elem()
	ch := f.ref()
	f.exprTo(recv.X, place{n: f.top.n, r: ch})
	v, ok := f.temp(elem), f.word()
	return code.Slot{Kind: caseRecv, N: int32(v.n), R: int32(v.r), I: int32(ok), J: int32(ch), T: f.c.typeOf(elem)}
}

func recvOf(s ast.Stmt) *ast.UnaryExpr {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return ast.Unparen(s.X).(*ast.UnaryExpr)
	case *ast.AssignStmt:
		return ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr)
	}
	panic("minigo: no receive")
}

// commClause stores what was received, and runs the clause.
func (f *fn) commClause(c *ast.CommClause, got code.Slot) {
	mark := f.top
	if a, ok := c.Comm.(*ast.AssignStmt); ok {
		elem := f.typeOf(recvOf(a).X).Underlying().(*types.Chan).Elem()
		f.rangeVar(a.Lhs[0], a.Tok, place{int(got.N), int(got.R)}, elem)
		if len(a.Lhs) > 1 {
			f.rangeVar(a.Lhs[1], a.Tok, place{n: int(got.I)}, types.Typ[types.Bool])
		}
	}
	f.block(c.Body)
	f.top = mark
}
