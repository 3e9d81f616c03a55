package island

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

var (
	_ wait.Case = (*Receive[int])(nil)
	_ wait.Case = (*Send[int])(nil)
)

// Receive is the case of a select that receives from a port.
type Receive[T any] struct {
	port  *Port[T]
	value T
	ok    bool
}

// RecvFrom makes the case; with a nil port it is disabled.
func RecvFrom[T any](p *Port[T]) *Receive[T] { return &Receive[T]{port: p} }

// Reset makes the case anew, for a port that may be another one, and forgets the value.
func (r *Receive[T]) Reset(p *Port[T]) { *r = Receive[T]{port: p} }

// Value is what the case received, and false if nothing will come any more (Port.Err). It
// means something after a Select chose this case.
func (r *Receive[T]) Value() (T, bool) { return r.value, r.ok }

// Case gives Select the operations.
func (r *Receive[T]) Case() wait.CaseOps { return (*receiveCase[T])(r) }

// receiveCase is a Receive as Select sees it: the same memory, other methods.
type receiveCase[T any] Receive[T]

// Source is the port, or nil.
func (r *receiveCase[T]) Source() fiber.Source {
	if r.port == nil {
		return nil
	}
	return r.port
}

// Ready tells whether a value, or the end, is there.
func (r *receiveCase[T]) Ready() bool { return r.port != nil && r.port.recvReady() }

// Commit receives.
func (r *receiveCase[T]) Commit() (none fiber.Wakeup) {
	var status wait.Status
	r.value, status = r.port.TryRecv()
	r.ok = status == wait.Received
	return none
}

// MayPark refuses what ParkRecv refuses.
func (r *receiveCase[T]) MayPark(t fiber.Ticket) error {
	if r.port == nil {
		return nil
	}
	return r.port.mayRecv(t)
}

// Park registers the receiver.
func (r *receiveCase[T]) Park(t fiber.Ticket, tag uint32) {
	if r.port != nil {
		r.port.park(t, tag)
	}
}

// Collect takes the value assigned to the ticket, or notes that none will come.
func (r *receiveCase[T]) Collect(t fiber.Ticket, code fiber.Code) bool {
	r.value, r.ok = r.port.Collect(t)
	return r.ok || code == fiber.Closed
}

// Send is the case of a select that sends to a port.
type Send[T any] struct {
	sender *Sender[T]
	value  T
	err    error
}

// SendTo makes the case that sends v; with a nil sender it is disabled.
func SendTo[T any](s *Sender[T], v T) *Send[T] { return &Send[T]{sender: s, value: v} }

// Reset makes the case anew: another sender, another value.
func (c *Send[T]) Reset(s *Sender[T], v T) { *c = Send[T]{sender: s, value: v} }

// Err is nil if the value was sent, else Sender.Err. It means something after a Select
// chose this case.
func (c *Send[T]) Err() error { return c.err }

// Case gives Select the operations.
func (c *Send[T]) Case() wait.CaseOps { return (*sendCase[T])(c) }

// sendCase is a Send as Select sees it: the same memory, other methods.
type sendCase[T any] Send[T]

// Source is the sender, or nil.
func (c *sendCase[T]) Source() fiber.Source {
	if c.sender == nil {
		return nil
	}
	return c.sender
}

// Ready tells whether the value would be sent, or refused, now.
func (c *sendCase[T]) Ready() bool { return c.sender != nil && c.sender.ready() }

// Commit sends.
func (c *sendCase[T]) Commit() (none fiber.Wakeup) {
	_, c.err = c.sender.TrySend(c.value)
	return none
}

// MayPark refuses what ParkSend refuses.
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
