package fibers

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/selvage-dev/selvage/stackful"
)

// driver says which goroutine runs a Runtime now: that of one Host, or that of a Shared.
type driver struct {
	rt       *stackful.Runtime
	running  atomic.Int32 // idle, runs or serviced
	controls atomic.Int32 // calls of Pause, Resume and Shutdown that wait for the owner
}

// What driver.running says.
const (
	idle     = iota
	runs     // a call that runs the fibers has not returned
	serviced // another goroutine carries out commands, which takes no time
)

// take makes the caller the one that runs the fibers, if none does.
func (d *driver) take() bool {
	for !d.running.CompareAndSwap(idle, runs) {
		if d.running.Load() == runs {
			return false
		}
		runtime.Gosched()
	}
	return true
}

// control has the owner carry out what another goroutine wants, and waits for that. While no run is under way
// there is no owner, and the caller carries it out.
func (d *driver) control(ctx context.Context, call string, do func()) error {
	mustHaveContext(ctx, call)
	d.controls.Add(1)
	defer d.controls.Add(-1)
	done := make(chan struct{})
	err := d.rt.Scheduler().Inbox().Do(func() {
		do()
		close(done)
	})
	if err != nil {
		return err
	}
	d.carryOut()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// carryOut carries out commands while no run is under way, if a goroutine waits for one. It comes after
// each post and after the end of each run: one of the two finds the command.
func (d *driver) carryOut() {
	s := d.rt.Scheduler()
	for d.controls.Load() > 0 && s.Inbox().Waiting() && d.running.CompareAndSwap(idle, serviced) {
		s.Steps().DrainCommands()
		d.running.Store(idle)
	}
}
