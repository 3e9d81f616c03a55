package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

// SetName names a living fiber or native call for reports, until it ends. The name costs an
// extension record. Errors: ErrGone, ErrMovedOut.
func (f Attachments) SetName(id fiber.ID, name string) error {
	return f.change(id, func(s *ext) { s.name = name })
}

// Cell is the join cell of a living fiber, for code that knows the fiber by ID only: the cell
// it was spawned with, or one made now. The fiber completes it when it ends, and the cell
// outlives the slot. A failure of the fiber then counts as observed when the cell is read
// (Config.Unobserved). Errors: ErrGone, ErrMovedOut; the result of a fiber that has ended is only
// in a cell that was requested before.
func (f Attachments) Cell(id fiber.RegularID) (cell *ioqueue.Cell, err error) {
	err = f.change(id.ID(), func(s *ext) {
		if s.cell == nil {
			s.cell = new(ioqueue.Cell)
			s.cell.SetOwner(id.ID())
			s.cell.Source().Anchored().Bind(f.core.number, 0)
		}
		cell = s.cell
	})
	return cell, err
}

// change changes what lasts in the extension record of a living fiber of either pool. The record
// is made if there is none and is then kept until the fiber ends. An error changes nothing.
func (f Attachments) change(id fiber.ID, do func(*ext)) error {
	c := f.core
	c.enter(op.Note)
	defer c.leave()
	h := c.find(id)
	if h == nil {
		return c.gone(id)
	}
	do(c.reg.keepExt(h))
	return nil
}

// Name is the name of a living fiber or native call (Options.Name, SetName); "" if it has none.
// The name of a fiber that has ended is not kept here: a link and Config.Unobserved receive it.
func (f Inspect) Name(id fiber.ID) string {
	if h := f.core.find(id); h != nil {
		if s := f.core.reg.ext(h); s != nil {
			return s.name
		}
	}
	return ""
}
