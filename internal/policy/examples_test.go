package policy

import (
	"go/ast"
	"go/doc"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestEveryExportedCoreTypeHasARunnableExample(t *testing.T) { hold(t, typeExamples) }

func TestEveryCallOfAHostHasARunnableExample(t *testing.T) {
	for dir := range called() {
		if repository(t).named(dir) == nil {
			t.Errorf("%s: no such package; correct the list of packages whose calls need an example", dir)
		}
	}
	hold(t, callExamples)
}

// called are the packages that an embedder calls: each exported function and method needs an example.
// "*" means the whole package, its types included; otherwise a name is a function, a type with its
// methods, or one method (Type.Method). The methods that Scheduler promotes are those of Core, under
// which godoc lists them.
func called() map[string]string {
	return map[string]string{
		"scheduler":        "New Scheduler Core Ops.Start Unwind.Context Unwind.Fail Unwind.Stop",
		"trampoline":       "*",
		"parking":          "*",
		"host/bind":        "New NewBlocking Must Call Result",
		"host/minigo":      "*",
		"host/starlark":    "*",
		"host/wasm/fibers": "*",
	}
}

func callExamples(tr *tree) []finding {
	var found []finding
	list := called()
	for _, dir := range slices.Sorted(maps.Keys(list)) {
		p := tr.named(dir)
		if p == nil {
			continue
		}
		examples := runnable(p)
		names := strings.Fields(list[dir])
		if list[dir] == "*" {
			found = append(found, missingTypes(tr, p, examples)...)
			names = nil
		}
		found = append(found, missingCalls(tr, p, names, examples)...)
	}
	return found
}

// missingCalls objects to functions and methods without an example, and to a name that the package
// does not have. Without names it covers the whole package.
func missingCalls(tr *tree, p *pkg, names []string, examples []string) []finding {
	var found []finding
	used := map[string]bool{}
	for _, d := range exportedFunctions(p) {
		name, owner := d.Name.Name, receiverName(d)
		if owner != "" {
			name = owner + "." + name
		}
		i := slices.IndexFunc(names, func(n string) bool { return n == name || n == owner })
		if names != nil && i < 0 {
			continue
		}
		if names != nil {
			used[names[i]] = true
		}
		if want := strings.Replace(name, ".", "_", 1); !slices.ContainsFunc(examples, shows(want)) {
			found = append(found, tr.at(d.Pos(), "%s has no func Example%s with an Output comment", name, want))
		}
	}
	for _, name := range names {
		if !used[name] {
			found = append(found, finding{p.dir, name + " is in the list of calls that need an example, and not in the package"})
		}
	}
	return found
}

// shows reports whether go doc attaches an example to the wanted function or method: a suffix of the
// example's name begins with a lower-case letter.
func shows(want string) func(example string) bool {
	return func(example string) bool {
		rest, ok := strings.CutPrefix(example, want)
		suffix, cut := strings.CutPrefix(rest, "_")
		return ok && (rest == "" || cut && suffix != "" && !unicode.IsUpper(rune(suffix[0])))
	}
}

func exportedFunctions(p *pkg) (all []*ast.FuncDecl) {
	for _, f := range p.files {
		for _, d := range f.syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.IsExported() && exportedReceiver(d) {
				all = append(all, d)
			}
		}
	}
	return all
}

func typeExamples(tr *tree) []finding {
	var found []finding
	for _, dir := range strings.Fields(core) {
		if p := tr.named(dir); p != nil {
			found = append(found, missingTypes(tr, p, runnable(p))...)
		}
	}
	return found
}

func missingTypes(tr *tree, p *pkg, examples []string) []finding {
	var found []finding
	for _, id := range exportedTypes(p) {
		if !slices.ContainsFunc(examples, func(e string) bool { return e == id.Name || strings.HasPrefix(e, id.Name+"_") }) {
			found = append(found, tr.at(id.Pos(), "type %s has no func Example%s with an Output comment", id.Name, id.Name))
		}
	}
	return found
}

// runnable are the examples that go test runs and compares, without the word Example.
func runnable(p *pkg) (names []string) {
	var tests []*ast.File
	for _, f := range p.tests {
		tests = append(tests, f.syntax)
	}
	for _, e := range doc.Examples(tests...) {
		if e.Output != "" || e.EmptyOutput {
			names = append(names, e.Name)
		}
	}
	return names
}

func exportedTypes(p *pkg) (ids []*ast.Ident) {
	for _, f := range p.files {
		for _, d := range f.syntax.Decls {
			if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
				for _, spec := range gen.Specs {
					ids = append(ids, exportedNames(spec)...)
				}
			}
		}
	}
	return ids
}
