package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Join waits for what a completion cell will hold: the end of a fiber, whose slot the
// cell outlives. Any number of fibers may join, before or after the end, and each as
// often as it likes: all read the same. A time limit is the deadline of the reason.
//
// It is a small value that keeps nothing of its own, and a Case, so a select can join.
// Make one with JoinOn; the zero Join waits for ever.
type Join struct{ cell *ioqueue.Cell }

var _ Case = Join{}

// JoinOn makes a join on the cell for the fiber self (the root of its native chain).
// The error is ErrSelfJoin: the cell is to be completed by self's own end.
func JoinOn(cell *ioqueue.Cell, self fiber.ID) (Join, error) {
	if cell == nil {
		panic(&ContractError{Rule: rule.ValidArgument, Op: "join", Object: "no cell",
			Fix: "ask for a join cell when the fiber is spawned"})
	}
	j := Join{cell}
	if owner := j.owner(); owner != 0 && owner == self {
		return Join{}, j.refuse(self, ErrSelfJoin)
	}
	return j, nil
}

// Try reads the end, if it came: either the value or the error the fiber ended with,
// never both. Done false: it would block.
func (j Join) Try() (value any, done bool, err error) {
	if j.cell == nil {
		return nil, false, nil
	}
	value, err, done = j.cell.Result()
	if err != nil {
		value = nil
	}
	return value, done, err
}

// ParkJoin registers a fiber that Try has just told it would block. The wait ends with
// OK when the end came; then Try reads it. Errors: ErrForeign, and ErrReady if the end
// is there already.
func (j Join) ParkJoin(t fiber.Ticket, tag uint32) error {
	if err := j.MayPark(t); err != nil {
		return err
	}
	j.Park(t, tag)
	return nil
}

// MayPark refuses what ParkJoin refuses.
func (j Join) MayPark(t fiber.Ticket) error {
	switch {
	case j.cell == nil:
		return nil
	case !j.cell.Bind(t.Scheduler()):
		return j.refuse(t.ID, ErrForeign)
	case j.Ready():
		return j.refuse(t.ID, ErrReady)
	}
	return nil
}

// Source is the cell.
func (j Join) Source() fiber.Source {
	if j.cell == nil {
		return nil
	}
	return j.cell
}

// Ready tells whether the end came. Asking is not reading: a failure that nobody reads
// stays unobserved.
func (j Join) Ready() bool { return j.cell != nil && j.cell.Completed() }

// Commit does nothing: reading the end, with Try, takes nothing away.
func (j Join) Commit() fiber.Wakeup { return fiber.Wakeup{} }

// Park registers the ticket for a Select, which has asked what ParkJoin asks.
func (j Join) Park(t fiber.Ticket, tag uint32) {
	if j.cell != nil && j.cell.Park(t, tag) != nil {
		panic(outOfOrder("join", j.cell.Describe(), t))
	}
}

// Collect tells whether the end came; Try reads it.
func (j Join) Collect(fiber.Ticket, fiber.Code) bool { return j.Ready() }

// failed tells whether it ended with an error. Asking is not reading.
func (j Join) failed() bool { return j.cell.Failed() }

// holders appends the fiber that is to complete the cell, if it is named and has not.
func (j Join) holders(dst []fiber.ID) []fiber.ID {
	if j.cell == nil {
		return dst
	}
	return j.cell.Holders(dst)
}

// owner is the fiber that is to complete the cell, 0 if nobody is named or it has.
func (j Join) owner() fiber.ID {
	var one [1]fiber.ID
	if holders := j.holders(one[:0]); len(holders) > 0 {
		return holders[0]
	}
	return 0
}

func (j Join) refuse(by fiber.ID, why error) *Error {
	return &Error{Op: "join", Object: j.cell.Describe(), Owner: j.owner(), By: by, Err: why}
}
