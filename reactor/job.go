package reactor

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
)

// Work is one blocking call. Its context ends when nobody waits for the result any more
// (the fiber was cancelled, killed, or timed out) or when the pool is closed; work that
// can stop early should then do so. It may panic and it may call runtime.Goexit: both are
// errors of the fiber that waits (*PanicError, ErrWorkExited).
type Work func(ctx context.Context) (any, error)

var (
	// ErrPoolClosed is what work ends with that had not begun when its pool was closed,
	// and the cause in the context of work that had.
	ErrPoolClosed = errors.New("reactor: the pool is closed")
	// ErrAbandoned is the cause in the context of work whose fiber does not wait any more.
	ErrAbandoned = errors.New("reactor: nobody waits for this work any more")
	// ErrStragglers: some work did not stop when it was told to.
	ErrStragglers = errors.New("reactor: not all work has ended")
	// ErrWorkExited: the work called runtime.Goexit (testing's FailNow does).
	ErrWorkExited = errors.New("reactor: the work called runtime.Goexit")
)

// PanicError is what work or a slice ends with that panicked.
type PanicError struct {
	Value any    // what panic was called with
	Stack []byte // the Go stack trace at the panic
}

// Error is the panic value; the trace is in Stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic on a worker: %v", e.Value) }

// Unwrap is the panic value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// chunkSize is how many pieces of work go to the workers at once.
const chunkSize = 32

// chunk is a batch on its way to the workers, who take its pieces one by one. The jobs of
// a chunk are one allocation.
type chunk struct {
	jobs [chunkSize]job
	n    int32        // how many; fixed when the workers get it
	next atomic.Int32 // the first that nobody has taken; may be beyond n
	rest *chunk       // the batch behind it in the queue
}

func (c *chunk) full() bool { return c.n == chunkSize }

func (c *chunk) add(tok fiber.Token, work Work) *job {
	j := &c.jobs[c.n]
	j.tok, j.work = tok, work
	c.n++
	return j
}

// claim is the next piece that nobody has taken, or nil.
func (c *chunk) claim() *job {
	if i := c.next.Add(1) - 1; i < c.n {
		return &c.jobs[i]
	}
	return nil
}

// job is one piece of work. The worker that claims it writes its result, and hands it
// over with the note.
type job struct {
	tok   fiber.Token
	work  Work
	abort func() // nil: the context is enough
	ctx   workContext
	value any
	err   error
	told  bool // its context had ended when it did
	next  *job // in the list of notes
}

// cancel tells the work that nobody wants its result. The first cause stays.
func (j *job) cancel(cause error) {
	if j.ctx.cancel(cause) && j.abort != nil {
		j.abort()
	}
}

// run does the work, whatever it does. It does not return if the work leaves by
// runtime.Goexit; then exited is called while the goroutine unwinds.
func (j *job) run(exited func()) {
	if j.err = j.ctx.ended(); j.err != nil {
		return
	}
	done := false
	defer func() {
		if done {
			return
		}
		if v := recover(); v != nil {
			j.err = &PanicError{Value: v, Stack: debug.Stack()}
			return
		}
		j.err = ErrWorkExited
		exited()
	}()
	j.value, j.err = j.work(&j.ctx)
	done = true
}
