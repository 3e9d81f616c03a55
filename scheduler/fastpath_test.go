package scheduler

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/invariants"
)

// namedBits are the flags and fields of a header's word, by their names in header.go.
var namedBits = []struct {
	name string
	bits word
}{
	{"stateMask", stateMask}, {"armed", armed}, {"latched", latched}, {"kindMask", kindMask},
	{"external", external}, {"codeMask", codeMask}, {"killPending", killPending},
	{"cancelPending", cancelPending}, {"frames", frames}, {"hasExt", hasExt},
	{"chained", chained}, {"owed", owed}, {"reapable", reapable}, {"onCallee", onCallee},
	{"timed", timed}, {"tramp", tramp}, {"nests", nests}, {"fatal", fatal}, {"kept", kept},
	{"lent", lent}, {"movable", movable}, {"holds", holds}, {"operates", operates},
}

// bitNames are the names of the flags and fields that have a bit in w.
func bitNames(w word) string {
	var names []string
	for _, b := range namedBits {
		if w&b.bits != 0 {
			names = append(names, b.name)
		}
	}
	return strings.Join(names, " ")
}

// constants calls f for each constant that a file of this package declares.
func constants(t *testing.T, file string, f func(name string, spec *ast.ValueSpec, value ast.Expr)) {
	t.Helper()
	syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range syntax.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST {
			continue
		}
		for _, s := range gen.Specs {
			spec := s.(*ast.ValueSpec)
			for i, name := range spec.Names {
				f(name.Name, spec, spec.Values[i])
			}
		}
	}
}

// A flag that is added to header.go has to be added to namedBits, and then to the table of
// every mask.
func TestNamedBitsAreThoseOfHeader(t *testing.T) {
	declared := map[string]bool{}
	constants(t, "header.go", func(name string, spec *ast.ValueSpec, _ ast.Expr) {
		if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == "word" {
			declared[name] = true
		}
	})
	var all word
	for _, b := range namedBits {
		if !declared[b.name] {
			t.Errorf("header.go does not declare %s as a word", b.name)
		}
		delete(declared, b.name)
		if all&b.bits != 0 {
			t.Errorf("%s shares a bit with %s", b.name, bitNames(all&b.bits))
		}
		all |= b.bits
	}
	for name := range declared {
		t.Errorf("header.go declares %s: add it to namedBits and to each table in fastpath_masks_test.go", name)
	}
	const operationBits = 31 << opShift // always 0 in a header
	if all|operationBits != ^word(0) {
		t.Errorf("bits without a name: %#x", ^(all | operationBits))
	}
}

// Every flag is in or out of each mask for a stated reason.
func TestMasksAgreeWithTheirTables(t *testing.T) {
	for _, p := range fastPaths {
		t.Run(p.name, func(t *testing.T) {
			if p.mask&p.value != p.value {
				t.Errorf("the fast path wants %s, which the mask ignores", bitNames(p.value&^p.mask))
			}
			for _, b := range namedBits {
				var found []fact
				for _, f := range p.facts {
					if f.bits&b.bits != 0 {
						found = append(found, f)
					}
				}
				if len(found) != 1 {
					t.Errorf("%s is in the table %d times, not once", b.name, len(found))
					continue
				}
				want := word(0)
				if found[0].is == in {
					want = b.bits
				}
				if p.mask&b.bits != want {
					t.Errorf("the mask has bits %#x of %s; the table says %#x, because %s", p.mask&b.bits, b.name, want, found[0].why)
				}
			}
		})
	}
}

func TestEveryMaskHasATable(t *testing.T) {
	tables := map[string]bool{}
	for _, p := range fastPaths {
		tables[p.name] = true
	}
	constants(t, "fastpath.go", func(name string, _ *ast.ValueSpec, _ ast.Expr) {
		if strings.HasSuffix(name, "Mask") && !tables[name] {
			t.Errorf("%s has no table in fastpath_masks_test.go", name)
		}
	})
	if !tables["gateMask"] {
		t.Error("gateMask has no table")
	}
}

// A flag that is out of a mask, and can be set, does not keep the operation from its fast
// path, and the fast path does what the slow path does.
func TestFlagsOutsideAMaskDoNotMatter(t *testing.T) {
	for _, p := range fastPaths {
		for name, op := range p.operations {
			for _, b := range namedBits {
				if f := p.factOf(b.bits); f.is == out {
					t.Run(p.name+"/"+name+"/"+b.name, func(t *testing.T) {
						fast := p.try(t, op, b.bits, false)
						if op.onlyFast {
							return
						}
						if slow := p.try(t, op, b.bits, true); fast != slow {
							t.Errorf("the fast path gives\n%s\nthe slow path\n%s", fast, slow)
						}
					})
				}
			}
		}
	}
}

func (p *fastPath) factOf(bits word) fact {
	for _, f := range p.facts {
		if f.bits&bits != 0 {
			return f
		}
	}
	return fact{}
}

// try does the operation with a fiber that has the flag, and returns its result and the state
// that it leads to.
func (p *fastPath) try(t *testing.T, op fastOperation, flag word, slow bool) string {
	f := newFlagged(t, flag)
	if op.before != nil {
		op.before(f)
	}
	f.set(flag)
	do := op.ready(f)
	switch w := f.h.word; {
	case w&flag == 0:
		t.Fatalf("the fiber has not got the flag: %s", bitNames(w))
	case w&p.mask != p.value:
		t.Fatalf("the fiber does not get to the fast path: %s", bitNames((w^p.value)&p.mask))
	}
	for _, fact := range p.facts {
		if fact.is == never && f.h.word&fact.bits != 0 {
			t.Fatalf("%s is set on the fast path; the table says it %s", bitNames(f.h.word&fact.bits), fact.why)
		}
	}
	if slow {
		f.observer = newObserver(&f.Core, func(Transition) {})
		f.observer.reported, f.observer.current = f.step, f.Current()
	}
	before := f.entered
	result := fmt.Sprint(do())
	if invariants.On && (f.entered > before) != slow {
		t.Errorf("%s slow operations with slow = %t", strconv.FormatUint(f.entered-before, 10), slow)
	}
	f.observer, f.restOp, f.op = nil, 0, 0
	f.restUntil, f.fastUntil = math.MaxUint64, math.MaxUint64
	f.Inspect().Verify()
	return result + "\n" + f.settled()
}
