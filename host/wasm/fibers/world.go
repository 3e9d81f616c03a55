package fibers

import (
	"io"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/sys"

	"github.com/selvage-dev/selvage/stackful"
)

// World is what a WASI program sees of the outside. The zero World is empty: no input, no
// output, no files, and the time and the random numbers are the same in every run.
type World struct {
	// Stdin is the standard input. A fiber that waits for it keeps no other waiting; in
	// virtual time it is read in place, and everything waits. Best is one with read
	// deadlines, like an *os.File of a pipe: then nothing stays behind.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Env are the variables, each as name=value.
	Env []string
	// Files are the directories that it may open; nil is none.
	Files wazero.FSConfig
	// Start is what the wall clock shows when the run begins. It goes on with the
	// scheduler's time.
	Start time.Time
	// Random is where random numbers come from; nil is a fixed sequence.
	Random io.Reader
}

// outside is a World with the arguments of one program, as the engine takes it.
type outside struct {
	start  time.Time
	common wazero.ModuleConfig
	input  *input // nil is none
}

func (w World) outside(args []string, in *input) *outside {
	c := wazero.NewModuleConfig().WithArgs(args...)
	if w.Stdout != nil {
		c = c.WithStdout(w.Stdout)
	}
	if w.Stderr != nil {
		c = c.WithStderr(w.Stderr)
	}
	if w.Files != nil {
		c = c.WithFSConfig(w.Files)
	}
	if w.Random != nil {
		c = c.WithRandSource(w.Random)
	}
	for _, variable := range w.Env {
		if name, value, ok := strings.Cut(variable, "="); ok && name != "" {
			c = c.WithEnv(name, value)
		}
	}
	if w.Start.IsZero() {
		w.Start = time.Unix(0, 0)
	}
	return &outside{start: w.Start, common: c, input: in}
}

// config gives an instance the clock of its fiber: when it sleeps, the fiber does.
func (o *outside) config(f *stackful.Fiber) wazero.ModuleConfig {
	c := o.common
	if o.input != nil {
		c = c.WithStdin(o.input.of(f))
	}
	return c.
		WithWalltime(func() (int64, int32) {
			t := o.start.Add(time.Duration(f.Now()))
			return t.Unix(), int32(t.Nanosecond())
		}, sys.ClockResolution(time.Microsecond)).
		WithNanotime(func() int64 { return 1 + int64(f.Now()) }, sys.ClockResolution(1)). // Go's runtime takes 0 for a broken clock
		WithNanosleep(func(ns int64) { heed(f.Sleep(time.Duration(ns))) }).
		WithOsyield(func() { heed(f.Yield()) })
}

// heed unwinds the program from inside a function of the engine's.
func heed(err error) {
	if err != nil {
		panic(err)
	}
}
