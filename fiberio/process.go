package fiberio

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/procgroup"
	"github.com/selvage-dev/selvage/stackful"
)

// Command is a process to be run.
type Command struct {
	Path  string   // a file, or a name that is looked for in PATH
	Args  []string // without the name
	Dir   string   // where it runs; "" is here
	Env   []string // "name=value"; nil is this process's
	Stdin []byte
	// Linger is how long after its end its outputs are waited for, if what it has started
	// holds them open. 0 is as long as they are open, as in a shell's $(…). Then they are cut.
	Linger time.Duration
}

// Exit is how a process ended.
type Exit struct {
	Stdout, Stderr []byte
	Code           int  // -1 if a signal ended it
	Cut            bool // there may have been more output, after Command.Linger
}

// Run runs a process and waits for its end, and for that of its outputs (see Command.Linger).
// A status that is not 0 is no error. If the fiber gives up, the process is killed, on Unix with
// what it has started; what goes on after its end is left alone. Errors: *exec.Error
// if it cannot be found, *fs.PathError if it cannot be started, or not in that directory,
// *TooLargeError for what it writes.
func (w *World) Run(f *stackful.Fiber, c Command, deadline fiber.Time) (*Exit, error) {
	v, err := w.wait(f, deadline, func(ctx context.Context) (any, error) { return w.run(ctx, c) }, nil)
	exit, _ := v.(*Exit)
	return exit, err
}

func (w *World) run(ctx context.Context, c Command) (*Exit, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, c.Env, bytes.NewReader(c.Stdin)
	cmd.WaitDelay = stdinWithin
	procgroup.Begin(cmd)
	stdout, stderr, err := w.outputs(cmd, cancel)
	if err != nil {
		return nil, err
	}
	err = cmd.Run()
	cut := collect(ctx, c.Linger, stdout, stderr)
	if stdout.over || stderr.over {
		return nil, &TooLargeError{What: "the output of " + c.Path, Most: w.most}
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, notStarted(err, c.Dir)
	}
	return &Exit{Stdout: stdout.buf.Bytes(), Stderr: stderr.buf.Bytes(), Code: cmd.ProcessState.ExitCode(), Cut: cut}, nil
}

// notStarted is why a process could not be started. Of one that has a group of its own, the
// system's error names the program even if it is the directory that is not there.
func notStarted(err error, dir string) error {
	if dir == "" || !errors.As(err, new(*fs.PathError)) {
		return err
	}
	info, missing := os.Stat(dir)
	var at *fs.PathError
	if errors.As(missing, &at) {
		return &fs.PathError{Op: "chdir", Path: dir, Err: at.Err}
	}
	if missing == nil && !info.IsDir() {
		return &fs.PathError{Op: "chdir", Path: dir, Err: errors.New("is no directory")}
	}
	return err
}

// stdinWithin is how long the rest of its input is offered after a process has ended, to what
// it has started.
const stdinWithin = 100 * time.Millisecond
