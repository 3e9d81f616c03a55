package fibers

import (
	"context"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Start posts a call of a Lua function. Any goroutine may post one at any time. The Host makes a fiber for
// the call when it runs: in Serve, or in a Run or Call, whose end kills the fiber. A call that is posted
// after a deadlock belongs to that run still, and the next one ends it (scheduler.ErrStopped). fn and args are those
// of Call; args are copied before Start returns. A failure is the Handle's error; it is not reported
// as unobserved. Errors: *bind.ValueError for an argument; scheduler.ErrInboxFull; scheduler.ErrStopped, if the
// Host is closed or shut down.
func (h *Host) Start(fn any, args ...any) (*bind.Handle, error) {
	if h.down.Load() {
		return nil, scheduler.ErrStopped
	}
	copies, err := h.env.codec.Arguments(args)
	if err != nil {
		return nil, err
	}
	c := &posted{host: h, fn: fn, args: copies}
	handle, finish := bind.NewHandle(&h.env.codec, c.cancel)
	c.finish = finish
	if err := h.env.rt.Scheduler().Inbox().Do(c.spawn); err != nil {
		return nil, err
	}
	return handle, nil
}

// posted is a call that another goroutine has posted. The owner uses it.
type posted struct {
	host   *Host
	fn     any
	args   []bind.Value
	task   *stackful.Task // nil until the fiber is made
	finish func([]bind.Value, error)
}

// spawn makes the fiber.
func (c *posted) spawn() {
	h := c.host
	if h.guest.removed {
		c.finish(nil, scheduler.ErrStopped)
		return
	}
	of, limits := withoutLimits(c.fn)
	fn, name, err := h.function(of)
	if err != nil {
		c.finish(nil, err)
		return
	}
	spawn := func(name string, code stackful.Func) (*stackful.Task, error) {
		return h.env.spawnWith(name, code, scheduler.Options{Ended: c.ended, Group: h.env.part(name, limits)})
	}
	state := h.env.state
	t, err := h.tasks.start(spawn, name, state.Spawn(state.Base()), fn, h.env.luaAll(c.args))
	if err != nil {
		c.finish(nil, err)
		return
	}
	c.task = t.stack
}

// ended completes the Handle, once.
func (c *posted) ended(result any, err error) {
	if err != nil {
		c.finish(nil, err)
		return
	}
	values, _ := result.([]glua.LValue)
	c.finish(c.host.env.codec.Detach(valuesOf(values)))
}

func (c *posted) cancel(cause error) error {
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
// describes them. After Shutdown it returns scheduler.ErrStopped. os.exit ends Serve, which then returns nil or an *ExitError.
func (h *Host) Serve(ctx context.Context) error {
	if h.shared != nil {
		panic("fibers: Serve on a Host with Config.On; call Shared.Serve, which runs all Hosts: " + rule.Cite(rule.ValidArgument))
	}
	end, err := h.begin(ctx, "Serve")
	if err != nil {
		return err
	}
	defer end()
	given := ctx
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
	err = h.drive(ctx)
	if h.down.Load() && given.Err() == nil {
		return scheduler.ErrStopped
	}
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
