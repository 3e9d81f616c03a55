package minigo

import (
	"fmt"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo/internal/front"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
)

// Library has the Go functions that programs can import, beside the standard library. The zero Library has
// none. A Library does not change while a program is compiled with it.
type Library struct {
	// Inspected has programs keep what Host.Stack and Host.Source tell of them: the names, types and places of
	// their variables, and their text. Their code is the same, but machine code of it keeps a variable until
	// its scope ends. It takes about twice the memory of the program, and none of a Host.
	Inspected bool

	packages []*boundPackage // in the order of their first function
	types    goTypes
}

// boundPackage is a package of Go functions.
type boundPackage struct {
	path      string
	functions []*boundFunction
}

// boundFunction is a Go function, with the name by which programs call it.
type boundFunction struct {
	path, name string
	fn         *bind.Func
}

// full is the name in Bind.
func (f *boundFunction) full() string { return f.path + "." + f.name }

// Bind makes a Go function available to programs, under the path of a package and the name of an exported
// function: a program that imports "host/store" calls "host/store.Get" as store.Get.
//
// The compiler checks programs against the Go signature. A named type of Go that is not of the standard
// library is a type of the package too, without its methods, with the fields that pass; it is one type
// in all packages of the Library. The program passes no context. Other types:
//
//	Go                                  program
//	time.Time, time.Duration            the same; no monotonic time, no location
//	types with MarshalText              string
//	any                                 any; what Go passes is bool, int, float64, string, []any,
//	                                    map[string]any or error in the program, and an int of the program is a
//	                                    float64 in Go
//	iter.Seq[V], iter.Seq2[K, V]        func() (V, bool), func() (K, V, bool): false at the end
//
// An error that the function returns is the same Go error for errors.Is when it comes back, also in an
// error that wraps it. An argument that does not fit, as a text that is no netip.Addr, is returned as
// the error of a function that has one, and else a panic. A panic of the function is a panic of the
// program: Run and Call return a *PanicError in which errors.As finds the *bind.PanicError.
//
// The error is a *bind.ValueError: the name is no path with an exported function, is taken, or is that of a
// package that programs have already.
func (l *Library) Bind(name string, function *bind.Func) error {
	refuse := func(format string, args ...any) error {
		return &bind.ValueError{Place: fmt.Sprintf("name %q", name), Reason: fmt.Sprintf(format, args...)}
	}
	i := strings.LastIndexByte(name, '.')
	if i < 0 || !token.IsIdentifier(name[i+1:]) || !token.IsExported(name[i+1:]) || !isPath(name[:i]) {
		return refuse(`want the path of a package and an exported function, such as "host/store.Get"`)
	}
	f := &boundFunction{name[:i], name[i+1:], function}
	if len(lib.Source(f.path)) > 0 || f.path == "main" {
		return refuse("the program has a package %q without it; use another path", f.path)
	}
	p := l.find(f.path)
	if p == nil {
		p = &boundPackage{path: f.path}
		l.packages = append(l.packages, p)
	}
	if p.find(f.name) != nil {
		return refuse("the name is taken")
	}
	p.functions = append(p.functions, f)
	for _, t := range f.types() {
		l.types.declare(t)
	}
	return nil
}

// isPath tells whether a path can be imported, and ends with the name of a package.
func isPath(p string) bool {
	last := path.Base(p)
	for _, c := range p {
		if !strings.ContainsRune("/._-~", c) && (c > 127 || !token.IsIdentifier("x"+string(c))) {
			return false
		}
	}
	return p == path.Clean(p) && p[0] != '/' && p[0] != '.' && token.IsIdentifier(last) && last != "_" && last != "init"
}

func (l *Library) find(path string) *boundPackage {
	for _, p := range l.packages {
		if p.path == path {
			return p
		}
	}
	return nil
}

func (p *boundPackage) find(name string) *boundFunction {
	for _, f := range p.functions {
		if f.name == name {
			return f
		}
	}
	return nil
}

// Compile is the function Compile for programs that import the packages of the Library.
func (l *Library) Compile(files ...File) (*Program, error) { return l.CompileUpTo(MaxSource, files...) }

// sources has the packages that a program can import: those of std, and those that are bound.
func (l *Library) sources(std func(path string) []front.Source) func(path string) []front.Source {
	return func(path string) []front.Source {
		if path == lib.HostPackage {
			return append(std(path), front.Source{Name: "types.go", Text: l.types.source()})
		}
		if p := l.find(path); p != nil {
			return []front.Source{{Name: path + ".go", Text: l.types.packageSource(p), Bound: true}}
		}
		return std(path)
	}
}

// signature describes a function of the Library; "" if it has none of the name.
func (l *Library) signature(path, name string) string {
	if p := l.find(path); p != nil {
		if f := p.find(name); f != nil {
			return f.fn.Type().String()
		}
	}
	return ""
}

// functions are all functions, by the names of Bind.
func (l *Library) functions() (all []*boundFunction) {
	for _, p := range l.packages {
		all = append(all, slices.Clone(p.functions)...)
	}
	return all
}
