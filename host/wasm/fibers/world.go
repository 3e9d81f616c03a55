package fibers

import (
	"io"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/sys"

	"github.com/selvage-dev/selvage/stackful"
)

// World is the environment of a WASI program. The zero World is empty: no input, no output, no
// files, and the time and the random numbers are the same in every run.
type World struct {
	// Stdin is the standard input. A read blocks its fiber only; in virtual time it is done
	// in place and blocks all. A reader with read deadlines, such as an *os.File of a pipe,
	// can be interrupted without leaving a goroutine behind.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Env has the environment variables, each as name=value.
	Env []string
	// Dirs are the directories that the program may open. A file operation blocks its fiber
	// only.
	Dirs []Dir
	// IOWorkers is how many file operations run at the same time; 0 means
	// 64.
	IOWorkers int
	// Start is the wall-clock time at the start of the run. It advances with the scheduler's
	// time.
	Start time.Time
	// Random is the source of random numbers; nil means a fixed sequence.
	Random io.Reader
}

// environment is a World and the arguments of one program, in the form that the engine needs.
type environment struct {
	start  time.Time
	common wazero.ModuleConfig
	io     *ioAccess
	input  *input // nil: none
	mounts []mount
}

// environment opens the directories; close closes them.
func (w World) environment(args []string, access *ioAccess) (*environment, error) {
	mounts, err := openDirs(w.Dirs)
	if err != nil {
		return nil, err
	}
	c := wazero.NewModuleConfig().WithArgs(args...)
	if w.Stdout != nil {
		c = c.WithStdout(w.Stdout)
	}
	if w.Stderr != nil {
		c = c.WithStderr(w.Stderr)
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
	o := &environment{start: w.Start, common: c, io: access, mounts: mounts}
	if w.Stdin != nil {
		o.input = &input{from: w.Stdin, io: access}
	}
	return o, nil
}

func (o *environment) close() { closeDirs(o.mounts) }

// config connects an instance to its fiber: a sleep, a read of the input and an operation on a file
// of the instance block the fiber.
func (o *environment) config(f *stackful.Fiber) wazero.ModuleConfig {
	c := o.common
	if o.input != nil {
		c = c.WithStdin(o.input.of(f))
	}
	if len(o.mounts) > 0 {
		c = c.WithFSConfig(disk{o.io, f}.mount(o.mounts))
	}
	return c.
		WithWalltime(func() (int64, int32) {
			t := o.start.Add(time.Duration(f.Now()))
			return t.Unix(), int32(t.Nanosecond())
		}, sys.ClockResolution(time.Microsecond)).
		WithNanotime(func() int64 { return 1 + int64(f.Now()) }, sys.ClockResolution(1)). // the Go runtime takes 0 for a broken clock
		WithNanosleep(func(ns int64) { unwindOn(f.Sleep(time.Duration(ns))) }).
		WithOsyield(func() { unwindOn(f.Yield()) })
}

// unwindOn unwinds the program from inside a function of the engine, if err is not nil.
func unwindOn(err error) {
	if err != nil {
		panic(err)
	}
}
