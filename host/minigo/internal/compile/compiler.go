package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/front"
)

// Refusal is a feature that cannot be compiled, and its position.
type Refusal struct {
	Pos  token.Position
	What string
}

// Error is the position and the feature.
func (r *Refusal) Error() string { return fmt.Sprintf("%v: minigo does not have %s", r.Pos, r.What) }

// compiler compiles one program.
type compiler struct {
	fset    *token.FileSet
	prog    *code.Program
	pkgs    map[*types.Package]*front.Package
	decls   map[*types.Func]*ast.FuncDecl
	funcs   map[*types.Func]int
	globals map[*types.Var]int
	strs    map[string]int32
	natives map[string]int32
	known   typeTable
	layouts map[types.Type]layout
	arrays  map[types.Type]bool // whether the type contains an array
	wraps   map[wrapKey]int
	queue   []func()
	mainAt  int  // where Init calls main
	points  bool // the program is to be explored

	describes typeTable // of variables that are kept
}

// Options are what a program is compiled for besides being run.
type Options struct {
	Points  bool // it is to be explored (code.Point)
	Watched bool // it reports its accesses to the machine (code.Watch)
	// Variables keeps where the variables of functions are (code.Program.Variables).
	Variables bool
}

// Program compiles a checked program.
func Program(p *front.Program, o Options) (prog *code.Program, err error) {
	c := &compiler{
		fset: p.Fset, points: o.Points, prog: &code.Program{Types: []*code.Type{nil}, ErrorMethod: -1, StringMethod: -1, GoStringMethod: -1, Watched: o.Watched},
		pkgs: map[*types.Package]*front.Package{}, decls: map[*types.Func]*ast.FuncDecl{},
		funcs: map[*types.Func]int{}, globals: map[*types.Var]int{}, strs: map[string]int32{},
		natives: map[string]int32{}, known: newTypeTable(), layouts: map[types.Type]layout{}, arrays: map[types.Type]bool{}, wraps: map[wrapKey]int{},
	}
	c.describes = newTypeTable()
	c.describes.describes = true
	if o.Variables {
		c.prog.Variables = [][]code.Variable{}
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Refusal:
			prog, err = nil, r
		default:
			panic(r)
		}
	}()
	for _, pkg := range p.Packages {
		c.declare(pkg)
	}
	c.compileInit(p.Packages)
	c.export(p.Packages[len(p.Packages)-1].Types)
	for len(c.queue) > 0 {
		next := c.queue[0]
		c.queue = c.queue[1:]
		next()
	}
	c.makeSetup()
	return c.prog, nil
}

// declare records the functions and variables of a package.
func (c *compiler) declare(pkg *front.Package) {
	c.pkgs[pkg.Types] = pkg
	for _, file := range pkg.Files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if f, ok := pkg.Info.Defs[d.Name].(*types.Func); ok {
					c.decls[f] = d
				}
			case *ast.GenDecl:
				c.declareVars(pkg, d)
			}
		}
	}
}

func (c *compiler) declareVars(pkg *front.Package, d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		for _, name := range spec.(*ast.ValueSpec).Names {
			v, _ := pkg.Info.Defs[name].(*types.Var)
			if v == nil || v.Name() == "_" {
				continue
			}
			l := c.layout(v.Type())
			c.globals[v] = len(c.prog.Globals)
			c.prog.Globals = append(c.prog.Globals, code.Global{Name: pkg.Types.Name() + "." + v.Name(), N: l.n, R: l.r})
		}
	}
}

// compileInit makes the function that initializes all packages in order and calls main.
func (c *compiler) compileInit(pkgs []*front.Package) {
	c.runtimeTypes(pkgs)
	f := c.newFn("main.init.0", nil)
	c.prog.Init = f.out
	for _, pkg := range pkgs {
		f.info, f.pkg = pkg.Info, pkg.Types
		f.escapeInits(pkg.Info.InitOrder)
		for _, init := range pkg.Info.InitOrder {
			f.at(init.Rhs.Pos())
			f.globalInit(init)
		}
		for _, file := range pkg.Files {
			for _, d := range file.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "init" {
					f.callPlain(c.bodyOf(pkg, d, c.initName(pkg)))
				}
			}
		}
	}
	main := pkgs[len(pkgs)-1].Types.Scope().Lookup("main").(*types.Func)
	f.out.File = c.fset.Position(main.Pos()).Filename
	c.mainAt = len(f.out.Code)
	f.callPlain(c.funcIndex(main))
	f.emit(code.Ret, 0, 0, 0, 0)
}

func (c *compiler) initName(pkg *front.Package) string { return pkg.Types.Name() + ".init" }

// funcIndex is the number of a declared function or method with a body; it is compiled
// when its turn comes.
func (c *compiler) funcIndex(f *types.Func) int {
	f = f.Origin()
	if i, ok := c.funcs[f]; ok {
		return i
	}
	pkg := c.pkgs[f.Pkg()]
	d := c.decls[f]
	i := c.bodyOf(pkg, d, funcName(f))
	c.funcs[f] = i
	return i
}

// bodyOf gives a declared function a number and puts it in the queue.
func (c *compiler) bodyOf(pkg *front.Package, d *ast.FuncDecl, name string) int {
	sig := pkg.Info.Defs[d.Name].Type().(*types.Signature)
	f := c.newFn(name, sig)
	f.info, f.pkg = pkg.Info, pkg.Types
	f.out.File = c.fset.Position(d.Pos()).Filename
	c.queue = append(c.queue, func() { f.compileDecl(d) })
	return f.index
}

// native is the number of a function without a body.
func (c *compiler) native(name string) int32 { return number(c.natives, &c.prog.Natives, name, name) }

// isNative reports whether the function has no body.
func (c *compiler) isNative(f *types.Func) bool {
	d := c.decls[f.Origin()]
	return d != nil && d.Body == nil
}

func (c *compiler) str(s string) int32 { return number(c.strs, &c.prog.Strings, s, any(s)) }

// funcName is the name of a function in tracebacks.
// number is the index of v in a list that holds each value once, by its key.
func number[T any](known map[string]int32, list *[]T, key string, v T) int32 {
	i, ok := known[key]
	if !ok {
		i = int32(len(*list))
		known[key], *list = i, append(*list, v)
	}
	return i
}

func funcName(f *types.Func) string {
	sig := f.Type().(*types.Signature)
	name := ""
	if f.Pkg() != nil { // error.Error has none
		name = f.Pkg().Name() + "."
	}
	if sig.Recv() == nil {
		return name + f.Name()
	}
	t := sig.Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		return name + "(*" + typeName(p.Elem()) + ")." + f.Name()
	}
	return name + typeName(t) + "." + f.Name()
}

func typeName(t types.Type) string {
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return t.String()
}
