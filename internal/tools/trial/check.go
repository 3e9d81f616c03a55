package trial

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Compiler reports whether changed files compile, without building them: it type-checks
// their package against what the others export.
type Compiler struct {
	root     string
	fset     *token.FileSet
	exports  map[string]string // the file with the exports of each package
	importer types.Importer
	parsed   map[string]*ast.File
	outlines map[string][]*ast.File // of the packages that BodyCompiles was asked about, by file left out
}

// NewCompiler has the go command compile what the packages (patterns as ./wait) depend on.
func NewCompiler(root string, packages ...string) (*Compiler, error) {
	list := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, packages...)...)
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("trial: go list: %w", err)
	}
	c := &Compiler{root: root, fset: token.NewFileSet(), exports: map[string]string{}, parsed: map[string]*ast.File{}, outlines: map[string][]*ast.File{}}
	for line := range strings.Lines(string(out)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			c.exports[path] = file
		}
	}
	c.importer = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(c.exports[path])
	})
	return c, nil
}

// Compiles is nil if the package of the file compiles with these texts instead of what
// lies there; files are named from the root of the module. An error that is a types.Error
// or a scanner's is a text's; any other is the machine's.
func (c *Compiler) Compiles(texts map[string][]byte) error {
	dirs := map[string]bool{}
	for name := range texts {
		dirs[filepath.Dir(filepath.FromSlash(name))] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if err := c.compiles(dir, texts); err != nil {
			return err
		}
	}
	return nil
}

func (c *Compiler) compiles(dir string, texts map[string][]byte) error {
	folder, err := build.Default.ImportDir(filepath.Join(c.root, dir), 0)
	if err != nil {
		return fmt.Errorf("trial: %w", err)
	}
	var files []*ast.File
	for _, name := range folder.GoFiles {
		f, err := c.parse(filepath.ToSlash(filepath.Join(dir, name)), texts)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: c.importer}
	_, err = conf.Check(folder.Name, c.fset, files, nil)
	return err
}

func (c *Compiler) parse(name string, texts map[string][]byte) (*ast.File, error) {
	if text, changed := texts[name]; changed {
		return parser.ParseFile(c.fset, name, text, parser.SkipObjectResolution)
	}
	if f := c.parsed[name]; f != nil {
		return f, nil
	}
	f, err := parser.ParseFile(c.fset, filepath.Join(c.root, filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
	c.parsed[name] = f
	return f, err
}

// ErrNoRoot: no folder above has a go.mod.
var ErrNoRoot = errors.New("trial: not inside a module")

// Root is the folder of the module that the working directory is in.
func Root() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && bytes.HasPrefix(text, []byte("module ")) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", ErrNoRoot
		}
	}
	return "", err
}
