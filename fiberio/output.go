package fiberio

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"time"
)

// output is the standard output or error of a process, and the bytes read from it. It has a pipe
// of its own, because exec's pipe cannot be stopped after the process has ended.
type output struct {
	pipe, childEnd *os.File
	done           chan struct{} // closed when reading has ended

	buf      bytes.Buffer
	limit    int64
	exceeded bool
	stop     func() // stops a process that writes too much
}

// outputs gives a command two pipes and starts to read them; collect ends that.
func (w *World) outputs(cmd *exec.Cmd, stop func()) (stdout, stderr *output, err error) {
	if stdout, err = w.output(stop); err != nil {
		return nil, nil, err
	}
	if stderr, err = w.output(stop); err != nil {
		stdout.close()
		return nil, nil, err
	}
	// *os.File values are inherited as they are: exec starts no goroutines of its own for them.
	cmd.Stdout, cmd.Stderr = stdout.childEnd, stderr.childEnd
	go stdout.read()
	go stderr.read()
	return stdout, stderr, nil
}

// output opens the pipe of one output. Both ends belong to it.
func (w *World) output(stop func()) (*output, error) {
	ours, childEnd, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &output{pipe: ours, childEnd: childEnd, done: make(chan struct{}), limit: w.limit, stop: stop}, nil
}

// read is the body of the goroutine that reads the pipe; collect joins it.
func (o *output) read() {
	defer close(o.done)
	_, _ = io.Copy(limitedWriter{o}, o.pipe) // it ends at the end of the pipe, or at the deadline that collect sets
}

// collect waits, after the process has ended, for the end of its outputs: at most for linger,
// and until ctx ends. It reports whether it cut them off.
func collect(ctx context.Context, linger time.Duration, outputs ...*output) (cut bool) {
	for _, o := range outputs {
		_ = o.childEnd.Close() // not before: the process inherits it when it starts
	}
	if linger > 0 {
		timed, cancel := context.WithTimeout(ctx, linger)
		defer cancel()
		ctx = timed
	}
	for _, o := range outputs {
		select {
		case <-o.done:
		case <-ctx.Done():
			cut = true
			// A pipe of os.Pipe is in the poller, so the deadline ends a blocked read.
			_ = o.pipe.SetReadDeadline(past())
			<-o.done
		}
		o.close()
	}
	return cut
}

func (o *output) close() {
	_ = o.pipe.Close()
	_ = o.childEnd.Close()
}

// limitedWriter hides the buffer's ReadFrom from io.Copy, which would read without a limit.
type limitedWriter struct{ *output }

// Write stops the process at the limit and drops what follows.
func (w limitedWriter) Write(p []byte) (int, error) {
	if int64(w.buf.Len()+len(p)) > w.limit {
		w.exceeded = true // read after collect, which joins the reader
		w.stop()
		return len(p), nil
	}
	return w.buf.Write(p)
}
