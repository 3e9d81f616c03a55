package fiberio

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"time"
)

// output is one of the outputs of a process, and what has come of it. A pipe of our own and
// not one of exec's, which cannot be told to stop after the process has ended.
type output struct {
	pipe, theirs *os.File
	all          chan struct{} // closed when nothing more comes

	buf  bytes.Buffer
	most int64
	over bool
	full func() // stops the process
}

// outputs gives a command its outputs. They are read from when it runs; collect ends that.
func (w *World) outputs(cmd *exec.Cmd, full func()) (stdout, stderr *output, err error) {
	if stdout, err = w.output(full); err != nil {
		return nil, nil, err
	}
	if stderr, err = w.output(full); err != nil {
		stdout.close()
		return nil, nil, err
	}
	cmd.Stdout, cmd.Stderr = stdout.theirs, stderr.theirs
	go stdout.read()
	go stderr.read()
	return stdout, stderr, nil
}

func (w *World) output(full func()) (*output, error) {
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &output{pipe: ours, theirs: theirs, all: make(chan struct{}), most: w.most, full: full}, nil
}

func (o *output) read() {
	defer close(o.all)
	_, _ = io.Copy(writer{o}, o.pipe) // it ends, or is told to
}

// collect waits, when the process has ended, until its outputs do, but not longer than it is
// to linger, nor when nobody waits for the result. It tells whether they were cut.
func collect(ctx context.Context, linger time.Duration, outputs ...*output) (cut bool) {
	for _, o := range outputs {
		_ = o.theirs.Close() // only now: what has it has ended, or has not begun
	}
	if linger > 0 {
		timed, cancel := context.WithTimeout(ctx, linger)
		defer cancel()
		ctx = timed
	}
	for _, o := range outputs {
		select {
		case <-o.all:
		case <-ctx.Done():
			cut = true
			_ = o.pipe.SetReadDeadline(past())
			<-o.all
		}
		o.close()
	}
	return cut
}

func (o *output) close() {
	_ = o.pipe.Close()
	_ = o.theirs.Close()
}

// writer is an output as io.Copy has it: without the buffer's ReadFrom, which would take
// everything.
type writer struct{ *output }

// Write takes all of it, or none any more.
func (w writer) Write(p []byte) (int, error) {
	if int64(w.buf.Len()+len(p)) > w.most {
		w.over = true
		w.full()
		return len(p), nil
	}
	return w.buf.Write(p)
}
