package policy

import (
	"go/ast"
	"path"
	"strings"
	"testing"
)

func TestEveryPackageIntroducesItselfInDocGo(t *testing.T) { hold(t, packageDocs) }
func TestEveryExportedIdentifierIsDocumented(t *testing.T) { hold(t, identifierDocs) }

func packageDocs(tr *tree) []finding {
	var found []finding
	for _, p := range tr.packages {
		if !hasPackageDoc(p) {
			found = append(found, finding{p.dir, "want a doc.go with the package comment: its one-sentence job, the table it owns, what it never does"})
		}
	}
	return found
}

func hasPackageDoc(p *pkg) bool {
	for _, f := range p.files {
		if path.Base(f.path) == "doc.go" && f.syntax.Doc != nil {
			return strings.TrimSpace(f.syntax.Doc.Text()) != ""
		}
	}
	return false
}

func identifierDocs(tr *tree) []finding {
	var found []finding
	for _, p := range tr.packages {
		for _, f := range p.files {
			for _, d := range f.syntax.Decls {
				for _, id := range undocumented(d) {
					found = append(found, tr.at(id.Pos(), "exported %s has no doc comment", id.Name))
				}
			}
		}
	}
	return found
}

// undocumented are the exported names a declaration makes without a word about them.
// In a group, the comment on the group speaks for all of it.
func undocumented(d ast.Decl) []*ast.Ident {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			return nil
		}
		var bare []*ast.Ident
		for _, spec := range d.Specs {
			if specDoc(spec) == nil {
				bare = append(bare, exportedNames(spec)...)
			}
		}
		return bare
	}
	return nil
}

func exportedNames(spec ast.Spec) (ids []*ast.Ident) {
	for _, id := range specNames(spec) {
		if id.IsExported() {
			ids = append(ids, id)
		}
	}
	return ids
}

func specDoc(spec ast.Spec) *ast.CommentGroup {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		return s.Doc
	case *ast.ValueSpec:
		if s.Doc == nil {
			return s.Comment
		}
		return s.Doc
	}
	return nil
}

// exportedReceiver reports whether the function is none of an unexported type's methods.
func exportedReceiver(d *ast.FuncDecl) bool {
	return d.Recv == nil || ast.IsExported(receiverName(d))
}

// receiverName is the name of the type a method belongs to, "" for a function.
func receiverName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
