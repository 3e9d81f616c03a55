package fibers

import (
	"io"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// Spent is what the programs of the Host, with their islands, have used. Fibers, timers, operations
// and memory are what is in use now.
func (h *Host) Spent() (spent quota.Spent) {
	look := func() {
		h.env.state.Settle()
		spent = h.env.guest.Spent()
		spent.Time = h.env.group.Spent().Time
	}
	if h.shared == nil || h.shared.do(look) != nil { // it is closed: no goroutine uses the Host
		look()
	}
	return spent
}

// Steps is how many steps a fiber of this Host has executed, in the unit of Config.Quota: Lua instructions, and the work of
// the library in the same unit. counted is false if the ID is of no living fiber of this Host, or of one that runs no Lua
// code. The goroutine that runs the Host calls it, as Stack.
func (h *Host) Steps(id fiber.RegularID) (steps uint64, counted bool) {
	if !h.has(id) {
		return 0, false
	}
	c := carrierOf(h.env.rt, id)
	if c == nil || c.env != h.env {
		return 0, false
	}
	if steps = c.steps; c.group != nil { // it has begun
		steps += uint64(min(h.env.state.Unsettled(c), c.group.Account().Left(quota.Steps)))
	}
	return steps, true
}

// limit makes the Account of a program, and returns what makes the Group of the fibers: that of the
// program, or below the Account of the program that of an island. The owner calls it. The limit of time is that of the Group, the others are those of the Account above, which
// islands share.
//
// The State counts its output, and its memory if that has a limit.
func (e *env) limit(guest *quota.Account, c *lua.Config) (group func()) {
	own := quota.Limits{}
	if e.guest = guest; guest == nil {
		whole := e.cfg.Quota
		own.Time, whole.Time = whole.Time, 0
		e.guest = quota.New("", whole)
	}
	c.Stdout, c.Stderr = &countedWriter{e, c.Stdout}, &countedWriter{e, c.Stderr}
	if e.cfg.Quota.Memory > 0 {
		c.Memory = memory{e}
	}
	return func() { e.group = e.rt.Scheduler().Attachments().NewGroupOf(e.guest.Child("", own)) }
}

// Limited is a function for Call, CallInto and Start whose call has quotas of its own, beside those of
// the Host. When one is passed, the fibers of the call and those that they have spawned end, and the
// error of the call has the *quota.Error; the Host continues. Memory is that of the whole Host, and
// has no limit here.
//
//	values, err := host.Call(ctx, fibers.Limited{Func: "rule", Quota: quota.Limits{Steps: 1e6}}, request)
type Limited struct {
	Func  any // what Call takes
	Quota quota.Limits
}

func withoutLimits(fn any) (any, quota.Limits) {
	if l, ok := fn.(Limited); ok {
		return l.Func, l.Quota
	}
	return fn, quota.Limits{}
}

// part is the Group for a call with these limits.
func (e *env) part(name string, l quota.Limits) *scheduler.Group {
	if l == (quota.Limits{}) {
		return e.group
	}
	return e.rt.Scheduler().Attachments().NewGroup(e.group, name, l)
}

// share lets islands use the Account. If one of them passes a quota or calls os.exit, this Host ends, and
// all islands with it. The device comes after that of the ports: when a fiber here learns of the end of one
// there, it is killed in the same poll.
func (e *env) share() {
	if !e.shared {
		e.shared = true
		e.endWhenPassed()
		inbox := e.rt.Scheduler().Inbox()
		e.guest.Share(func(*quota.Error) { inbox.Notify() })
	}
}

// endWhenPassed adds the device that ends the Group when a quota was passed on another goroutine, and
// then Serve; or the program, when another island has called os.exit. It is not a command, because the
// inbox may be full.
func (e *env) endWhenPassed() {
	if !e.watched {
		e.watched = true
		e.rt.Scheduler().Ops().AddDevice((*ender)(e))
	}
}

type ender env

// Serve ends the Group.
func (e *ender) Serve([]fiber.Token) {
	if end := e.exitsThere.Swap(nil); end != nil {
		(*end)()
	}
	passed := e.group.Account().Passed()
	if passed == nil {
		return
	}
	e.group.Kill(passed)
	if e.stopServing != nil {
		e.stopServing()
	}
}

// memory is where the State takes its memory from.
type memory struct{ *env }

// Left is what the State can take.
func (m memory) Left(r quota.Resource) int64 { return m.group.Account().Left(r) }

// Add takes what is left at most.
func (m memory) Add(r quota.Resource, n int64) { m.group.Account().Add(r, n) }

// Take ends the program if that passes its quota.
func (m memory) Take(r quota.Resource, n int64) error { return m.group.Take(r, n) }

// Give gives back.
func (m memory) Give(r quota.Resource, n int64) { m.group.Account().Give(r, n) }

// take takes what the fiber is about to use; if that passes a quota, it does not return.
func (c *carrier) take(r quota.Resource, n int64) {
	if c.group.Take(r, n) != nil {
		c.thread.Unwind()
	}
}

// countProcesses makes the Account ready for the goroutines that copy the output of processes.
func (e *env) countProcesses() {
	if e.cfg.Quota.Output > 0 {
		e.share()
	}
}

// processWriter takes the output of a process from the quota of the program. If that is passed, the
// program ends, and the process with it.
type processWriter struct {
	guest *quota.Account
	to    io.Writer
}

// Write writes all or, if that would pass the quota, nothing.
func (w *processWriter) Write(p []byte) (int, error) {
	if err := w.guest.Take(quota.Output, int64(len(p))); err != nil {
		return 0, err
	}
	return w.to.Write(p)
}

// countedWriter takes the output of programs from their quotas.
type countedWriter struct {
	env *env
	to  io.Writer
}

// Write writes all or, if that would pass a quota, nothing.
func (w *countedWriter) Write(p []byte) (int, error) {
	if t := w.env.state.Current(); t != nil {
		if c, ok := t.Carrier().(*carrier); ok {
			c.take(quota.Output, int64(len(p)))
			return w.to.Write(p)
		}
	}
	if err := w.env.group.Take(quota.Output, int64(len(p))); err != nil {
		return 0, err
	}
	return w.to.Write(p)
}
