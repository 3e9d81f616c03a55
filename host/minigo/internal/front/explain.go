package front

import (
	"go/ast"
	"go/token"
	"go/types"
)

// explain adds the Go signature of a function of the host to the problems of its calls.
func (c *checker) explain(p *Package, problems []Problem) {
	if c.bound == nil {
		return
	}
	for i := range problems {
		problem := &problems[i]
		for _, f := range p.Files {
			if problem.at.IsValid() && f.FileStart <= problem.at && problem.at <= f.FileEnd {
				problem.What += c.signature(p, f, problem.at)
			}
		}
	}
}

// signature describes the function of the host that the innermost call around a position calls.
func (c *checker) signature(p *Package, f *ast.File, at token.Pos) (text string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil || at < n.Pos() || n.End() <= at {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			if at > n.Body.Pos() {
				text = ""
			}
		case *ast.CallExpr:
			text = ""
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if fn, ok := p.Info.Uses[sel.Sel].(*types.Func); ok && fn.Pkg() != nil {
				if is := c.bound(fn.Pkg().Path(), fn.Name()); is != "" {
					text = "\n\t" + fn.Pkg().Name() + "." + fn.Name() + " is " + is + " of the host"
				}
			}
		}
		return true
	})
	return text
}
