package blocking

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/lazycontext"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Work is one blocking call. Its context ends when the fiber that waits for the result is
// cancelled or killed or times out, and when the pool is closed by force; work that can stop
// early should then return. The context has no values: work that needs those of the run uses the
// fiber's own context (scheduler.Unwind.Context), which the function has captured. Work may panic
// and may call runtime.Goexit: the fiber that waits gets a *scheduler.PanicError or ErrGoexit.
type Work func(ctx context.Context) (any, error)

// job is one submitted call and its result. Both live in one record, so that a worker leaves
// the result where the owner looks for it and neither allocates.
//
// Ownership: tok and abort belong to the owner, and are zero when the job is collected. The
// other fields belong to the worker from its claim of the job to its next claim, and to the
// owner before and after that.
type job struct {
	tok       fiber.Token
	abort     func() // nil: ending the context is enough
	work      Work
	done      ioqueue.Completion
	cancelled bool // the context had ended before the work returned
}

// run does the work, unless its context has ended before it begins.
func (j *job) run(ctx *workContext, past *lazycontext.Real) {
	if ctx.InUse() { // nothing has asked for the context yet, so it can only have been cancelled
		j.done.Err = ctx.Ended()
	} else if value, err := j.work(ctx); value != nil || err != nil {
		j.done.Value, j.done.Err = value, err
	}
	j.end(ctx, past)
}

// end is the worker's last access to the job, whether it returned, panicked or exited.
func (j *job) end(ctx *workContext, past *lazycontext.Real) {
	j.work = nil
	j.cancelled = ctx.Finish(past)
}

// clear is the owner's last access: the record must keep nothing alive. It stores only where
// needed, because most jobs have no abort and many no result.
func (j *job) clear() {
	j.tok, j.cancelled = 0, false
	if j.abort != nil {
		j.abort = nil
	}
	if j.done.Value != nil || j.done.Err != nil {
		j.done = ioqueue.Completion{}
	}
}
