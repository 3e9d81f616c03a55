package policy

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

func TestCorePackagesHoldNoMutableState(t *testing.T) { hold(t, packageState) }

// packageState objects to package-level variables of the core but for errors, tables
// that nothing assigns to, and assertions that a type has an interface.
func packageState(tr *tree) []finding {
	var found []finding
	for _, p := range tr.packages {
		if !under(p.dir, append(strings.Fields(core), "internal")) {
			continue
		}
		written := assigned(p)
		for _, f := range p.files {
			for _, d := range f.syntax.Decls {
				if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.VAR {
					found = append(found, judgeVars(tr, f, gen, written)...)
				}
			}
		}
	}
	return found
}

func judgeVars(tr *tree, f *file, gen *ast.GenDecl, written map[string]bool) []finding {
	var found []finding
	for _, s := range gen.Specs {
		spec := s.(*ast.ValueSpec)
		for i, id := range spec.Names {
			switch {
			case id.Name == "_":
			case written[id.Name]:
				found = append(found, tr.at(id.Pos(), "package variable %s is assigned to; state belongs to a value somebody owns", id.Name))
			case i >= len(spec.Values) || !constantLike(spec.Values[i], importNames(f.syntax)):
				found = append(found, tr.at(id.Pos(), "package variable %s is neither an error nor an array of constants", id.Name))
			}
		}
	}
	return found
}

// constantLike reports whether an expression is one that the language only lacks a const for: an error
// made once, or an array literal used as a table.
func constantLike(e ast.Expr, names map[string]string) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		pkg, _ := packageOf(sel, names)
		return pkg == "errors" && sel.Sel.Name == "New" || pkg == "fmt" && sel.Sel.Name == "Errorf"
	case *ast.CompositeLit:
		array, ok := e.Type.(*ast.ArrayType)
		return ok && array.Len != nil
	}
	return false
}

// assigned are the package variables that some function of the package writes to,
// whole, by element or by field. A local variable hides a package variable of the
// same file only; one of another file's name is reported too, which costs a rename.
func assigned(p *pkg) map[string]bool {
	written := map[string]bool{}
	mark := func(e ast.Expr) {
		if id := base(e); id != nil && (id.Obj == nil || packageLevel(p, id)) {
			written[id.Name] = true
		}
	}
	for _, f := range p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					for _, e := range n.Lhs {
						mark(e)
					}
				}
			case *ast.IncDecStmt:
				mark(n.X)
			}
			return true
		})
	}
	return written
}

// base is the variable at the root of x, x[i], x.f and (*x).
func base(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// packageLevel reports whether the identifier was resolved to a declaration of the
// file's top level.
func packageLevel(p *pkg, id *ast.Ident) bool {
	for _, f := range p.files {
		if f.syntax.Scope.Lookup(id.Name) == id.Obj {
			return true
		}
	}
	return false
}
