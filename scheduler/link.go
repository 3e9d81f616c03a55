package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Link registers a link that is called if the current fiber dies before Unlink. Like a lock,
// a link belongs to the root, whichever member of its chain made it.
func (f Attachments) Link(l fiber.Link) {
	c := f.core
	c.enter(op.Own)
	c.executing(op.Own)
	if l == nil {
		c.refuseAs(op.Own, rule.ValidArgument, "the link is nil: give Link a value whose Died receives the death")
	}
	s := c.reg.keepExt(c.cur)
	s.links = append(s.links, l)
	c.leave()
}

// Unlink takes back one Link of the current fiber, latest first.
func (f Attachments) Unlink(l fiber.Link) {
	c := f.core
	c.enter(op.Own)
	c.executing(op.Own)
	if s := c.reg.ext(c.cur); s != nil {
		s.links = withoutLatest(s.links, l)
	}
	c.leave()
}

// notifyLinks calls the links of a dead fiber, latest first, after everything that it held
// has been released. They decide which fibers are cancelled or killed for it.
func (f Attachments) notifyLinks(s *ext, d fiber.Death) {
	c := f.core
	for i := len(s.links) - 1; i >= 0; i-- {
		c.wakeups, c.orders = s.links[i].Died(d, c.wakeups, c.orders)
	}
}
