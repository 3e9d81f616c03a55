package scheduler

import "github.com/selvage-dev/selvage/fiber"

// Name is the fiber's name, or "".
func (f Inspect) Name(id fiber.ID) string {
	c := f.core
	if h := c.find(id); h != nil {
		if s := c.sideOf(h); s != nil {
			return s.name
		}
	}
	return ""
}

// SetName names a living fiber for reports.
func (f Attachments) SetName(id fiber.ID, name string) error {
	return f.note(id, func(s *side) { s.name = name })
}

// note changes what stays in a living fiber's side record until its death.
func (f Attachments) note(id fiber.ID, change func(*side)) error {
	c := f.core
	c.enter(OpNote)
	defer c.leave()
	h := c.find(id)
	if h == nil {
		return c.gone(id)
	}
	change(c.keepSide(h))
	return nil
}
