package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// Entry is one transition in the history, as the hot path can afford to write it: two stores of four
// bytes, without a time and without the generation of the fiber.
type Entry struct {
	edge edge
	raw  uint32
}

// Op is the operation that made the transition.
func (e Entry) Op() Op { return Op(e.edge >> opShift % op.Limit) }

// Fiber is the slot of the fiber or native call that changed its state. An earlier or later fiber of the slot is not
// told apart.
func (e Entry) Fiber() fiber.Raw { return fiber.Raw(e.raw) }

// From is the state before the transition.
func (e Entry) From() fiber.State { return fiber.State(e.edge & stateMask) }

// To is the state after it.
func (e Entry) To() fiber.State { return fiber.State(e.edge&stateMask ^ e.edge>>flipShift) }

// Detached reports that no fiber was current: an end of a fiber or something from outside made the
// transition. A fast path does not report it.
func (e Entry) Detached() bool { return e.edge&detached != 0 }

// historyLen is how many transitions are kept, for error reports and for Config.Record. An observer relies on it
// too: a batch must not make more transitions without a report than the history holds (rule
// OBSERVED). It is a power of two, so the index needs no division.
const historyLen = 128

// reportedLen is how many of them an error report shows.
const reportedLen = 64

// Event is one past transition in an error report. Fiber names the slot, which an earlier fiber may
// have had at that time.
type Event struct {
	Op       Op
	Fiber    fiber.Raw
	From, To fiber.State
}

// detached is set in the edge of an entry that passSlow has written while no fiber was current. No edge has
// this bit.
const detached word = 1 << 7

// event unpacks the entry.
func (e Entry) event() Event {
	return Event{Op: e.Op(), Fiber: e.Fiber(), From: e.From(), To: e.To()}
}
