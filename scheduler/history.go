package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// record is one line of the history, as the hot path can afford to write it: two stores of four
// bytes, without a time and without the generation of the fiber.
type record struct {
	edge edge
	raw  uint32
}

// historyLen is how many transitions an error report can look back on. An observer relies on it
// too: a batch must not make more transitions without a report than the history holds (rule
// OBSERVED). It is a power of two, so the index needs no division.
const historyLen = 64

// Event is one past transition in an error report. Fiber names the slot, which an earlier fiber may
// have had at that time.
type Event struct {
	Op       Op
	Fiber    fiber.Raw
	From, To fiber.State
}

// event unpacks the record. An edge holds the state that it starts from and the bits to flip.
func (r record) event() Event {
	from := r.edge & stateMask
	to := from ^ r.edge>>flipShift
	return Event{Op: Op(r.edge >> opShift % op.Limit), Fiber: fiber.Raw(r.raw), From: fiber.State(from), To: fiber.State(to)}
}
