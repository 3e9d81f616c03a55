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

// Command describes a process to run.
type Command struct {
	Path  string   // a file, or a name that is looked up in PATH
	Args  []string // without the program's name
	Dir   string   // its working directory; "" is this process's
	Env   []string // "name=value"; nil is that of Config.Access
	Stdin []byte
	// Linger is how long to wait for the end of its outputs after it has ended, if processes it
	// has started hold them open. Then they are cut off. 0 is no limit, as in a shell's $(…).
	Linger time.Duration
}

// Exit is the result of a process.
type Exit struct {
	Stdout, Stderr []byte
	Code           int  // -1 if a signal ended it
	Cut            bool // Command.Linger cut the outputs off; there may have been more
}

// Run runs a process and waits for its end and the end of its outputs (see Command.Linger). An
// exit code other than 0 is not an error. If the fiber gives up, the process is killed, on Unix
// with its process group; processes that outlive it are left alone. Errors: *exec.Error if the
// program is not found, *sandbox.AccessError if it is not allowed, *fs.PathError if it cannot be started or the directory is wrong,
// *TooLargeError for its outputs.
func (w *World) Run(f *stackful.Fiber, c Command, deadline fiber.Time) (*Exit, error) {
	v, err := w.wait(f, doing{"run", c.Path}, deadline, func(ctx context.Context) (any, error) { return w.run(ctx, c) }, nil)
	exit, _ := v.(*Exit)
	return exit, err
}

// run is Run on a worker. It cancels ctx, and so kills the process, when an output exceeds
// Config.MaxBytes.
func (w *World) run(ctx context.Context, c Command) (*Exit, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd, err := w.Command(ctx, c)
	if err != nil {
		return nil, err
	}
	cmd.Stdin = bytes.NewReader(c.Stdin)
	// Run must not wait for background processes that do not read their input: exec closes it
	// after this time. The outputs are files, to which WaitDelay does not apply.
	cmd.WaitDelay = stdinGrace
	procgroup.Begin(cmd)
	stdout, stderr, err := w.outputs(cmd, cancel)
	if err != nil {
		return nil, err
	}
	// The outputs are read meanwhile; collect waits for those that outlive the process.
	err = cmd.Run()
	cut := collect(ctx, c.Linger, stdout, stderr)
	if stdout.exceeded || stderr.exceeded {
		return nil, &TooLargeError{What: "the output of " + c.Path, Limit: w.limit}
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, notStarted(err, cmd.Dir, c.Dir)
	}
	return &Exit{Stdout: stdout.buf.Bytes(), Stderr: stderr.buf.Bytes(), Code: cmd.ProcessState.ExitCode(), Cut: cut}, nil
}

// Command prepares a process: the program, its arguments, its directory and its environment, if
// Config.Access allows the program. Stdin and Linger are not used.
func (w *World) Command(ctx context.Context, c Command) (*exec.Cmd, error) {
	file, err := c.Path, error(nil)
	if !w.access.Unrestricted() {
		if file, err = w.access.Program(c.Path); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, file, c.Args...)
	cmd.Args[0] = c.Path
	if cmd.Env = c.Env; cmd.Env == nil {
		cmd.Env = append([]string{}, w.access.Env...) // nil would be that of this process
	}
	cmd.Dir, err = w.tree.HostPath(c.Dir)
	return cmd, err
}

// notStarted corrects the error of a process that did not start. With a process group of its
// own, the system's error names the program even if the directory is missing.
func notStarted(err error, dir, named string) error {
	if dir == "" || !errors.As(err, new(*fs.PathError)) {
		return err
	}
	info, missing := os.Stat(dir)
	var at *fs.PathError
	if errors.As(missing, &at) {
		return &fs.PathError{Op: "chdir", Path: named, Err: at.Err}
	}
	if missing == nil && !info.IsDir() {
		return &fs.PathError{Op: "chdir", Path: named, Err: errors.New("is no directory")}
	}
	return err
}

// stdinGrace is how long the rest of the input is offered after a process has ended, to
// processes that it has started.
const stdinGrace = 100 * time.Millisecond
