package starlark

import (
	gostar "go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/stackful"
)

// Config configures a Host. The zero Config is usable: its programs have virtual time and reach nothing outside.
type Config struct {
	// Runtime configures the scheduler. Its Budget is the time slice: how many steps of the engine a fiber
	// executes before it is preempted.
	Runtime stackful.Config
	// Access is what the programs reach: print writes to its Stdout, load reads the files of its Dirs, and time.now
	// begins at its Start. It must pass Access.Check.
	Access sandbox.Access
	// IOWorkers is how many files are read at the same time; 0 means 64. In virtual time they are read in place.
	IOWorkers int
	// Quota limits what the program uses, all of its fibers together. One that passes a limit ends with the
	// *quota.Error, which it cannot catch. Steps are those of the engine, and the work of functions in the same
	// unit; Memory is what docs/starlark.md says. With a limit of Steps or of Memory the work of operators counts
	// too, which makes them slower.
	Quota quota.Limits
	// Options is the dialect; nil means Dialect.
	Options *syntax.FileOptions
	// MaxDepth is how deep calls may be nested in one fiber; 0 means DefaultMaxDepth. It is checked every 1024 steps, so
	// that a program may be deeper for a short time.
	MaxDepth int
	// Predeclared are names that all files of the programs have, besides those of the library. They are frozen.
	Predeclared gostar.StringDict
	// Modules are modules that load finds by these names before it looks for a file. They are frozen.
	Modules map[string]gostar.StringDict
	// Thread is called for the thread of each fiber before it executes, to set what functions in Go find with
	// Thread.Local. It may not change the fields of the thread. nil is not called.
	Thread func(*gostar.Thread)
	// Program is what Call, Start and Serve use before there was a Run; see Compile.
	Program *Program
}

// DefaultMaxDepth is how deep calls may be nested if Config.MaxDepth is 0.
const DefaultMaxDepth = 10_000

// Dialect is the language as cmd/selvage has it: with sets, while loops, recursion, and with if, for and while at the
// top of a file, where globals may be assigned again.
func Dialect() *syntax.FileOptions {
	return &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}
}
