package scheduler

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fileOrder lists the files of this package from the lowest to the highest. A file should use
// the declarations of lower files only.
const fileOrder = `
	doc sources describe ext header registry fastpath slots trampolines device clock timerset choice paused op
	history config departures ring core scheduler facets one_owner fault sentinels lookup now unobserved groups shares refused_wakeup options audit mistakes blocking
	observer hold runqueue record rates group_life gate group_program context touch own audit_operations schedule_next chain endwait
	deliver origin link death pause kill group group_pause cancel timers report pins errors disarm panics interrupt fail exit
	release attach await arm audit_sources audit_waits inspect by_state audit_groups audit_slots report_text
	audit_timers waker orders audit_moves spawn audit_queue block choose alarms lend claim wake submit
	complete operation inbox sleep waitgraph_feed handle init waitroom poll verdict group_report loop yield finish audit_chains
	move run_owner run pump acquire snapshot snapshot_timers snapshot_operations snapshot_groups dump shutdown
`

const (
	maxUpward      = 39  // dependencies from a lower to a higher file
	maxCoreMethods = 130 // of Core, exported or not
	maxExported    = 45  // exported methods of Scheduler and Core, facet accessors included
)

// packageTypes are this package's files, type-checked without the tests.
type packageTypes struct {
	fset *token.FileSet
	pkg  *types.Package
	info *types.Info
	file []string // names without .go
}

func loadPackage(t *testing.T) *packageTypes {
	t.Helper()
	dir, err := build.ImportDir(".", 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &packageTypes{fset: token.NewFileSet(), info: &types.Info{Uses: map[*ast.Ident]types.Object{}}}
	var files []*ast.File
	for _, name := range dir.GoFiles {
		f, err := parser.ParseFile(p.fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
		p.file = append(p.file, strings.TrimSuffix(name, ".go"))
	}
	conf := types.Config{Importer: importer.ForCompiler(p.fset, "source", nil)}
	p.pkg, err = conf.Check("github.com/selvage-dev/selvage/scheduler", p.fset, files, p.info)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *packageTypes) fileOf(pos token.Pos) string {
	return strings.TrimSuffix(filepath.Base(p.fset.PositionFor(pos, false).Filename), ".go")
}

// declaration is the declaration of this package that a use refers to: a type, function,
// method, field, constant or variable of the package; nil for anything else.
func (p *packageTypes) declaration(o types.Object) types.Object {
	if o.Pkg() != p.pkg {
		return nil
	}
	switch o := o.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		if o.IsField() {
			return o.Origin()
		}
	}
	if o.Parent() != p.pkg.Scope() {
		return nil
	}
	return o
}

// upward are the dependencies from a lower to a higher file, each with the declarations used.
func (p *packageTypes) upward(order []string) []string {
	type edge struct{ from, to string }
	used := map[edge][]string{}
	for id, o := range p.info.Uses {
		if d := p.declaration(o); d != nil {
			e := edge{p.fileOf(id.Pos()), p.fileOf(d.Pos())}
			if slices.Index(order, e.from) < slices.Index(order, e.to) {
				used[e] = append(used[e], d.Name())
			}
		}
	}
	var found []string
	for e, names := range used {
		slices.Sort(names)
		found = append(found, fmt.Sprintf("%s.go uses of %s.go: %s", e.from, e.to, strings.Join(slices.Compact(names), " ")))
	}
	slices.Sort(found)
	return found
}

func TestPackageStructure(t *testing.T) {
	p := loadPackage(t)
	t.Run("few files use higher files", p.testOrder)
	t.Run("few methods", p.testMethods)
}

func (p *packageTypes) testOrder(t *testing.T) {
	order := strings.Fields(fileOrder)
	for _, name := range p.file {
		if !slices.Contains(order, name) {
			t.Errorf("%s.go has no place in fileOrder", name)
		}
	}
	for i, name := range order {
		if !slices.Contains(p.file, name) {
			t.Errorf("fileOrder names %s.go, which does not exist", name)
		}
		if slices.Contains(order[:i], name) {
			t.Errorf("fileOrder names %s.go twice", name)
		}
	}
	if found := p.upward(order); len(found) > maxUpward {
		t.Errorf("%d files use a declaration of a higher file, more than %d: move a declaration down\n%s",
			len(found), maxUpward, strings.Join(found, "\n"))
	}
}

// methods are the methods that a type declares itself, not those of embedded types.
func (p *packageTypes) methods(typeName string) (all, exported int) {
	named := p.pkg.Scope().Lookup(typeName).Type().(*types.Named)
	for m := range named.Methods() {
		all++
		if m.Exported() {
			exported++
		}
	}
	return all, exported
}

func (p *packageTypes) testMethods(t *testing.T) {
	all, ofCore := p.methods("Core")
	_, ofScheduler := p.methods("Scheduler")
	if all > maxCoreMethods {
		t.Errorf("Core has %d methods, more than %d: move some to a facet or a view", all, maxCoreMethods)
	}
	if n := ofCore + ofScheduler; n > maxExported {
		t.Errorf("Scheduler and Core have %d exported methods, more than %d: move some to a facet", n, maxExported)
	}
	t.Logf("%d methods of Core; %d exported methods of Scheduler and Core", all, ofCore+ofScheduler)
}
