package fiberio

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
)

// Command is a process to be run.
type Command struct {
	Path  string   // a file, or a name that is looked for in PATH
	Args  []string // without the name
	Dir   string   // where it runs; "" is here
	Env   []string // "name=value"; nil is this process's
	Stdin []byte
}

// Exit is how a process ended.
type Exit struct {
	Stdout, Stderr []byte
	Code           int // -1 if a signal ended it
}

// lingering is how long the outputs of a process are waited for after its end, or after it
// was killed: what it has started may hold them open.
const lingering = 100 * time.Millisecond

// Run runs a process and waits for its end. A status that is not 0 is no error. If the
// fiber gives up, the process is killed, on Unix with what it has started. Errors: *exec.Error
// if it cannot be found, *fs.PathError if it cannot be started, *TooLargeError for what it
// writes, exec.ErrWaitDelay if what it has started holds its outputs open when it has ended.
func (w *World) Run(f *stackful.Fiber, c Command, deadline fiber.Time) (*Exit, error) {
	v, err := w.wait(f, deadline, func(ctx context.Context) (any, error) { return w.run(ctx, c) }, nil)
	exit, _ := v.(*Exit)
	return exit, err
}

func (w *World) run(ctx context.Context, c Command) (*Exit, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stdout, stderr := &bounded{most: w.most, full: cancel}, &bounded{most: w.most, full: cancel}
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, c.Env, bytes.NewReader(c.Stdin)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = lingering
	asGroup(cmd)
	err := cmd.Run()
	if stdout.over || stderr.over {
		return nil, &TooLargeError{What: "the output of " + c.Path, Most: w.most}
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	return &Exit{Stdout: stdout.buf.Bytes(), Stderr: stderr.buf.Bytes(), Code: cmd.ProcessState.ExitCode()}, nil
}

// bounded is a buffer that has the process stopped when it is full. It does not embed the
// buffer, whose ReadFrom io.Copy would prefer to Write.
type bounded struct {
	buf  bytes.Buffer
	most int64
	over bool
	full func()
}

// Write takes all of it, or none any more.
func (b *bounded) Write(p []byte) (int, error) {
	if int64(b.buf.Len()+len(p)) > b.most {
		b.over = true
		b.full()
		return len(p), nil
	}
	return b.buf.Write(p)
}
