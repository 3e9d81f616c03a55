package scheduler

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/internal/op"
)

// Shutdown waits until the fibers of the Group, and of those below it, have ended. They may finish
// until ctx ends; then they are cancelled, with the cause of ctx; those that have not ended after a
// grace period are killed, and the Group gets no fibers any more. After one more such
// period Shutdown returns a *ShutdownError with those that are left. What is paused is resumed at
// the beginning; a rate stays. grace begins a grace period, at the end of which its channel receives, as that
// of time.After does. The caller refuses new fibers.
//
// Any goroutine may call it but the one that runs the scheduler, which must run it meanwhile. Errors:
// also ErrStopped, if the scheduler is closed.
func (g *Group) Shutdown(ctx context.Context, grace func() <-chan time.Time) error {
	if ctx == nil {
		panic(missing(op.Kill, "Group.Shutdown has no context: pass context.Background() to wait without a limit"))
	}
	if grace == nil {
		panic(missing(op.Kill, "Group.Shutdown has no grace period: pass a function that returns the channel of a timer"))
	}
	w := &shutdown{group: g, ended: make(chan struct{})}
	if err := w.post(w.begin); err != nil {
		return err
	}
	select {
	case <-w.ended:
		return nil
	case <-ctx.Done():
	}
	cause := context.Cause(ctx)
	for _, step := range []func(){func() { w.cancel(cause) }, func() { g.Kill(cause) }} {
		if err := w.post(func() { step(); w.look() }); err != nil {
			return err
		}
		select {
		case <-w.ended:
			return nil
		case <-grace():
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return &ShutdownError{Group: g.account.Name(), Left: w.left}
}

// shutdown is one call of Shutdown. Its methods but post are the owner's.
type shutdown struct {
	group *Group
	ended chan struct{} // closed when the Group has no fiber

	mu   sync.Mutex
	left []BlockedFiber // when the owner has last looked
}

// post does not fail because the inbox is full: a guest must not prevent its end.
func (w *shutdown) post(do func()) error {
	return w.group.core.inbox.add(command{op: op.Poll, do: do}, math.MaxInt)
}

func (w *shutdown) begin() {
	g := w.group
	g.Resume()
	for at := range g.core.groups.every() {
		if at.paused && at.within(g) {
			at.Resume()
		}
	}
	for id := range g.Fibers() {
		_ = g.core.Attachments().Resume(id.ID()) // alive: cannot be ErrGone
	}
	g.emptied = append(g.emptied, w.ended)
	w.look()
	g.endShutdowns()
}

// Expect has Shutdown wait, of the Group and of those above it, for a fiber that has been accepted and
// cannot be spawned yet, until arrived is called. A second call of arrived has no effect. nil expects nothing.
func (g *Group) Expect() (arrived func()) {
	if g == nil {
		return func() {}
	}
	g.expect(1)
	return sync.OnceFunc(func() { g.expect(-1) })
}

func (g *Group) expect(n int) {
	g.core.enter(op.Note)
	for at := g; at != nil; at = at.parent {
		at.coming += n
		at.endShutdowns()
	}
	g.core.leave()
}

func (w *shutdown) cancel(cause error) {
	for id := range w.group.Fibers() {
		_ = w.group.core.Cancel(id.ID(), cause) // alive: cannot be ErrGone
	}
}

// look notes which fibers are left.
func (w *shutdown) look() {
	c := w.group.core
	var left []BlockedFiber
	for id := range w.group.Fibers() {
		left = append(left, BlockedFiber{ID: id.ID(), Name: c.Inspect().Name(id.ID()), Site: c.siteOf(id.ID()), Reason: c.Inspect().Reason(id.ID())})
	}
	w.mu.Lock()
	w.left = left
	w.mu.Unlock()
}

// ShutdownError says which fibers have not ended in time.
type ShutdownError struct {
	Group string // its name; may be empty
	// Left are the fibers as they were at the last poll. One of them may keep the goroutine that runs
	// the scheduler from polling: a Go function that does not return.
	Left []BlockedFiber
}

// Error names the fibers and their sites.
func (e *ShutdownError) Error() string {
	if len(e.Left) == 0 {
		return "shutdown: nothing polls the scheduler: a time slice does not end, or no run is under way"
	}
	names := make([]string, len(e.Left))
	for i, f := range e.Left {
		names[i] = f.ID.String()
		if f.Name != "" {
			names[i] += fmt.Sprintf(" %q", f.Name)
		}
		if f.Site != "" {
			names[i] += " at " + f.Site
		}
	}
	return fmt.Sprintf("shutdown: %d fibers have not ended: %s", len(e.Left), strings.Join(names, ", "))
}
