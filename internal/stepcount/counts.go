package stepcount

import "github.com/selvage-dev/selvage/fiber"

// Counts are the steps of the fibers of one scheduler, 16 bytes for each slot that has executed any. The zero value has
// none. One goroutine uses it.
type Counts struct {
	slots []count
}

type count struct {
	of    fiber.ID
	steps uint64
}

// Add adds steps that a fiber has executed. Steps of no fiber, with the ID 0, are left out.
func (c *Counts) Add(id fiber.ID, steps int64) {
	if id == 0 || steps <= 0 {
		return
	}
	slot := int(id.Index())
	for slot >= len(c.slots) {
		c.slots = append(c.slots, count{})
	}
	at := &c.slots[slot]
	if at.of != id {
		*at = count{of: id}
	}
	at.steps += uint64(steps)
}

// Of are the steps of a fiber so far; 0 after the next one in its slot has executed some.
func (c *Counts) Of(id fiber.ID) uint64 {
	if slot := int(id.Index()); slot < len(c.slots) && c.slots[slot].of == id {
		return c.slots[slot].steps
	}
	return 0
}
