package wait

import "github.com/selvage-dev/selvage/fiber"

// Case is one alternative of a Select: RecvFrom, SendTo, a Join or a Timer. A package with
// a waiting object of its own (a port) can add more. A case belongs to one fiber at a time
// and keeps the outcome of its last use until the next.
type Case interface {
	// Case gives the operations. Select asks for them once, when it is given the case.
	Case() CaseOps
}

// CaseOps are the operations that Select needs of a case. Every method must accept a case
// that is disabled, as one on a nil channel is: it is never ready and registers nothing.
type CaseOps interface {
	// Source is the object to wait on; nil if the case is disabled.
	Source() fiber.Source
	// Ready reports whether Commit would not block.
	Ready() bool
	// Commit does the operation, which is ready, and returns the wakeup it decided.
	Commit() fiber.Wakeup
	// MayPark is nil if Park may be called; else ErrForeign or ErrReady, in an *Error that
	// names the object.
	MayPark(t fiber.Ticket) error
	// Park registers the ticket with the tag. It cannot fail: Select calls MayPark of every
	// case before it parks the first.
	Park(t fiber.Ticket, tag uint32)
	// Collect takes the outcome after this case ended the wait with the code. False:
	// nothing was assigned to the ticket, so this case did not end it.
	Collect(t fiber.Ticket, code fiber.Code) bool
}

var (
	_ Case = (*Receive[int])(nil)
	_ Case = (*Send[int])(nil)
	_ Case = Join{}
	_ Case = (*Timer)(nil)
)

// disabled stands for a nil Case, so that the other cases keep their indices.
type disabled struct{}

func (disabled) Source() fiber.Source                  { return nil }
func (disabled) Ready() bool                           { return false }
func (disabled) Commit() fiber.Wakeup                  { return fiber.Wakeup{} }
func (disabled) MayPark(fiber.Ticket) error            { return nil }
func (disabled) Park(fiber.Ticket, uint32)             {}
func (disabled) Collect(fiber.Ticket, fiber.Code) bool { return false }
