package schema

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// Variable is the one of the environment that says which change is on; none is 0.
const Variable = "SELVAGE_MUTANT"

// Same is the number of the copies that are the functions as they were.
const Same = -1

// Change is one change of a file.
type Change struct {
	Number     int    // by which a run takes it: from 1, and no other in the build has it
	Start, End int    // what is replaced in the file
	With       string // and by what
}

// Weave is the file with the changes in it, and those that it could not have: outside of
// functions, and in functions of which a copy would do something else.
func Weave(text []byte, changes []Change) (woven []byte, refused []Change, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	w := &weaver{text: text}
	refused = slices.Clone(changes)
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !copyable(f) {
			continue
		}
		inside := func(c Change) bool { return c.Start > offset(f.Body.Lbrace) && c.End <= offset(f.Body.Rbrace) }
		if mine := slices.DeleteFunc(slices.Clone(changes), func(c Change) bool { return !inside(c) }); len(mine) > 0 {
			w.function(f, mine)
			refused = slices.DeleteFunc(refused, inside)
		}
	}
	return w.woven(), refused, nil
}

// Switch is one more file that a package with woven files needs.
func Switch(pkg string) []byte {
	return fmt.Appendf(nil, `package %s

import (
	"os"
	"strconv"
)

var selvageMutant = func() int {
	number, _ := strconv.Atoi(os.Getenv(%q))
	return number
}()
`, pkg, Variable)
}

// offset is where a place is in the text, which is the only file there is.
func offset(p token.Pos) int { return int(p) - 1 }

// edit replaces a part of the text.
type edit struct {
	start, end int
	with       string
}

// weaver makes the woven file: the text with edits, and copies below it.
type weaver struct {
	text   []byte
	edits  []edit
	copies bytes.Buffer
}

func (w *weaver) woven() []byte {
	slices.SortStableFunc(w.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	return append(apply(w.text, w.edits), w.copies.Bytes()...)
}

// apply makes the edits, which are in the order of their places and do not overlap.
func apply(text []byte, edits []edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.start]...), e.with...)
		at = e.end
	}
	return append(out, text[at:]...)
}
