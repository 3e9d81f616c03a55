package policy

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

func TestThePureCoreStartsNoGoroutineReadsNoClockDoesNoIO(t *testing.T) { hold(t, purity) }

// worldly are the packages through which the outside comes in. A name ending in /
// stands for what is below it too.
const worldly = "os os/ net net/ syscall log log/ embed crypto/rand io/ioutil os/signal runtime/trace"

// impure are functions of otherwise harmless packages that read the clock, start a
// timer, or draw from an unseeded generator.
func impure() map[string][]string {
	global := []string{"Int", "IntN", "Intn", "Int31", "Int32", "Int63", "Int64", "Int31n", "Int32N", "Int63n", "Int64N",
		"Uint", "UintN", "Uint32", "Uint32N", "Uint64", "Uint64N", "N", "Float32", "Float64", "NormFloat64", "ExpFloat64",
		"Perm", "Shuffle", "Seed", "Read"}
	return map[string][]string{
		"time":         {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
		"context":      {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
		"fmt":          {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
		"math/rand":    global,
		"math/rand/v2": global,
	}
}

func purity(tr *tree) []finding {
	var found []finding
	for _, p := range tr.packages {
		if !under(p.dir, strings.Fields(pure)) {
			continue
		}
		for _, f := range p.files {
			found = append(found, impurities(tr, f)...)
		}
	}
	return found
}

// under reports whether dir is one of the folders, or below one.
func under(dir string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool {
		return dir == f || strings.HasPrefix(dir, f+"/")
	})
}

func impurities(tr *tree, f *file) []finding {
	var found []finding
	for _, spec := range f.syntax.Imports {
		if brings(importPath(spec)) {
			found = append(found, tr.at(spec.Pos(), "the pure core imports %s; shells do that (docs/design.md#determinism)", importPath(spec)))
		}
	}
	names, forbidden := importNames(f.syntax), impure()
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, tr.at(n.Pos(), "the pure core starts a goroutine; shells do that (docs/design.md#determinism)"))
		case *ast.SelectorExpr:
			if pkg, ok := packageOf(n, names); ok && slices.Contains(forbidden[pkg], n.Sel.Name) {
				found = append(found, tr.at(n.Pos(), "the pure core uses %s.%s; take it as an input (docs/design.md#determinism)", pkg, n.Sel.Name))
			}
		}
		return true
	})
	return found
}

func brings(target string) bool {
	return slices.ContainsFunc(strings.Fields(worldly), func(w string) bool {
		return target == w || strings.HasSuffix(w, "/") && strings.HasPrefix(target, w)
	})
}

// packageOf is the import path that a selector's left side stands for, if it is the
// name of an import.
func packageOf(sel *ast.SelectorExpr, names map[string]string) (string, bool) {
	x, ok := sel.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	p, ok := names[x.Name]
	return p, ok
}
