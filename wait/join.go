package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Join waits for the result that a completion cell will hold: the end of a fiber, whose
// slot the cell outlives. Any number of fibers may join, before or after the end, and each
// as often as it likes: all read the same result. A time limit is the deadline of the
// reason.
//
// It is a small value without state of its own, and a Case, so a select can join. Make one
// with JoinOn; a wait on the zero Join never ends.
type Join struct{ cell *ioqueue.Cell }

// JoinOn makes a join on the cell for the fiber self (the root of its native chain).
// The error is ErrSelfJoin: only the end of self will complete the cell.
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

// Try reads the end, if the fiber has ended: either the value or the error it ended with,
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

// ParkJoin registers a fiber after Try has reported that it would block. The wait, armed
// with Case().Source(), ends with OK when the fiber ended; then Try reads the result.
// Errors: ErrForeign, and ErrReady if it has ended already.
func (j Join) ParkJoin(t fiber.Ticket, tag uint32) error {
	c := joinCase(j)
	if err := c.MayPark(t); err != nil {
		return err
	}
	c.Park(t, tag)
	return nil
}

// Case gives Select the operations.
func (j Join) Case() CaseOps { return joinCase(j) }

func (j Join) ended() bool { return j.cell != nil && j.cell.Completed() }

// failed reports whether it ended with an error. The failure stays unobserved.
func (j Join) failed() bool { return j.cell.Failed() }

// owner is the fiber that is to complete the cell; 0 if it is not known or has ended.
func (j Join) owner() fiber.ID {
	if j.cell == nil || j.cell.Completed() {
		return 0
	}
	return j.cell.Owner()
}

func (j Join) refuse(by fiber.ID, why error) *Error {
	return &Error{Op: "join", Object: j.title(), Owner: j.owner(), By: by, Err: why}
}

func (j Join) title() string { return j.cell.Source().(fiber.Described).Describe() }

// joinCase is a Join as Select sees it.
type joinCase Join

// Source is the cell's.
func (c joinCase) Source() fiber.Source {
	if c.cell == nil {
		return nil
	}
	return c.cell.Source()
}

// Ready reports whether the fiber has ended. Ready is not reading: a failure that is not
// read with Try stays unobserved.
func (c joinCase) Ready() bool { return Join(c).ended() }

// Commit does nothing: Try can read the end any number of times.
func (c joinCase) Commit() fiber.Wakeup { return fiber.Wakeup{} }

// MayPark refuses what ParkJoin refuses.
func (c joinCase) MayPark(t fiber.Ticket) error {
	switch j := Join(c); {
	case j.cell == nil:
		return nil
	case !j.cell.Source().Anchored().Bind(t.Scheduler(), 0):
		return j.refuse(t.ID, ErrForeign)
	case j.ended():
		return j.refuse(t.ID, ErrReady)
	}
	return nil
}

// Park registers the ticket with the tag.
func (c joinCase) Park(t fiber.Ticket, tag uint32) {
	if c.cell != nil && c.cell.Park(t, tag) != nil {
		panic(outOfOrder("join", Join(c).title(), t))
	}
}

// Collect reports whether the fiber has ended; Try reads the result.
func (c joinCase) Collect(fiber.Ticket, fiber.Code) bool { return Join(c).ended() }
