package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// joiner is what waits at the origin for the end of a fiber that has moved out: both belong to
// the owner of the origin, so they stay here and do not move with the fiber. Either may be nil,
// not both.
type joiner struct {
	cell  *ioqueue.Cell
	ended func(any, error)
}

// departures are the joiners of the fibers that have moved out, by the ID the fiber had here. An
// entry is removed when this scheduler carries out the posted end, or when the fiber comes
// back. A fiber that nothing here waits for has no entry. The map is nil until the first move.
type departures map[fiber.ID]joiner

func (d departures) has(id fiber.ID) bool {
	_, is := d[id]
	return is
}

// awaited reports whether any fiber waits for the end of one that has moved out. The time is
// proportional to the entries: it is for the verdict, when nothing else can happen. A cell that
// is not completed is in the source table only while a fiber waits on it.
func (d departures) awaited(sources *sourceTable) bool {
	for _, j := range d {
		if j.cell != nil && sources.has(j.cell.Source().Anchored()) {
			return true
		}
	}
	return false
}
