package policy

import (
	"go/ast"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

func TestTestsNeitherSleepNorSkip(t *testing.T) { hold(t, honestTests) }
func TestNothingIsPutOff(t *testing.T)          { hold(t, putOff) }

// honestTests objects to tests that wait for the wall clock, which flake, and to
// tests that leave themselves out, which pass without looking.
func honestTests(tr *tree) []finding {
	var found []finding
	for _, p := range tr.packages {
		for _, f := range p.tests {
			names := importNames(f.syntax)
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				pkg, _ := packageOf(sel, names)
				switch {
				case pkg == "time" && (sel.Sel.Name == "Sleep" || sel.Sel.Name == "After"):
					found = append(found, tr.at(sel.Pos(), "a test waits with time.%s; wait for an event or use a virtual clock", sel.Sel.Name))
				case skips(sel):
					found = append(found, tr.at(sel.Pos(), "a test skips itself; make it pass or take it out"))
				}
				return true
			})
		}
	}
	return found
}

func skips(sel *ast.SelectorExpr) bool {
	x, ok := sel.X.(*ast.Ident)
	if !ok || x.Name != "t" && x.Name != "b" && x.Name != "f" && x.Name != "tb" {
		return false
	}
	return sel.Sel.Name == "Skip" || sel.Sel.Name == "Skipf" || sel.Sel.Name == "SkipNow"
}

// written are the endings of the texts people write here, Go apart.
const written = ".md .sh .pml .dfy .lua .yml .txt .s"

// putOff objects to notes that promise work instead of doing it. In Go only comments
// count: a string may well hold the word.
func putOff(tr *tree) []finding {
	var found []finding
	for _, p := range tr.packages {
		for _, f := range p.all() {
			for _, group := range f.syntax.Comments {
				for _, c := range group.List {
					if marker().MatchString(c.Text) {
						found = append(found, tr.at(c.Pos(), "work put off in a comment; do it or file it"))
					}
				}
			}
		}
	}
	return append(found, putOffInTexts(tr)...)
}

func marker() *regexp.Regexp { return regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`) }

func putOffInTexts(tr *tree) (found []finding) {
	err := fs.WalkDir(tr.root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && foreign(d.Name()) && d.Name() != ".ci":
			return fs.SkipDir
		case d.IsDir() || !authored(name):
			return nil
		}
		text, err := fs.ReadFile(tr.root, name)
		if marker().Match(text) {
			found = append(found, finding{name, "work put off; do it or file it"})
		}
		return err
	})
	if err != nil {
		found = append(found, finding{".", err.Error()})
	}
	return found
}

// authored reports whether a file is text people write; one without an ending, such as
// a script or the Makefile, is.
func authored(name string) bool {
	ext := path.Ext(path.Base(name))
	return ext == "" || strings.Contains(written+" ", ext+" ")
}
