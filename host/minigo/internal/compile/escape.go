package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// escapes finds the variables of a declaration that need an object of their own, because
// a closure uses them or their address is taken, and what each closure uses.
type escapes struct {
	info  *types.Info
	boxed map[*types.Var]bool
	uses  map[*ast.FuncLit][]*types.Var
	owner map[*types.Var]*ast.FuncLit
	stack []*ast.FuncLit // the closures around, innermost last; the first is nil
}

func findEscapes(info *types.Info, boxed map[*types.Var]bool) *escapes {
	return &escapes{
		info: info, boxed: boxed, uses: map[*ast.FuncLit][]*types.Var{},
		owner: map[*types.Var]*ast.FuncLit{}, stack: []*ast.FuncLit{nil},
	}
}

func (e *escapes) inner() *ast.FuncLit { return e.stack[len(e.stack)-1] }

func (e *escapes) walk(n ast.Node) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			e.stack = append(e.stack, n)
			e.walk(n.Type)
			e.walk(n.Body)
			e.stack = e.stack[:len(e.stack)-1]
			return false
		case *ast.Ident:
			e.ident(n)
		case *ast.CaseClause:
			if v, ok := e.info.Implicits[n].(*types.Var); ok {
				e.owner[v] = e.inner()
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				e.address(n.X)
			}
		case *ast.SliceExpr:
			if _, ok := e.info.TypeOf(n.X).Underlying().(*types.Array); ok {
				e.address(n.X)
			}
		case *ast.SelectorExpr:
			e.selector(n)
		}
		return true
	})
}

func (e *escapes) ident(id *ast.Ident) {
	if v, ok := e.info.Defs[id].(*types.Var); ok && !v.IsField() {
		e.owner[v] = e.inner()
	}
	v, ok := e.info.Uses[id].(*types.Var)
	if !ok || v.IsField() {
		return
	}
	owner, local := e.owner[v]
	if !local || owner == e.inner() {
		return
	}
	e.boxed[v] = true
	for i := len(e.stack) - 1; e.stack[i] != owner; i-- {
		e.use(e.stack[i], v)
	}
}

func (e *escapes) use(lit *ast.FuncLit, v *types.Var) {
	if !slices.Contains(e.uses[lit], v) {
		e.uses[lit] = append(e.uses[lit], v)
	}
}

// selector boxes x where x.f is a call or a value of a method with a pointer receiver.
func (e *escapes) selector(n *ast.SelectorExpr) {
	sel := e.info.Selections[n]
	if sel == nil || sel.Kind() != types.MethodVal {
		return
	}
	recv := sel.Obj().Type().(*types.Signature).Recv()
	if _, byPointer := recv.Type().(*types.Pointer); !byPointer {
		return
	}
	if _, isPointer := e.info.TypeOf(n.X).Underlying().(*types.Pointer); !isPointer {
		e.address(n.X)
	}
}

// address boxes the variable that the operand is a part of.
func (e *escapes) address(x ast.Expr) {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if v, ok := e.info.ObjectOf(x).(*types.Var); ok {
			e.boxed[v] = true
		}
	case *ast.SelectorExpr:
		if _, ptr := e.info.TypeOf(x.X).Underlying().(*types.Pointer); !ptr {
			e.address(x.X)
		}
	case *ast.IndexExpr:
		if _, ok := e.info.TypeOf(x.X).Underlying().(*types.Array); ok {
			e.address(x.X)
		}
	}
}
