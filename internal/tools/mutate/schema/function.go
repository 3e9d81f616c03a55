package schema

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// copyable reports whether a copy that the function calls does what the function does. One
// that recovers does not: only what a defer statement names can. A type parameter without a
// name cannot be handed on.
func copyable(f *ast.FuncDecl) bool {
	return f.Body != nil && f.Name.Name != "_" && !recovers(f.Body) && !slices.Contains(names(f.Type.TypeParams), "_")
}

// recovers is true for a call of recover by the function itself, and not by a literal in it.
func recovers(body *ast.BlockStmt) (does bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			name, ok := call.Fun.(*ast.Ident)
			does = does || ok && name.Name == "recover"
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
	return does
}

func names(list *ast.FieldList) (all []string) {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			all = append(all, name.Name)
		}
	}
	return all
}

// function weaves the changes of one function.
func (w *weaver) function(f *ast.FuncDecl, changes []Change) {
	call := "%s"
	if f.Recv != nil {
		call = w.arguments(f.Recv, "Receiver") + ".%s"
	}
	if types := names(f.Type.TypeParams); len(types) > 0 {
		call += "[" + strings.Join(types, ", ") + "]"
	}
	call += "(" + w.arguments(f.Type.Params, "Argument") + ")"
	if f.Type.Results.NumFields() > 0 {
		call = "return " + call
	} else {
		call += "; return"
	}
	var cases strings.Builder
	add := func(number int, name string, edits ...edit) {
		fmt.Fprintf(&cases, " case %d: "+call+";", number, name)
		w.copy(f, name, edits...)
	}
	add(Same, fmt.Sprint("same", changes[0].Number))
	for _, c := range changes {
		add(c.Number, fmt.Sprint("mutant", c.Number), edit{c.Start, c.End, c.With})
	}
	at := offset(f.Body.Lbrace) + 1
	w.edits = append(w.edits, edit{at, at, " if selvageMutant != 0 { switch selvageMutant {" + cases.String() + " } };"})
}

// arguments are the names of parameters, so that they can be handed on: those that have
// none get one.
func (w *weaver) arguments(list *ast.FieldList, stem string) string {
	var all []string
	for _, field := range list.List {
		rest := ""
		if _, variadic := field.Type.(*ast.Ellipsis); variadic {
			rest = "..."
		}
		if len(field.Names) == 0 {
			name := fmt.Sprint("selvage", stem, len(all))
			w.edits = append(w.edits, edit{offset(field.Type.Pos()), offset(field.Type.Pos()), name + " "})
			all = append(all, name+rest)
		}
		for _, n := range field.Names {
			name := n.Name
			if name == "_" {
				name = fmt.Sprint("selvage", stem, len(all))
				w.edits = append(w.edits, edit{offset(n.Pos()), offset(n.End()), name})
			}
			all = append(all, name+rest)
		}
	}
	return strings.Join(all, ", ")
}

// copy adds the function under another name, with edits in its body.
func (w *weaver) copy(f *ast.FuncDecl, name string, edits ...edit) {
	from, to := offset(f.Pos()), offset(f.End())
	inside := []edit{{offset(f.Name.Pos()) - from, offset(f.Name.End()) - from, name}}
	for _, e := range edits {
		inside = append(inside, edit{e.start - from, e.end - from, e.with})
	}
	w.copies.WriteByte('\n')
	w.copies.Write(apply(w.text[from:to], inside))
	w.copies.WriteByte('\n')
}
