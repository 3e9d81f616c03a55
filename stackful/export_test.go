package stackful

import (
	"context"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/scope"
)

// What the tests of this package use beside its API.

// Execute starts a fiber from another goroutine, waits for its end, and cancels it if ctx
// ends first.
func (rt *Runtime) Execute(ctx context.Context, name string, fn Func) (any, error) {
	h, err := rt.Start(name, fn)
	if err != nil {
		return nil, err
	}
	result, err := h.Result(ctx)
	if ctx.Err() != nil {
		_ = h.Cancel(context.Cause(ctx)) // a stopped scheduler has ended it
	}
	return result, err
}

// Report is the wait-for graph of the blocked fibers.
func (rt *Runtime) Report() *scheduler.Report { return rt.sched.Inspect().Report() }

// Life is the scope of package scope.
func (s *Scope) Life() *scope.Scope { return s.life }

// Tasks are the members, in the order of adding.
func (g *Group) Tasks() []*Task { return g.tasks }
