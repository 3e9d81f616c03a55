package starlark

import (
	"fmt"

	gostar "go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Program is a compiled program. It does not change: any number of Hosts may have it (Config.Program), at the same
// time, each on its own goroutine.
type Program struct {
	name     string
	compiled *gostar.Program
}

// Compile compiles a program for Hosts with that Config; the name is that of its file. Bound are the names that
// Host.Bind will add, up to the first point. The error is a *GuestError.
func Compile(name string, source []byte, cfg Config, bound ...string) (*Program, error) {
	h := (&Host{cfg: cfg}).withOptions()
	known := map[string]bool{}
	for n := range h.predeclared() {
		known[n] = true
	}
	for _, n := range bound {
		known[n] = true
	}
	compiled, err := compile(h.options, h.pays(), name, source, func(n string) bool { return known[n] })
	if err != nil {
		return nil, syntaxError(err)
	}
	return &Program{name, compiled}, nil
}

// maxSource is the most bytes of a file. One of four million, such as 1+1+1…, overflows the stack of the engine, which ends
// the process.
const maxSource = 1 << 20

// compile compiles a file. If it pays, its operators do.
func compile(options *syntax.FileOptions, pays bool, name string, source []byte, known func(string) bool) (*gostar.Program, error) {
	if len(source) > maxSource {
		return nil, fmt.Errorf("%s: the file has %d bytes; want at most %d, because the engine walks what is nested in it with recursive functions", name, len(source), maxSource)
	}
	f, err := options.Parse(name, source, 0)
	if err != nil {
		return nil, err
	}
	if pays {
		rewrite(f.Stmts)
	}
	return gostar.FileProgram(f, known)
}
