package policy

import (
	"go/ast"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/rule"
)

const rulesFile = "docs/invariants.md"

func TestTheDocumentStatesEveryRuleInTheWordsOfTheCode(t *testing.T) { hold(t, statements) }
func TestEveryRuleThatIsCitedExists(t *testing.T)                    { hold(t, citedRules) }
func TestEveryReportOfABrokenContractNamesItsRule(t *testing.T)      { hold(t, unruled) }

// The heading of a rule and the line after it, which states the rule.
var statement = regexp.MustCompile(`(?m)^### ([A-Z][A-Z0-9-]*)\n\n(.*)$`)

// statements objects to a rule that docs/invariants.md does not state, or states in
// other words than its Text, and to a constant that is not named after its rule.
func statements(tr *tree) []finding {
	text, err := fs.ReadFile(tr.root, rulesFile)
	if err != nil {
		return []finding{{rulesFile, err.Error()}}
	}
	said := map[string]string{}
	for _, m := range statement.FindAllStringSubmatch(string(text), -1) {
		said[m[1]] = m[2]
	}
	var found []finding
	for r := rule.I1; r <= rule.Last; r++ {
		if name := r.String(); said[name] != r.Text() {
			found = append(found, finding{rulesFile, "under ### " + name + " want the line: " + r.Text()})
		}
		delete(said, r.String())
	}
	for name := range said {
		found = append(found, finding{rulesFile, "### " + name + " is no rule of internal/rule"})
	}
	if extra := (rule.Last + 1).Text(); extra != "" {
		found = append(found, finding{"internal/rule", "no constant names the rule: " + extra})
	}
	return append(found, misnamed(tr)...)
}

// misnamed objects to a constant of internal/rule whose name is not its rule's, as
// OneOwner is for ONE-OWNER.
func misnamed(tr *tree) []finding {
	p := tr.named("internal/rule")
	if p == nil {
		return nil
	}
	var found []finding
	next := rule.I1
	for _, f := range p.files {
		for _, m := range regexp.MustCompile(`(?m)^\t([A-Z]\w+)$`).FindAllStringSubmatch(string(f.src), -1) {
			if want := strings.ToUpper(strings.ReplaceAll(next.String(), "-", "")); strings.ToUpper(m[1]) != want {
				found = append(found, finding{f.path, "constant " + m[1] + " stands where rule " + next.String() + " does"})
			}
			next++
		}
	}
	return found
}

// Where a text cites a rule: by its number, by the sentence of rule.Cite, or as the
// string of a Rule field.
var ruleCitation = regexp.MustCompile(`\b(I[1-9]\d?)\b|rule ([A-Z][A-Z-]+[A-Z])\b|(?:Rule: "|refuses\(")([A-Z][A-Z-]+)"`)

// citedRules objects to the number or name of a rule that does not exist.
func citedRules(tr *tree) []finding {
	known := map[string]bool{}
	for r := rule.I1; r <= rule.Last; r++ {
		known[r.String()] = true
	}
	var found []finding
	all := texts(tr)
	for _, name := range sorted(all) {
		if under(name, []string{"bench"}) {
			continue // its rows have numbers of the same form
		}
		for _, m := range matches(ruleCitation, all[name]) {
			if cited := m[1] + m[2] + m[3]; !known[cited] {
				found = append(found, finding{name, cited + " is no rule; docs/invariants.md lists them"})
			}
		}
	}
	return found
}

// unruled objects to a contract or invariant error that is made without a rule, and to a
// panic in words of the core and of what it stands on that cites none.
func unruled(tr *tree) []finding {
	var found []finding
	for _, p := range tr.packages {
		speaks := under(p.dir, append(strings.Fields(core), "internal/slab", "internal/stack", "internal/waitq", "internal/wheel", "host/native"))
		for _, f := range p.files {
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					if reportsBreach(n.Type) && !setsRule(n) {
						found = append(found, tr.at(n.Pos(), "an error that reports a broken contract names no rule; see internal/rule"))
					}
				case *ast.CallExpr:
					if speaks && panicsInWords(n) && !strings.Contains(string(f.src[tr.fset.Position(n.Pos()).Offset:tr.fset.Position(n.End()).Offset]), "rule") {
						found = append(found, tr.at(n.Pos(), "a panic in words cites no rule; see rule.Cite"))
					}
				}
				return true
			})
		}
	}
	return found
}

// panicsInWords reports whether a call panics with a text, concatenated or formatted.
func panicsInWords(call *ast.CallExpr) bool {
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "panic" && isText(call.Args[0])
}

func isText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.BinaryExpr:
		return isText(e.X)
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Sprintf"
	}
	return false
}

// reportsBreach reports whether a type is an error that reports a broken contract.
func reportsBreach(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return reportsBreach(e.Sel)
	case *ast.Ident:
		return e.Name == "ContractError" || e.Name == "InvariantError"
	}
	return false
}

func setsRule(lit *ast.CompositeLit) bool {
	return slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		key, ok := kv.Key.(*ast.Ident)
		return ok && key.Name == "Rule"
	})
}

// texts are the files that people read and write: source, documents, models, scripts.
// What a build or another project made is not among them.
func texts(tr *tree) map[string]string {
	all := map[string]string{}
	_ = fs.WalkDir(tr.root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() {
			if len(base) > 1 && (base[0] == '.' || base[0] == '_') || name == "internal/policy" {
				return fs.SkipDir
			}
			return nil
		}
		switch path.Ext(name) {
		case ".go", ".md", ".pml", ".dfy", ".sh":
		case ".txt":
			if !under(name, []string{"scheduler", "spec"}) {
				return nil
			}
		default:
			return nil
		}
		src, err := fs.ReadFile(tr.root, name)
		all[name] = string(src)
		return err
	})
	return all
}
