package control

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// Owner says which goroutine runs a scheduler now.
type Owner struct {
	// Package is the name of the host's package, for messages.
	Package string
	Core    *scheduler.Core

	running  atomic.Int32
	controls atomic.Int32 // calls of Do that wait for the owner
}

// What Owner.running says.
const (
	idle     = iota
	runs     // a call that runs the fibers has not returned
	serviced // another goroutine carries out commands, which takes no time
)

// MustHaveContext panics if a call of a package has no context.
func MustHaveContext(ctx context.Context, pkg, call string) {
	if ctx == nil {
		panic(pkg + ": " + call + " has no context; pass context.Background() for no limit: " + rule.Cite(rule.ValidArgument))
	}
}

// Take makes the caller the one that runs the fibers, until Release, if none does.
func (o *Owner) Take() bool { return o.TakeAfter(func() {}) }

// TakeAfter is Take with work that is done before another goroutine can see that the fibers run.
func (o *Owner) TakeAfter(prepare func()) bool {
	for !o.Service() {
		if o.running.Load() == runs {
			return false
		}
		runtime.Gosched()
	}
	prepare()
	o.running.Store(runs)
	return true
}

// Service makes the caller the owner for work that takes no time, until Release, if there is none.
func (o *Owner) Service() bool { return o.running.CompareAndSwap(idle, serviced) }

// Serviced returns whether the owner is one by Service.
func (o *Owner) Serviced() bool { return o.running.Load() == serviced }

// Release ends what Take or Service has begun.
func (o *Owner) Release() { o.running.Store(idle) }

// Do has the owner carry out what another goroutine wants, and waits for that. While no run is under way
// there is no owner, and the caller carries it out. Errors: the cause of ctx, if that ends before the owner
// has carried it out, which it may still do; scheduler.ErrStopped and scheduler.ErrInboxFull.
func (o *Owner) Do(ctx context.Context, call string, do func()) error {
	MustHaveContext(ctx, o.Package, call)
	o.controls.Add(1)
	defer o.controls.Add(-1)
	done := make(chan struct{})
	err := o.Core.Inbox().Do(func() {
		do()
		close(done)
	})
	if err != nil {
		return err
	}
	o.CarryOut()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// CarryOut carries out commands while no run is under way, if a goroutine waits for one. It comes after
// each post and after the end of each run: one of the two finds the command.
func (o *Owner) CarryOut() {
	for o.controls.Load() > 0 && o.Core.Inbox().Waiting() && o.Service() {
		o.Core.Steps().DrainCommands()
		o.Release()
	}
}
