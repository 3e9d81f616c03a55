package lua

import (
	"io"
	"os"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
	"github.com/selvage-dev/selvage/internal/stack"
	"github.com/selvage-dev/selvage/profile"
	"github.com/selvage-dev/selvage/quota"
)

// Config configures a Lua state. The zero Config has the limits and the output of gopher-lua.
type Config struct {
	// Stdout and Stderr receive the output of print, io.write and the methods of io.stdout
	// and io.stderr; nil means the files of the process. Output to a Writer is not
	// buffered, and the program cannot close it.
	Stdout, Stderr io.Writer
	// Files is where loadfile, dofile and require find files; nil means the files of the process.
	Files Files
	// MaxSource is the most bytes of a source that load, require and the like compile; 0 means 64 MB.
	// A larger one is a *SourceError. A long source is compiled by Away, which must call work once, or
	// not return: on another goroutine while the fiber that executes L waits. nil compiles at once.
	MaxSource int
	Away      func(L *glua.LState, work func())
	// KeepSource is how many bytes of the texts of chunks, with their names, are kept for State.Source, those that are
	// loaded first; 0 keeps none. The memory quota does not count them.
	KeepSource int
	// Now is the clock of os.time, os.date and os.clock; nil means that of the system.
	Now func() time.Time
	// Random is read when math.random is first used; nil is a fixed sequence. Each State has a
	// sequence of its own.
	Random io.Reader
	// Backing is how the stacks of Lua coroutines are implemented.
	Backing stack.Backing
	// MaxDepth is how many calls may be nested in one coroutine, by default 256. At most
	// 256 of them may be calls by Go functions, metamethods and iterators, which need Go
	// stack. Call stacks grow, by 80 bytes for each frame.
	MaxDepth int
	// MaxStack is how many values the calls of one coroutine may hold, by default 5120. A
	// larger registry is allocated as it is needed.
	MaxStack int
	// Deep changes the default of MaxDepth to 20,000, as in PUC Lua, and that of MaxStack to
	// a million. It has no effect where stacks cannot grow: in a build with the tag purego,
	// or with a version of gopher-lua that package vm does not know.
	Deep bool

	// Memory is where the State takes its memory from; nil is no limit. When it is used up, the
	// values that the program can reach are measured, and the rest is given back. If they are too
	// large, the fiber unwinds, and each other one before its next instruction: Memory.Take
	// has returned an error, and ends the program. While a program runs, only its goroutine may
	// use what Memory belongs to.
	Memory Memory
	// MeasureAtOnce measures without an end of the time slice, and without a charge: for runs whose
	// order of fibers must not depend on addresses, as in virtual time.
	MeasureAtOnce bool

	// Profile gets samples of where the programs spend their time; nil is none. It needs CanProfile, and no
	// Watcher. Programs without one have no cost; with one they take about a tenth longer.
	Profile *profile.Profile

	// Watcher learns of each access to tables and to variables of closures, before it happens; nil is
	// none. It needs CanWatch. Programs without one have no cost.
	Watcher Watcher

	meter vm.Kind // set by tests
}

// Memory is a limit of memory; a *quota.Account is one.
type Memory interface {
	// Left is how much can be taken.
	Left(quota.Resource) int64
	// Add takes what has been allocated.
	Add(quota.Resource, int64)
	// Take is called with more than is left, when the program is to end.
	Take(quota.Resource, int64) error
	// Give returns what was taken.
	Give(quota.Resource, int64)
}

// idleStacks is how many stacks of ended coroutines are kept for reuse.
const idleStacks = 32

// The limits of a Deep state. The registry has room for 50 values a call.
const (
	deepCalls    = 20_000
	deepRegistry = 1 << 20
)

func (c Config) withDefaults() Config {
	if c.Deep && vm.Direct(c.meter) {
		c.MaxDepth, c.MaxStack = orElse(c.MaxDepth, deepCalls), orElse(c.MaxStack, deepRegistry)
	}
	c.MaxSource = orElse(c.MaxSource, maxSource)
	c.MaxDepth, c.MaxStack = orElse(c.MaxDepth, glua.CallStackSize), orElse(c.MaxStack, glua.RegistrySize)
	if c.Files == nil {
		c.Files = ProcessFiles{}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

func orElse(n, standard int) int {
	if n <= 0 {
		return standard
	}
	return n
}

// stdout is the output of print.
func (c Config) stdout() io.Writer {
	if c.Stdout == nil {
		return os.Stdout
	}
	return c.Stdout
}
