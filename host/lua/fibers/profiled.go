package fibers

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/profile"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// profiled is the machine of a Host whose programs are profiled: time counts while a fiber executes.
type profiled struct{ *Host }

// Resume runs a time slice.
func (p profiled) Resume(s *scheduler.Scheduler[*stackful.Fiber], slot *scheduler.Fiber[*stackful.Fiber]) fiber.Outcome {
	p.env.state.BeginSlice()
	defer p.env.state.EndSlice()
	return p.env.rt.Resume(s, slot)
}

// runFibers is stackful.Runtime.Run for a Host with a Runtime of its own.
func (h *Host) runFibers(ctx context.Context) error {
	if h.env.cfg.Lua.Profile == nil {
		return h.env.rt.Run(ctx)
	}
	return h.env.rt.Scheduler().Run(ctx, profiled{h})
}

// Label names the fiber in a profile.
func (c *carrier) Label() profile.Fiber {
	id := c.fiber.ID()
	return profile.Fiber{ID: id.String(), Name: c.env.rt.Scheduler().Inspect().Name(id)}
}
