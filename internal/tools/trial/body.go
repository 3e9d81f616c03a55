package trial

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/types"
	"path/filepath"
)

// BodyCompiles is Compiles for one file that has changed inside of functions only, in a
// tenth of the time: no other file can have become wrong by that, so of those only what
// they declare is looked at.
func (c *Compiler) BodyCompiles(name string, text []byte) error {
	file, err := parser.ParseFile(c.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	others, err := c.outline(name)
	if err != nil {
		return err
	}
	var here error
	conf := types.Config{Importer: c.importer, Error: func(err error) {
		var wrong types.Error
		if here == nil && (!errors.As(err, &wrong) || c.fset.Position(wrong.Pos).Filename == name) {
			here = err
		}
	}}
	_, _ = conf.Check(file.Name.Name, c.fset, append([]*ast.File{file}, others...), nil)
	return here
}

// outline is the rest of a file's package, without what is inside of functions.
func (c *Compiler) outline(name string) ([]*ast.File, error) {
	if known := c.outlines[name]; known != nil {
		return known, nil
	}
	dir := filepath.Dir(filepath.FromSlash(name))
	folder, err := build.Default.ImportDir(filepath.Join(c.root, dir), 0)
	if err != nil {
		return nil, fmt.Errorf("trial: %w", err)
	}
	var others []*ast.File
	for _, other := range folder.GoFiles {
		if other == filepath.Base(name) {
			continue
		}
		file, err := parser.ParseFile(c.fset, filepath.Join(c.root, dir, other), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				f.Body = nil
			}
		}
		others = append(others, file)
	}
	c.outlines[name] = others
	return others, nil
}
