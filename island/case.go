package island

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Receive is the case of a select that receives from a port. It belongs to the fiber that selects.
// The port may be mixed with local channels: a value that arrives is assigned to one fiber, whose
// other cases are withdrawn before it runs (I10).
type Receive[T any] struct {
	port  *Port[T]
	value T
	ok    bool
}

// RecvFrom makes the case; with a nil port it is disabled.
func RecvFrom[T any](p *Port[T]) *Receive[T] { return &Receive[T]{port: p} }

// Reset makes the case anew, for any port, and forgets the value.
func (r *Receive[T]) Reset(p *Port[T]) { *r = Receive[T]{port: p} }

// Value is what was received, and false if nothing will come any more (Port.Err). It is valid
// after a Select chose this case.
func (r *Receive[T]) Value() (T, bool) { return r.value, r.ok }

// Case makes it a wait.Case.
func (r *Receive[T]) Case() wait.CaseOps { return (*recvCase[T])(r) }

// recvCase is a Receive as package wait sees it.
type recvCase[T any] Receive[T]

// Source is the port, or nil.
func (r *recvCase[T]) Source() fiber.Source {
	if r.port == nil {
		return nil
	}
	return r.port.Source()
}

// Ready tells whether there is a value or the end.
func (r *recvCase[T]) Ready() bool { return r.port != nil && r.port.recvReady() }

// Commit receives.
func (r *recvCase[T]) Commit() (none fiber.Wakeup) {
	var status wait.Status
	r.value, status = r.port.TryRecv()
	r.ok = status == wait.Received
	return none
}

// MayPark has the errors of ParkRecv.
func (r *recvCase[T]) MayPark(t fiber.Ticket) error {
	if r.port == nil {
		return nil
	}
	return r.port.mayRecv(t)
}

// Park registers the receiver.
func (r *recvCase[T]) Park(t fiber.Ticket, tag uint32) {
	if r.port != nil {
		r.port.park(t, tag)
	}
}

// Collect takes the assigned value, or notes that none will come.
func (r *recvCase[T]) Collect(t fiber.Ticket, code fiber.Code) bool {
	r.value, r.ok = r.port.Collect(t)
	return r.ok || code == fiber.Closed
}

// Send is the case of a select that sends to a port. It belongs to the fiber that selects. The value
// is transferred when this case is chosen, and stays the fiber's if another one is.
type Send[T any] struct {
	sender *Sender[T]
	value  T
	err    error
}

// SendTo makes the case that sends v; with a nil sender it is disabled.
func SendTo[T any](s *Sender[T], v T) *Send[T] { return &Send[T]{sender: s, value: v} }

// Reset makes the case anew, for any sender and value.
func (c *Send[T]) Reset(s *Sender[T], v T) { *c = Send[T]{sender: s, value: v} }

// Err is nil if the value was sent, else Sender.Err. It is valid after a Select chose this
// case.
func (c *Send[T]) Err() error { return c.err }

// Case makes it a wait.Case.
func (c *Send[T]) Case() wait.CaseOps { return (*sendCase[T])(c) }

// sendCase is a Send as package wait sees it.
type sendCase[T any] Send[T]

// Source is the sender, or nil.
func (c *sendCase[T]) Source() fiber.Source {
	if c.sender == nil {
		return nil
	}
	return c.sender.Source()
}

// Ready tells whether the value would be sent, or refused, now.
func (c *sendCase[T]) Ready() bool { return c.sender != nil && c.sender.ready() }

// Commit sends.
func (c *sendCase[T]) Commit() (none fiber.Wakeup) {
	_, c.err = c.sender.TrySend(c.value)
	return none
}

// MayPark has the errors of ParkSend.
func (c *sendCase[T]) MayPark(t fiber.Ticket) error {
	if c.sender == nil {
		return nil
	}
	return c.sender.mayPark(t)
}

// Park registers the sender with its value.
func (c *sendCase[T]) Park(t fiber.Ticket, tag uint32) {
	if c.sender != nil {
		c.sender.park(t, c.value, tag)
	}
}

// Collect notes how the send ended. What was sent stays sent.
func (c *sendCase[T]) Collect(_ fiber.Ticket, code fiber.Code) bool {
	c.err = nil
	if code == fiber.Closed {
		c.err = c.sender.Err()
	}
	return true
}
