package front

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"
)

// Source is one file of a program.
type Source struct {
	Name  string
	Text  []byte
	Bound bool // it declares functions of the host
}

// Package is a checked package.
type Package struct {
	Bound bool
	Types *types.Package
	Files []*ast.File
	Info  *types.Info
	// Guest says that it is the program's own, not of the library.
	Guest bool
}

// Program is a checked program: main is the last of the packages, and each stands behind
// those that it imports.
type Program struct {
	Fset     *token.FileSet
	Packages []*Package
}

// maxErrors is how many complaints one refusal lists.
const maxErrors = 10

// Error is why a source is not a program that minigo runs.
type Error struct {
	Problems []Problem
}

// Problem is one complaint and its place.
type Problem struct {
	Pos  token.Position
	What string
	at   token.Pos
}

// Error is one line a problem, as the go command prints them.
func (e *Error) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i == maxErrors {
			fmt.Fprintf(&b, "\ntoo many errors (%d more)", len(e.Problems)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%v: %s", p.Pos, p.What)
	}
	return b.String()
}

// Check reads a program of one package main, in one or more files, or a package of tests. std has the
// sources of the packages it may import, by path; nil is none. bound describes a function of a package
// that is Bound.
func Check(files []Source, std func(path string) []Source, bound func(path, function string) string) (*Program, error) {
	c := &checker{fset: token.NewFileSet(), std: std, bound: bound, done: map[string]*Package{}}
	if std != nil {
		for _, path := range []string{"runtime", "host"} { // the machine makes values of their types
			if _, err := c.importPackage(path); err != nil {
				return nil, err
			}
		}
	}
	main, err := c.checkMain(files)
	if err != nil {
		return nil, err
	}
	if main.Types.Name() != "main" {
		return nil, &Error{[]Problem{{c.fset.Position(main.Files[0].Name.Pos()), "package " + main.Types.Name() + " is not a program; a program is package main", 0}}}
	}
	f, _ := main.Types.Scope().Lookup("main").(*types.Func)
	if f == nil {
		return nil, &Error{[]Problem{{c.fset.Position(main.Files[0].Name.Pos()), "function main is undeclared in the main package", 0}}}
	}
	return &Program{c.fset, c.order}, nil
}

type checker struct {
	fset  *token.FileSet
	std   func(string) []Source
	bound func(path, function string) string
	done  map[string]*Package
	order []*Package
}

// parse reads the syntax of files.
func (c *checker) parse(files []Source) (all []*ast.File, err error) {
	var found Error
	for _, f := range files {
		syntax, err := parser.ParseFile(c.fset, f.Name, f.Text, parser.SkipObjectResolution)
		if err != nil {
			found.add(err)
			continue
		}
		all = append(all, syntax)
	}
	if len(found.Problems) > 0 {
		return nil, &found
	}
	return all, nil
}

// check checks a package; guest says that it is the program's own.
func (c *checker) check(path string, files []*ast.File, guest bool) (*Package, error) {
	p := &Package{Guest: guest, Files: files, Info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{},
	}}
	var found Error
	conf := types.Config{
		Importer: importer(c.importPackage), Sizes: types.SizesFor("gc", "amd64"),
		Error: func(err error) { found.add(err) },
	}
	p.Types, _ = conf.Check(path, c.fset, p.Files, p.Info) // its error is the first of found
	if len(found.Problems) > 0 {
		c.explain(p, found.Problems)
		return nil, &found
	}
	if guest {
		found.Problems = refuse(c.fset, p)
		if len(found.Problems) > 0 {
			return nil, &found
		}
	}
	c.order = append(c.order, p)
	return p, nil
}

func (e *Error) add(err error) {
	var list scanner.ErrorList
	var typed types.Error
	switch {
	case errors.As(err, &list):
		for _, x := range list {
			e.Problems = append(e.Problems, Problem{Pos: x.Pos, What: x.Msg})
		}
	case errors.As(err, &typed):
		e.Problems = append(e.Problems, Problem{typed.Fset.Position(typed.Pos), typed.Msg, typed.Pos})
	default:
		e.Problems = append(e.Problems, Problem{What: err.Error()})
	}
}

// importer is types.Importer as a function.
type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

func (c *checker) importPackage(path string) (*types.Package, error) {
	if p := c.done[path]; p != nil {
		return p.Types, nil
	}
	var files []Source
	if c.std != nil && path != "main" {
		files = c.std(path)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("minigo has no package %q", path)
	}
	syntax, err := c.parse(files)
	if err != nil {
		return nil, err
	}
	p, err := c.check(path, syntax, false)
	if err != nil {
		return nil, err
	}
	p.Bound = files[0].Bound
	c.done[path] = p
	return p.Types, nil
}
