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
	// MaxDepth is how many calls may be nested in one coroutine, by default 256. Of those
	// that Go functions, metamethods and iterators make, which need Go stack, at most 256
	// may be nested, whatever it is. A main program has all its frames from the start, 80
	// bytes each; other stacks grow.
	MaxDepth int
	// MaxStack is how many values one coroutine's calls may hold, by default 5120. Above
	// that it grows when it must.
	MaxStack int
	// Deep makes the defaults of MaxDepth and MaxStack 20,000, which is PUC Lua's, and a
	// million. It means nothing where growing stacks would be large from the start: built
	// with purego, or with a gopher-lua whose internals are not those expected.
	Deep bool

	meter vm.Kind // tests choose
}

// idleStacks is how many stacks of ended coroutines are kept for new ones.
const idleStacks = 32

// The limits of a Deep state. The one of the registry is 50 values a call.
const (
	deepCalls    = 20_000
	deepRegistry = 1 << 20
)

func (c Config) withDefaults() Config {
	if c.Deep && vm.Direct(c.meter) {
		c.MaxDepth, c.MaxStack = orElse(c.MaxDepth, deepCalls), orElse(c.MaxStack, deepRegistry)
	}
	c.MaxDepth, c.MaxStack = orElse(c.MaxDepth, glua.CallStackSize), orElse(c.MaxStack, glua.RegistrySize)
	return c
}

func orElse(n, standard int) int {
	if n <= 0 {
		return standard
	}
	return n
}

// stdout is where print prints.
func (c Config) stdout() io.Writer {
	if c.Stdout == nil {
		return os.Stdout
	}
	return c.Stdout
}
