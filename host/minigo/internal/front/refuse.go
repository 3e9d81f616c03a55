package front

import (
	"go/ast"
	"go/token"
	"go/types"
)

// refuse lists what is Go, but not in the subset.
func refuse(fset *token.FileSet, p *Package) (found []Problem) {
	say := func(pos token.Pos, what string) {
		found = append(found, Problem{Pos: fset.Position(pos), What: "minigo does not have " + what})
	}
	known := sizes{}
	for _, f := range p.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				refuseFunc(n, say)
			case *ast.TypeSpec:
				if n.TypeParams != nil {
					say(n.TypeParams.Pos(), "generic types")
				}
			case *ast.RangeStmt:
				if _, over := p.Info.TypeOf(n.X).Underlying().(*types.Signature); over {
					say(n.X.Pos(), "range over functions")
				}
			case ast.Expr:
				t := p.Info.TypeOf(n)
				switch {
				case isComplex(t):
					say(n.Pos(), "complex numbers")
					return false
				case t != nil && known.of(t) > maxCells:
					say(n.Pos(), "types this large")
					known[t] = 0 // once is enough
					return false
				}
			}
			return true
		})
	}
	return found
}

func refuseFunc(f *ast.FuncDecl, say func(token.Pos, string)) {
	if f.Type.TypeParams != nil {
		say(f.Type.TypeParams.Pos(), "generic functions")
	}
	if f.Body == nil {
		say(f.Pos(), "functions without a body")
	}
}

func isComplex(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}
