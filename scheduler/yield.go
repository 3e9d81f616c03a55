package scheduler

import (
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// YieldCurrent puts the current fiber at the back of the ready queue, with the chain of
// native calls above it. It must not have a wait armed (I13), nor be in a native call that
// nests (NESTED-FRAMES). It has no slow path and is inlined into the host's loop: the gate's
// one comparison refuses everything else.
//
// It pushes to the ring and never joins the batch under way: the fiber is behind all that it
// has woken and spawned, and a fiber that yields alone ends its batch, so that the next poll
// is due.
func (c *Core) YieldCurrent() {
	if invariants.On {
		c.checkOwner(op.Yield)
		c.mistakes().mustHold(op.Yield)
	}
	c.passCurrent(yielded)
	c.ring.push(uint32(c.curID))
	c.cur = c.none
	if invariants.On {
		c.endFast()
	}
}
