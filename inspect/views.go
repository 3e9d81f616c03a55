package inspect

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
)

const (
	// maxShare bounds what snapshots cost a program: one part in maxShare of its time.
	maxShare = 20
	// maxSpare is how many views that are not in use keep their memory.
	maxSpare = 2
)

// views gives each request a view that is young enough. Requests that need a new one at the same time share
// one snapshot.
type views struct {
	of       scheduler.Inspect
	owner    *owner
	interval time.Duration

	mu      sync.Mutex
	current *view // the latest, with a reference of its own
	flight  *flight
	spare   []*view
	ended   bool
	taken   atomic.Uint64 // how many snapshots
}

// flight is a snapshot under way.
type flight struct {
	waits   bool
	waiters int
	done    chan struct{}
	view    *view
	err     error
}

// get is a view for the caller, who releases it. With waits, it has the cycle and the stuck fibers.
func (v *views) get(waits bool) (*view, error) {
	v.mu.Lock()
	if c := v.current; c != nil && v.isYoung(c) && (!waits || c.waits != nil) {
		c.refs++
		v.mu.Unlock()
		return c, nil
	}
	f := v.flight
	if f != nil && (f.waits || !waits) {
		f.waiters++
		v.mu.Unlock()
		<-f.done
		return f.view, f.err
	}
	f = &flight{waits: waits, waiters: 1, done: make(chan struct{})}
	v.flight = f
	fresh := v.memory()
	fresh.ended = v.ended
	v.mu.Unlock()
	err := v.owner.do(func() { fresh.take(v.of, waits) })
	v.land(f, fresh, err)
	return f.view, f.err
}

// isYoung tells whether a view may still be given out.
func (v *views) isYoung(c *view) bool {
	return c.ended || time.Since(c.taken) < max(v.interval, maxShare*c.cost)
}

// land ends a flight. Its view becomes the current one, unless something has made it out of date meanwhile.
func (v *views) land(f *flight, fresh *view, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	defer close(f.done)
	if err != nil {
		fresh.refs = 1
		v.drop(fresh)
		f.err = err
	} else {
		v.taken.Add(1)
		fresh.refs = f.waiters
		f.view = fresh
	}
	if v.flight != f {
		return
	}
	v.flight = nil
	if err == nil {
		v.replace(fresh)
		fresh.refs++
	}
}

// memory is a view that is not in use.
func (v *views) memory() *view {
	if n := len(v.spare); n > 0 {
		view := v.spare[n-1]
		v.spare = v.spare[:n-1]
		return view
	}
	return new(view)
}

func (v *views) release(c *view) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.drop(c)
}

// drop ends one use of a view.
func (v *views) drop(c *view) {
	if c.refs--; c.refs == 0 && len(v.spare) < maxSpare {
		c.reset()
		v.spare = append(v.spare, c)
	}
}

func (v *views) replace(by *view) {
	if v.current != nil {
		v.drop(v.current)
	}
	v.current = by
}

// outdate makes the next request take a new snapshot.
func (v *views) outdate() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.replace(nil)
	v.flight = nil
}

// end says that nothing changes from now on.
func (v *views) end() {
	v.outdate()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ended = true
}

// charge adds what was read for a view later.
func (v *views) charge(c *view, cost time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	c.cost += cost
}
