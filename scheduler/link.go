package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Link registers a link that is called if the current fiber dies before Unlink. Like a lock,
// a link belongs to the root, whichever member of its chain made it. A fiber with a link
// cannot move to another scheduler, because the link belongs to this one.
//
// The link's type must be comparable with ==, as a pointer is: Unlink searches for it.
// Linking it twice means two calls of Died, and each Unlink takes back one. Amortized O(1).
func (f Attachments) Link(l fiber.Link) {
	c := f.core
	c.enter(op.Own)
	// Only the refusal counts, if no fiber executes: the record is the root's.
	c.executing(op.Own)
	if l == nil {
		c.refuseAs(op.Own, rule.ValidArgument, "the link is nil: give Link a value whose Died receives the death")
	}
	s := c.reg.keepExt(c.cur)
	s.links.Add(l)
	c.leave()
}

// Unlink takes back one Link of the current fiber, latest first; a link that it does not have
// is ignored. Cost: O(1), amortized.
func (f Attachments) Unlink(l fiber.Link) {
	c := f.core
	c.enter(op.Own)
	c.executing(op.Own)
	if s := c.reg.ext(c.cur); s != nil {
		s.links.Remove(l)
	}
	c.leave()
}

// notifyLinks calls the links of a dead fiber, latest first, after everything that it held
// has been released: its locks, its operations, its join cell. They decide which fibers are
// cancelled or killed for it. They only append; endFiber's caller carries the decisions out
// when the slot is free, so no link sees another fiber between two states.
func (f Attachments) notifyLinks(s *ext, d fiber.Death) {
	c := f.core
	for l := range s.links.Backward() {
		c.Choices().touchedAll(d.ID)
		c.decided(nil)
		c.wakeups, c.orders = l.Died(d, c.wakeups, c.orders)
		c.decided(l)
	}
}
