package policy

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"
)

// place is a function by its file and its name.
type place struct{ file, name string }

// resolved knows which function of the repository a call means. Packages from elsewhere
// are empty to it, so what comes from them has no type; nothing here needs one.
type resolved struct {
	tr        *tree
	packages  map[string]*types.Package
	info      types.Info
	at        map[token.Pos]*ast.FuncDecl // by the position of the name
	functions map[place][]*ast.FuncDecl
}

// resolve looks at these packages and at those of the repository that they import.
func resolve(tr *tree, dirs ...string) *resolved {
	r := &resolved{
		tr: tr, packages: map[string]*types.Package{"unsafe": types.Unsafe},
		info: types.Info{Uses: map[*ast.Ident]types.Object{}},
		at:   map[token.Pos]*ast.FuncDecl{}, functions: map[place][]*ast.FuncDecl{},
	}
	for _, dir := range dirs {
		_, _ = r.Import(module + "/" + dir)
	}
	return r
}

// Import makes resolved the importer of its own packages.
func (r *resolved) Import(name string) (*types.Package, error) {
	if p := r.packages[name]; p != nil {
		return p, nil
	}
	dir, _ := strings.CutPrefix(name, module+"/")
	found := r.tr.named(dir)
	if dir == name || found == nil {
		p := types.NewPackage(name, path.Base(name))
		p.MarkComplete()
		r.packages[name] = p
		return p, nil
	}
	var files []*ast.File
	for _, f := range found.files {
		files = append(files, f.syntax)
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				at := place{f.path, fn.Name.Name}
				r.at[fn.Name.Pos()], r.functions[at] = fn, append(r.functions[at], fn)
			}
		}
	}
	cfg := types.Config{Importer: r, Error: func(error) {}} // what is not resolved is not ours
	p, _ := cfg.Check(name, r.tr.fset, files, &r.info)
	r.packages[name] = p
	return p, nil
}

// callee is the function of the repository that is called, nil if there is none.
func (r *resolved) callee(call *ast.CallExpr) (place, *ast.FuncDecl) {
	fun := ast.Unparen(call.Fun)
	if i, ok := fun.(*ast.IndexExpr); ok {
		fun = i.X
	}
	if s, ok := fun.(*ast.SelectorExpr); ok {
		fun = s.Sel
	}
	id, ok := fun.(*ast.Ident)
	if !ok {
		return place{}, nil
	}
	fn, ok := r.info.Uses[id].(*types.Func)
	if !ok {
		return place{}, nil
	}
	pos := fn.Origin().Pos()
	return place{r.tr.fset.Position(pos).Filename, id.Name}, r.at[pos]
}

// accessor tells whether a function is one expression, or one assignment, that calls no
// function of the repository, or (deep 1) only functions like that: a reader need not open
// its file.
func (r *resolved) accessor(d *ast.FuncDecl, deep int) bool {
	if len(d.Body.List) != 1 {
		return false
	}
	switch d.Body.List[0].(type) {
	case *ast.ReturnStmt, *ast.AssignStmt:
	default:
		return false
	}
	plain := true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			_, callee := r.callee(call)
			plain = plain && (callee == nil || deep > 0 && r.accessor(callee, deep-1))
		}
		return plain
	})
	return plain
}
