package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is one mistake in one file.
type mutant struct {
	key
	line       int
	start, end int    // what is replaced in the file
	with       string // and by what
}

// key names a mutant by what it is and not by where it stands, so that it is still the
// same one when lines were added above.
type key struct {
	File    string `json:"file"`
	Func    string `json:"func,omitempty"`
	Was     string `json:"was"`
	Becomes string `json:"becomes"`
	Nth     int    `json:"nth,omitempty"` // of those with the same texts in the function, from 2
}

func (k key) String() string {
	return fmt.Sprintf("%s %s: %s → %s", k.File, k.Func, k.Was, cmp.Or(k.Becomes, "nothing"))
}

// entry is the mutant as the file of equivalents has it, but for the reason.
func (k key) entry() string {
	where := k.File
	if k.Func != "" {
		where += " " + k.Func
	}
	if k.Nth > 1 {
		where += fmt.Sprintf(" (%d)", k.Nth)
	}
	return fmt.Sprintf("%s\n- %s\n+ %s\n", where, k.Was, k.Becomes)
}

// source is a file to be mutated.
type source struct {
	name string // from the root of the module
	text []byte
}

// sum identifies a version of a file.
func (s *source) sum() string {
	h := fnv.New64a()
	_, _ = h.Write(s.text)
	return fmt.Sprintf("%016x", h.Sum64())
}

func (s *source) with(m *mutant) []byte {
	return slices.Concat(s.text[:m.start], []byte(m.with), s.text[m.end:])
}

// sourcesOf are the files of a package but for its tests and what only other builds have.
func sourcesOf(root, dir string) (files []*source, err error) {
	names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, &source{dir + "/" + filepath.Base(name), text})
	}
	if len(files) == 0 && err == nil {
		err = fmt.Errorf("mutate: no package in %s", dir)
	}
	return files, err
}

// mutants are all mistakes that the operators make in the file, in the order of their
// places.
func mutants(s *source) ([]*mutant, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, s.name, s.text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	w := &walk{source: s, fset: fset, seen: map[string]bool{}}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			w.function(f)
		} else {
			w.in = ""
			ast.Inspect(d, w.visit)
		}
	}
	slices.SortStableFunc(w.found, func(a, b *mutant) int { return cmp.Compare(a.start, b.start) })
	nth := map[key]int{}
	for _, m := range w.found {
		nth[m.key]++
		if n := nth[m.key]; n > 1 {
			m.Nth = n
		}
	}
	return w.found, nil
}

// walk collects the mutants of a file.
type walk struct {
	*source
	fset  *token.FileSet
	in    string // the function
	kinds []*ast.FuncType
	seen  map[string]bool
	found []*mutant
}

// replace notes the mutant in which the source from one place to another is another text.
func (w *walk) replace(from, to token.Pos, with string) {
	start, end := w.fset.Position(from).Offset, w.fset.Position(to).Offset
	place := fmt.Sprint(start, " ", end, " ", with)
	if w.seen[place] || string(w.text[start:end]) == with {
		return
	}
	w.seen[place] = true
	was, becomes := w.lines(start, end, with)
	w.found = append(w.found, &mutant{key{w.name, w.in, was, becomes, 0}, w.fset.Position(from).Line, start, end, with})
}

// lines are the lines that a change touches, before it and after.
func (w *walk) lines(start, end int, with string) (was, becomes string) {
	from, to := start, end
	for from > 0 && w.text[from-1] != '\n' {
		from--
	}
	for to < len(w.text) && w.text[to] != '\n' {
		to++
	}
	return brief(string(w.text[from:to])), brief(string(w.text[from:start]) + with + string(w.text[end:to]))
}

// brief is a text on one line, and not too long; two that differ stay different.
func brief(text string) string {
	const most = 150
	line := strings.Join(strings.Fields(text), " ")
	if len(line) <= most {
		return line
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(line))
	return fmt.Sprintf("%s… %08x", strings.ToValidUTF8(line[:most-20], ""), h.Sum32())
}
