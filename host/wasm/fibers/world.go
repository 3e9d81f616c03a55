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
	// Dirs are the directories that it may open. A fiber that waits for the disk keeps no
	// other waiting.
	Dirs []Dir
	// IOWorkers is how many calls on files may block at once; 0 is 64.
	IOWorkers int
	// Files are other file systems that it may open, which are used in place; nil is none.
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
	shell  *shell
	input  *input // nil is none
	dirs   []Dir
	files  wazero.FSConfig
}

func (w World) outside(args []string, s *shell) *outside {
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
	o := &outside{start: w.Start, common: c, shell: s, dirs: w.Dirs, files: w.Files}
	if w.Stdin != nil {
		o.input = &input{from: w.Stdin, shell: s}
	}
	return o
}

// config gives an instance the clock of its fiber: when it sleeps, the fiber does. So with
// its input and its files.
func (o *outside) config(f *stackful.Fiber) wazero.ModuleConfig {
	c := o.common
	if o.input != nil {
		c = c.WithStdin(o.input.of(f))
	}
	if o.files != nil || len(o.dirs) > 0 {
		c = c.WithFSConfig(disk{o.shell, f}.mount(o.files, o.dirs))
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
