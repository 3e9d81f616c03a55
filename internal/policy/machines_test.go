package policy

import (
	"fmt"
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"
)

// maxLibraryLines is how many lines of a small machine may have a name of this module. More than
// that, and the calls that a host makes are too many or too fine.
const maxLibraryLines = 60

func TestAMachineUsesTheLibraryInFewLines(t *testing.T) {
	tr := repository(t)
	if len(machines(tr)) < 2 {
		t.Fatalf("the machines are %v: this test does not see them", machines(tr))
	}
	for _, dir := range machines(tr) {
		t.Logf("%s: %d lines", dir, len(libraryLines(tr, dir)))
	}
	hold(t, machineSizes)
}

// machines are the folders of the examples that are virtual machines.
func machines(tr *tree) (dirs []string) {
	for _, p := range tr.packages {
		if is, _ := path.Match("examples/*vm", p.dir); is {
			dirs = append(dirs, p.dir)
		}
	}
	return dirs
}

func machineSizes(tr *tree) (found []finding) {
	for _, dir := range machines(tr) {
		if lines := libraryLines(tr, dir); len(lines) > maxLibraryLines {
			found = append(found, finding{dir, fmt.Sprintf("%d lines have a name of this module, at most %d may: %s",
				len(lines), maxLibraryLines, strings.Join(lines, " "))})
		}
	}
	return found
}

// shared is what example machines have in common. Its lines count for each machine that imports it.
const shared = "examples/internal/"

// libraryLines are the lines of a package, without its imports, on which an identifier means
// something that a package of this module declares which is no example: the package itself, a type,
// a function, a method or a field, also behind an alias.
func libraryLines(tr *tree, dir string) (lines []string) {
	r := resolve(tr, dir)
	for _, f := range tr.named(dir).files {
		for id, used := range r.info.Uses {
			if pos := tr.fset.Position(id.Pos()); pos.Filename == f.path && declaredOutside(used) {
				lines = append(lines, fmt.Sprintf("%s:%d", path.Base(pos.Filename), pos.Line))
			}
		}
	}
	for _, used := range r.packages[module+"/"+dir].Imports() {
		if inside, is := strings.CutPrefix(used.Path(), module+"/"); is && strings.HasPrefix(inside, shared) {
			lines = append(lines, libraryLines(tr, inside)...)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// declaredOutside reports whether a package of this module that is no example declares what an
// identifier means.
func declaredOutside(used types.Object) bool {
	declared := used.Pkg()
	switch used := used.(type) {
	case *types.PkgName:
		declared = used.Imported()
	case *types.TypeName:
		if named, ok := types.Unalias(used.Type()).(interface{ Obj() *types.TypeName }); ok {
			declared = named.Obj().Pkg()
		}
	}
	return declared != nil && strings.HasPrefix(declared.Path(), module+"/") && !strings.HasPrefix(declared.Path(), module+"/examples/")
}

func machineCanaries() []canary {
	long := strings.Repeat("var _ = fiber.Kind(0)\n", maxLibraryLines-4)
	vm := func(more string) map[string]string {
		return map[string]string{
			"fiber/a.go": "package fiber\ntype Kind int\ntype Box struct{ Field int }\nfunc (Box) Method() {}",
			"examples/newvm/a.go": "package main\nimport (\n\t\"errors\"\n\t\"" + module + "/fiber\"\n)\n" +
				"type alias = fiber.Kind\n" + // counts, and each use of it
				"type own struct{ fiber.Box; mine int }\n" + // counts
				"var a alias\nvar o own; var e = errors.New(\"\")\n" + // the first counts
				"func f() { o.mine++ }\nfunc g() { o.Method() }\n" + more + long, // the second counts
			"examples/newvm/a_test.go": "package main\nvar t fiber.Kind",
			"examples/other/a.go":      "package main\nimport \"" + module + "/fiber\"\n" + long + long,
		}
	}
	return []canary{
		{"a machine that may have no line more", machineSizes, vm(""), nil},
		{"a machine with a line more", machineSizes, vm("var n = o.Field\n"), []string{"61 lines"}},
	}
}
