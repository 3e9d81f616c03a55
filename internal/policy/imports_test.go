package policy

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"
	"testing"
)

func TestImportsGoOnlyDownTheGraph(t *testing.T) { hold(t, importGraph) }

// importGraph judges every import of every file that is not a test.
func importGraph(tr *tree) []finding {
	rows, err := parseGraph(graph)
	if err != nil {
		return []finding{{"graph", err.Error()}}
	}
	var found []finding
	for _, p := range tr.packages {
		r, known := rowFor(rows, p.dir)
		if !known {
			found = append(found, finding{p.dir, "no row of the import graph speaks for this package"})
			continue
		}
		for _, f := range p.files {
			for _, spec := range f.syntax.Imports {
				if why := refuse(rows, r, p.dir, importPath(spec)); why != "" {
					found = append(found, tr.at(spec.Pos(), "%s", why))
				}
			}
			if r.types {
				found = append(found, functionsUsed(tr, r, f)...)
			}
		}
	}
	return found
}

// refuse says why the row does not allow the import; "" if it does.
func refuse(rows []row, r row, dir, target string) string {
	inside, ours := strings.CutPrefix(target+"/", module+"/")
	switch {
	case target == "C":
		if !r.cgo {
			return dir + " uses cgo; CGO_ENABLED=0 must build everything but host/native"
		}
	case ours:
		return refuseOurs(rows, r, dir, path.Clean(inside))
	case strings.Contains(strings.Split(target, "/")[0], ".") && !r.outside:
		return dir + " needs " + target + "; only adapters and tests may leave the standard library"
	}
	return ""
}

func refuseOurs(rows []row, r row, dir, target string) string {
	if r.family(target) != "" && r.family(target) == r.family(dir) {
		return ""
	}
	to, known := rowFor(rows, target)
	if known && r.reaches(rows)[to.pattern] {
		return ""
	}
	return dir + " imports " + target + ", which its row of the graph does not reach"
}

// functionsUsed finds uses of functions and variables of this module's other rows, for
// a row that may use their types and constants only.
func functionsUsed(tr *tree, r row, f *file) []finding {
	var found []finding
	names := importNames(f.syntax)
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, _ := sel.X.(*ast.Ident)
		if x == nil {
			return true
		}
		dir, ours := strings.CutPrefix(names[x.Name], module+"/")
		if ours && r.family(dir) == "" && !isTypeOrConstant(tr.named(dir), sel.Sel.Name) {
			found = append(found, tr.at(sel.Pos(), "%s.%s is no type or constant; this row has no functions", dir, sel.Sel.Name))
		}
		return true
	})
	return found
}

func isTypeOrConstant(p *pkg, name string) bool {
	if p == nil {
		return true // importGraph or the compiler objects
	}
	for _, f := range p.files {
		for _, d := range f.syntax.Decls {
			gen, ok := d.(*ast.GenDecl)
			if ok && (gen.Tok == token.TYPE || gen.Tok == token.CONST) && declares(gen, name) {
				return true
			}
		}
	}
	return false
}

func declares(gen *ast.GenDecl, name string) bool {
	for _, spec := range gen.Specs {
		for _, id := range specNames(spec) {
			if id.Name == name {
				return true
			}
		}
	}
	return false
}

// specNames are the identifiers a const, var or type specification declares.
func specNames(spec ast.Spec) []*ast.Ident {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		return s.Names
	case *ast.TypeSpec:
		return []*ast.Ident{s.Name}
	}
	return nil
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}

// importNames maps the names a file has for its imports to their paths.
func importNames(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range f.Imports {
		p := importPath(spec)
		name := path.Base(p)
		if name == "v2" {
			name = path.Base(path.Dir(p))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
	}
	return names
}
