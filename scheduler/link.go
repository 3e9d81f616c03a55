package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Link ties something to the end of the current fiber: it is told if the fiber dies
// before Unlink. Like a lock, a link is the root's, whichever member of its chain made it.
func (f Attachments) Link(l fiber.Link) {
	c := f.core
	c.enter(OpOwn)
	c.executing(OpOwn)
	if l == nil {
		c.refuseAs(OpOwn, rule.ValidArgument, "nil is nobody to tell of a death: give Link what is to be told")
	}
	s := c.keepSide(c.cur)
	s.links = append(s.links, l)
	c.leave()
}

// Unlink takes back one Link of the current fiber, latest first.
func (f Attachments) Unlink(l fiber.Link) {
	c := f.core
	c.enter(OpOwn)
	c.executing(OpOwn)
	if s := c.sideOf(c.cur); s != nil {
		s.links = withoutLatest(s.links, l)
	}
	c.leave()
}

// tellLinks tells of a death when all that the dead fiber held is settled, the latest
// link first.
func (c *Core) tellLinks(s *side, d fiber.Death) {
	for i := len(s.links) - 1; i >= 0; i-- {
		c.wakeups, c.orders = s.links[i].Died(d, c.wakeups, c.orders)
	}
}

// obeyOrders cancels and kills whom links have decided to. Those deaths may decide more;
// the order is that of the decisions.
func (c *Core) obeyOrders() {
	for i := 0; i < len(c.orders); i++ {
		o := c.orders[i]
		if o.Kill {
			_ = c.kill(o.ID, o.Cause) // who is gone needs no order
		} else {
			_ = c.cancelFiber(o.ID, o.Cause)
		}
		c.deliverWakeups()
	}
	clear(c.orders)
	c.orders = c.orders[:0]
}
