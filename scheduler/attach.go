package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

// SetName names a living fiber for reports. Errors: ErrGone.
func (f Attachments) SetName(id fiber.ID, name string) error {
	return f.change(id, func(s *ext) { s.name = name })
}

// SetMain names the fiber whose end ends the run: the others are killed then, in slot order.
// Without one, Run continues until every fiber has ended. Errors: ErrGone.
func (f Attachments) SetMain(id fiber.RegularID) error {
	return f.change(id.ID(), func(s *ext) { s.main = true })
}

// Cell is the join cell of a living fiber, for code that knows the fiber by ID only: the cell
// it was spawned with, or one made now. Errors: ErrGone; the result of a fiber that has ended
// is only in a cell that was requested before.
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

// change changes what lasts in a living fiber's extension record.
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

// Name is the fiber's name, or "".
func (f Inspect) Name(id fiber.ID) string {
	if h := f.core.find(id); h != nil {
		if s := f.core.reg.ext(h); s != nil {
			return s.name
		}
	}
	return ""
}
