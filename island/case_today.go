package island

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Receive and Send are wait.Cases themselves, by the methods of recvCase and sendCase.
var (
	_ wait.Case = (*Receive[int])(nil)
	_ wait.Case = (*Send[int])(nil)
)

// Source is the port, or nil.
func (r *Receive[T]) Source() fiber.Source { return (*recvCase[T])(r).Source() }

// Ready tells whether there is a value or the end.
func (r *Receive[T]) Ready() bool { return (*recvCase[T])(r).Ready() }

// Commit receives.
func (r *Receive[T]) Commit() fiber.Wakeup { return (*recvCase[T])(r).Commit() }

// MayPark has the errors of ParkRecv.
func (r *Receive[T]) MayPark(t fiber.Ticket) error { return (*recvCase[T])(r).MayPark(t) }

// Park registers the receiver.
func (r *Receive[T]) Park(t fiber.Ticket, tag uint32) { (*recvCase[T])(r).Park(t, tag) }

// Collect takes the assigned value, or notes that none will come.
func (r *Receive[T]) Collect(t fiber.Ticket, c fiber.Code) bool {
	return (*recvCase[T])(r).Collect(t, c)
}

// Source is the sender, or nil.
func (c *Send[T]) Source() fiber.Source { return (*sendCase[T])(c).Source() }

// Ready tells whether the value would be sent, or refused, now.
func (c *Send[T]) Ready() bool { return (*sendCase[T])(c).Ready() }

// Commit sends.
func (c *Send[T]) Commit() fiber.Wakeup { return (*sendCase[T])(c).Commit() }

// MayPark has the errors of ParkSend.
func (c *Send[T]) MayPark(t fiber.Ticket) error { return (*sendCase[T])(c).MayPark(t) }

// Park registers the sender with its value.
func (c *Send[T]) Park(t fiber.Ticket, tag uint32) { (*sendCase[T])(c).Park(t, tag) }

// Collect notes how the send ended.
func (c *Send[T]) Collect(t fiber.Ticket, code fiber.Code) bool {
	return (*sendCase[T])(c).Collect(t, code)
}
