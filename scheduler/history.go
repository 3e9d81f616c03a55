package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// record is one line of the history, as the hot path can afford to write it.
type record struct {
	edge edge
	raw  uint32
}

// historyLen is how many transitions an error report can look back on.
const historyLen = 64

// Event is one past transition in an error report.
type Event struct {
	Op       Op
	Fiber    fiber.Raw
	From, To fiber.State
}

func (r record) event() Event {
	from := r.edge & stateMask
	to := from ^ r.edge>>flipShift
	return Event{Op: Op(r.edge >> opShift % op.Limit), Fiber: fiber.Raw(r.raw), From: fiber.State(from), To: fiber.State(to)}
}
