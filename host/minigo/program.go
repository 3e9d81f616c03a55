package minigo

import (
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/compile"
	"github.com/selvage-dev/selvage/host/minigo/internal/front"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
)

// File is a source file of a program. The name is for messages.
type File struct {
	Name string
	Text []byte
}

// Program is a compiled program. Any number of Hosts may run it, also at once.
type Program struct {
	code     *code.Program
	bound    []*boundFunction
	explored bool
	sources  []File // of an inspected program
}

// SyntaxError says why a source is not a Go program, or not one in the subset: a list of
// positions and problems, printed as the go command prints them.
type SyntaxError = front.Error

// UnsupportedError is a feature of Go that is not in the subset and was found when the
// program was compiled.
type UnsupportedError = compile.Refusal

// DefectError reports a bug of minigo on a source. A host that compiles untrusted sources
// survives it; the source and the stack belong in a bug report.
type DefectError struct {
	Cause any // the value of the compiler's panic
	Stack []byte
}

// Error names the defect.
func (e *DefectError) Error() string {
	return fmt.Sprintf("minigo: a defect of the compiler: %v (please report it with the program)", e.Cause)
}

// MaxSource is how many bytes the files of a program have at most, together.
const MaxSource = 1 << 27

// SourceSizeError says that the files of a program are too large to be compiled.
type SourceSizeError struct{ Size, Limit int }

// Error is the size and the limit.
func (e *SourceSizeError) Error() string {
	return fmt.Sprintf("minigo: the source has %d bytes, the limit is %d", e.Size, e.Limit)
}

// Compile reads, checks and compiles a program: the files of one package main, or of a package of tests,
// whose program runs them as go test does. Errors:
// *SyntaxError, *UnsupportedError, *SourceSizeError, *DefectError. It is not preempted: a host that
// compiles what others have written does so on a goroutine of its own, with a limit that suits it
// (CompileUpTo).
func Compile(files ...File) (p *Program, err error) { return CompileUpTo(MaxSource, files...) }

// CompileUpTo is Compile with a limit on the bytes of all files, up to MaxSource.
func CompileUpTo(limit int, files ...File) (p *Program, err error) {
	return (&Library{}).CompileUpTo(limit, files...)
}

// CompileExplored is Compile for a program that is to run with scheduler.Config.Choose: it may be preempted
// before each operation on a channel, on something of package sync and sync/atomic, and on a timer, and
// after each go statement. Its sync.Mutex and sync.RWMutex are as unfair as Go's: a running goroutine may
// take a lock before one that waits. Such a program is interpreted more slowly; without Choose it behaves
// as any other.
func CompileExplored(files ...File) (*Program, error) {
	return (&Library{}).compileUpTo(MaxSource, compile.Options{Points: true}, files)
}

// CompileWatched is CompileExplored for Config.Races and Config.AccessPoints, and for scheduler.Config.Touched, which
// learns what memory each step accesses. The program is slower still, and machine code is not made of it.
func CompileWatched(files ...File) (*Program, error) {
	return (&Library{}).compileUpTo(MaxSource, compile.Options{Points: true, Watched: true}, files)
}

// CompileUpTo is the function CompileUpTo for programs that import the packages of the Library.
func (l *Library) CompileUpTo(limit int, files ...File) (p *Program, err error) {
	return l.compileUpTo(limit, compile.Options{}, files)
}

func (l *Library) compileUpTo(limit int, mode compile.Options, files []File) (p *Program, err error) {
	size := 0
	for _, f := range files {
		size += len(f.Text)
	}
	if limit = min(limit, MaxSource); size > limit {
		return nil, &SourceSizeError{size, limit}
	}
	defer recoverDefect(&p, &err)
	return l.compileAll(files, mode)
}

func recoverDefect(p **Program, err *error) {
	if r := recover(); r != nil {
		*p, *err = nil, &DefectError{Cause: r, Stack: debug.Stack()}
	}
}

func (l *Library) compileAll(files []File, mode compile.Options) (*Program, error) {
	sources := make([]front.Source, len(files))
	for i, f := range files {
		sources[i] = front.Source{Name: f.Name, Text: f.Text}
	}
	std := lib.Source
	if mode.Points {
		std = lib.ExploredSource
	}
	checked, err := front.Check(sources, l.sources(std), l.signature)
	if err != nil {
		return nil, err
	}
	mode.Variables = l.Inspected
	compiled, err := compile.Program(checked, mode)
	if err != nil {
		return nil, err
	}
	p := &Program{code: compiled, bound: l.functions(), explored: mode.Points}
	if l.Inspected {
		p.keep(files)
	}
	return p, nil
}

// keep copies the text of the files, which are the caller's.
func (p *Program) keep(files []File) {
	for _, f := range files {
		p.sources = append(p.sources, File{f.Name, slices.Clone(f.Text)})
	}
}

// Disassemble is the program's code as text.
func (p *Program) Disassemble() string { return p.code.String() }
