package fibers

import (
	"context"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Handle stands for a call that was posted with Host.Start. All methods are safe for concurrent use. It
// completes when the fiber of the call has ended or could not be made; never, if the Host does not run
// again before and is not closed.
type Handle struct {
	host *Host
	fn   any
	args []bind.Value

	task *stackful.Task // the owner's; nil until the fiber is made
	done chan struct{}  // closed after values and err are set
	// values and err may be read when done is closed.
	values []bind.Value
	err    error
}

// Start posts a call of a Lua function. Any goroutine may post one at any time. The Host makes a fiber for
// the call when it runs: in Serve, or in a Run or Call, whose end kills the fiber. A call that is posted
// after a deadlock belongs to that run still, and the next one ends it (scheduler.ErrStopped). fn and args are those
// of Call; args are copied before Start returns. A failure is the Handle's error; it is not reported
// as unobserved. Errors: *bind.ValueError for an argument; scheduler.ErrInboxFull; scheduler.ErrStopped, if the
// Host is closed.
func (h *Host) Start(fn any, args ...any) (*Handle, error) {
	copies, err := h.env.codec.Arguments(args)
	if err != nil {
		return nil, err
	}
	c := &Handle{host: h, fn: fn, args: copies, done: make(chan struct{})}
	if err := h.env.rt.Scheduler().Inbox().Do(c.spawn); err != nil {
		return nil, err
	}
	return c, nil
}

// spawn makes the fiber. The owner executes it.
func (c *Handle) spawn() {
	h := c.host
	of, limits := withoutLimits(c.fn)
	fn, name, err := h.function(of)
	if err != nil {
		c.finish(nil, err)
		return
	}
	spawn := func(name string, code stackful.Func) (*stackful.Task, error) {
		return h.env.spawnWith(name, code, scheduler.Options{Ended: c.finish, Group: h.env.part(name, limits)})
	}
	state := h.env.state
	t, err := h.tasks.start(spawn, name, state.Spawn(state.Base()), fn, h.env.luaAll(c.args))
	if err != nil {
		c.finish(nil, err)
		return
	}
	c.task = t.stack
}

// finish completes the Handle, once.
func (c *Handle) finish(result any, err error) {
	if err == nil {
		values, _ := result.([]glua.LValue)
		c.values, err = c.host.env.codec.Detach(valuesOf(values))
	}
	c.err = err
	close(c.done)
}

// Done is closed when the call has ended.
func (c *Handle) Done() <-chan struct{} { return c.done }

// Result waits for the end of the call and returns its results, as Call does; or the cause of ctx if
// ctx ends first, and then the call continues. Errors of a fiber that was cancelled or killed wrap
// scheduler.ErrCancelled or scheduler.ErrKilled. A function or object among the results belongs to the
// Host: pass it to Start, and do not use it on another goroutine.
func (c *Handle) Result(ctx context.Context) ([]any, error) {
	if err := c.wait(ctx, "Result"); err != nil {
		return nil, err
	}
	return c.host.env.codec.Any(c.values)
}

// ResultInto is Result with variables for the results, as CallInto; bind.Result is shorter for one.
func (c *Handle) ResultInto(ctx context.Context, into ...any) error {
	if err := c.wait(ctx, "ResultInto"); err != nil {
		return err
	}
	return c.host.env.codec.Results(c.values, into)
}

func (c *Handle) wait(ctx context.Context, call string) error {
	mustHaveContext(ctx, call)
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Cancel posts the cancellation of the fiber. After its end it has no effect. Errors: scheduler.ErrStopped,
// scheduler.ErrInboxFull; then nothing was posted.
func (c *Handle) Cancel(cause error) error {
	s := c.host.env.rt.Scheduler()
	return s.Inbox().Do(func() {
		if c.task != nil {
			_ = s.Cancel(c.task.ID(), cause) // an error means that it has ended
		}
	})
}

// Serve runs the calls that are posted with Start, and the fibers that they spawn, until ctx ends. It
// kills the fibers that still run and returns ctx.Err(); or until a quota of the Host is passed, and
// returns the *quota.Error. Calls that are posted afterwards wait for
// the next run. The fibers of several calls take turns; while none can run, the goroutine sleeps. As
// another call may still come, fibers that wait for each other are no deadlock; fiber.report
// describes them. os.exit ends Serve, which then returns nil or an *ExitError.
func (h *Host) Serve(ctx context.Context) error {
	defer h.begin(ctx, "Serve")()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h.env.stopServing = stop
	defer func() { h.env.stopServing = nil }()
	sender := h.env.rt.Scheduler().Inbox().NewSender()
	defer sender.Close()
	h.env.endWhenPassed()
	h.clear()
	if _, err := h.env.spawnIn("serve", h.beginTime); err != nil {
		return err
	}
	err := h.drive(ctx)
	if passed := h.env.group.Account().Passed(); passed != nil {
		return passed
	}
	return err
}

// beginTime is the first fiber of Serve: fiber.now counts from its first time slice.
func (h *Host) beginTime(f *stackful.Fiber) (any, error) {
	h.env.began = f.Now()
	return nil, nil
}
