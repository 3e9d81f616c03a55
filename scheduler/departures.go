package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// joiner is what waits at the origin for the end of a fiber that has moved out.
type joiner struct {
	cell  *ioqueue.Cell
	ended func(any, error)
}

// departures are the joiners of the fibers that have moved out, by the ID the fiber had here.
type departures map[fiber.ID]joiner

func (d departures) has(id fiber.ID) bool {
	_, is := d[id]
	return is
}

// awaited tells whether any fiber waits for the end of one that has moved out.
func (d departures) awaited(sources *sourceTable) bool {
	for _, j := range d {
		if j.cell != nil && sources.has(j.cell.Source().Anchored()) {
			return true
		}
	}
	return false
}
