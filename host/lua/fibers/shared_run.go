package fibers

import (
	"context"
	"sync/atomic"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/scheduler"
)

// guestRun is a Run or Call of a Host on a Shared. Its main fiber and all that this spawns are in a Group
// of the run, which ends with the main fiber. All but state and over is the owner's until over is closed.
type guestRun struct {
	host  *Host
	ctx   context.Context // of the fibers: that of the call, ended when the run is over
	stop  context.CancelFunc
	start func() (mainCall, error)
	done  func([]glua.LValue) error
	state atomic.Int32 // one of those below
	over  chan struct{}

	group     *scheduler.Group // nil until the main fiber is made
	mainEnded bool
	stopped   bool // the context has ended before the main fiber
	err       error
}

// States of a guestRun.
const (
	runPosted = iota
	runBegun
	runWithdrawn // its context has ended before
)

// run makes a call by a main fiber, and waits until all fibers of the call have ended, or are deadlocked.
func (s *Shared) run(ctx context.Context, h *Host, start func() (mainCall, error), done func([]glua.LValue) error) error {
	r := &guestRun{host: h, start: start, done: done, over: make(chan struct{})}
	r.ctx, r.stop = context.WithCancel(ctx)
	defer r.stop()
	if err := s.post(&s.calls, r.enter); err != nil {
		return err
	}
	select {
	case <-r.over:
	case <-ctx.Done():
		if r.state.CompareAndSwap(runPosted, runWithdrawn) {
			return ctx.Err()
		}
		if s.post(&s.todo, r.interrupt) != nil {
			return ctx.Err()
		}
		<-r.over
	}
	return r.err
}

// enter begins the run, when the fibers that a deadlock of the last one has left have ended.
func (r *guestRun) enter() {
	if !r.state.CompareAndSwap(runPosted, runBegun) {
		return
	}
	if g := &r.host.guest; g.stuck != nil && fibersOf(g.stuck) > 0 {
		g.next = r
		g.stuck.Kill(scheduler.ErrStopped)
		return
	}
	r.begin()
}

// begin makes the main fiber.
func (r *guestRun) begin() {
	h := r.host
	main, err := mainCall{}, r.ctx.Err() // it may have waited for the fibers of the last run
	if err == nil {
		main, err = r.start()
	}
	if err == nil {
		r.group = h.env.rt.Scheduler().Attachments().NewGroup(h.env.group, main.name, main.limits)
		r.group.SetProgram(&scheduler.Program{Context: r.ctx, Unobserved: h.env.cfg.Runtime.Unobserved, Owner: h})
		h.guest.run = r
		_, err = h.tasks.start(h.goMain(scheduler.Options{Group: r.group, Ended: r.ended}), main.name, main.thread, main.fn, main.args)
	}
	if err != nil {
		h.guest.run = nil
		r.err = err
		close(r.over)
	}
}

// ended takes the result of the main fiber.
func (r *guestRun) ended(result any, err error) {
	r.mainEnded = true
	if r.err = err; err != nil {
		return
	}
	values, _ := result.([]glua.LValue)
	r.err = r.done(values)
}

// interrupt ends the fibers, because the context of the call has ended.
func (r *guestRun) interrupt() {
	if r.group == nil || r.host.guest.run != r {
		return
	}
	r.stopped = !r.mainEnded
	r.group.Kill(context.Cause(r.ctx))
}

// end ends the run: its fibers have ended, or are deadlocked.
func (r *guestRun) end(dead *scheduler.DeadlockError) {
	h := r.host
	h.guest.run = nil
	r.group.ReportUnobserved()
	switch {
	case dead != nil:
		r.err, h.guest.stuck = dead, r.group
	case r.stopped || r.err == nil:
		r.err = r.ctx.Err()
	}
	if h.env.exit != nil {
		r.err = h.env.exit
	}
	r.err = h.env.exited(r.err)
	r.stop()
	close(r.over)
}
