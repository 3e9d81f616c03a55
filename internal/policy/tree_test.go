package policy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// module is the path that go.mod declares.
const module = "github.com/selvage-dev/selvage"

// tree is the Go source of the module as it lies there: parsed, not type-checked, so
// that a rule can be judged while another package does not compile.
type tree struct {
	root     fs.FS
	fset     *token.FileSet
	packages []*pkg // by folder, parents first
}

// pkg is one folder with Go files. Every build is in it at once: a rule holds with
// and without the invariants tag, on every system.
type pkg struct {
	dir   string // slash-separated from the module root; "." is the root
	files []*file
	tests []*file
}

type file struct {
	path   string
	src    []byte
	syntax *ast.File
}

// finding is one thing a check objects to.
type finding struct {
	where string
	what  string
}

func (f finding) String() string { return f.where + ": " + f.what }

// check is a rule: what it objects to in a tree, nothing if the tree keeps it.
type check func(*tree) []finding

// hold fails the test with every finding of the check in this repository.
func hold(t *testing.T, c check) {
	t.Helper()
	for _, f := range c(repository(t)) {
		t.Error(f)
	}
}

// parsed is the repository once the first check has asked for it. All share it, one after
// another, and none changes it.
var parsed *tree

// repository is the module this package lies in.
func repository(t *testing.T) *tree {
	t.Helper()
	if parsed != nil {
		return parsed
	}
	tr, err := parseTree(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.packages) < 2 {
		t.Fatalf("found %d packages: this test does not see the repository", len(tr.packages))
	}
	parsed = tr
	return tr
}

func parseTree(root fs.FS) (*tree, error) {
	tr := &tree{root: root, fset: token.NewFileSet()}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case foreign(d.Name()) || otherModule(tr.root, name):
			return fs.SkipDir
		}
		return tr.parseFolder(name)
	})
	return tr, err
}

// otherModule reports whether a folder is a module of its own, as the one of tests that need what this module does not.
func otherModule(root fs.FS, dir string) bool {
	_, err := fs.Stat(root, path.Join(dir, "go.mod"))
	return err == nil && dir != "."
}

// foreign reports whether the go command ignores the folder too.
func foreign(name string) bool {
	return name == "testdata" || len(name) > 1 && (name[0] == '.' || name[0] == '_')
}

func (tr *tree) parseFolder(dir string) error {
	entries, err := fs.ReadDir(tr.root, dir)
	if err != nil {
		return err
	}
	p := &pkg{dir: dir}
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".go" {
			continue
		}
		f, err := tr.parseFile(path.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		if strings.HasSuffix(f.path, "_test.go") {
			p.tests = append(p.tests, f)
		} else {
			p.files = append(p.files, f)
		}
	}
	if len(p.files)+len(p.tests) > 0 {
		tr.packages = append(tr.packages, p)
	}
	return nil
}

func (tr *tree) parseFile(name string) (*file, error) {
	src, err := fs.ReadFile(tr.root, name)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(tr.fset, name, src, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("no rule can be judged: %w", err)
	}
	return &file{path: name, src: src, syntax: syntax}, nil
}

// all is every file of the package, tests included.
func (p *pkg) all() []*file { return slices.Concat(p.files, p.tests) }

// named is the package in that folder, nil if there is none.
func (tr *tree) named(dir string) *pkg {
	for _, p := range tr.packages {
		if p.dir == dir {
			return p
		}
	}
	return nil
}

// at makes a finding at a place in the source.
func (tr *tree) at(pos token.Pos, format string, args ...any) finding {
	p := tr.fset.Position(pos)
	return finding{fmt.Sprintf("%s:%d", p.Filename, p.Line), fmt.Sprintf(format, args...)}
}
