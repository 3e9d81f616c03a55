package lua

import (
	"io"
	"os"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
	"github.com/selvage-dev/selvage/internal/stack"
)

// Config says what is special about a Lua state. The zero Config is a state like
// gopher-lua's own: same limits, same output.
type Config struct {
	// Stdout and Stderr take what the program writes to them by print, io.write and
	// the methods of io.stdout and io.stderr. nil: the files of the process. A stream
	// that goes to a Writer is unbuffered and cannot be closed by the program.
	Stdout, Stderr io.Writer
	// Backing is what the stacks of Lua coroutines are made of.
	Backing stack.Backing
	// CallDepth is how many calls may be nested in one coroutine, by default 256.
	CallDepth int
	// Registry is how many values one coroutine's calls may hold, by default 5120.
	Registry int

	meter vm.Kind // tests choose
}

// idleStacks is how many stacks of ended coroutines are kept for new ones.
const idleStacks = 32

func (c Config) withDefaults() Config {
	if c.CallDepth <= 0 {
		c.CallDepth = glua.CallStackSize
	}
	if c.Registry <= 0 {
		c.Registry = glua.RegistrySize
	}
	return c
}

// stdout is where print prints.
func (c Config) stdout() io.Writer {
	if c.Stdout == nil {
		return os.Stdout
	}
	return c.Stdout
}
