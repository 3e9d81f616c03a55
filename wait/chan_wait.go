package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

var (
	_ fiber.Assigner  = (*Chan[int])(nil)
	_ fiber.Described = (*Chan[int])(nil)
)

// ParkSend registers a sender that TrySend has just told it would block. The wait ends
// with OK when v was accepted and with Closed when the channel was closed first (Err
// says so in words); until then v is the sender's and a withdrawal takes it back. The
// tag comes back as Result.Value. Errors: ErrForeign, and ErrReady if it would not block
// after all. On a nil channel it does nothing: the wait lasts for ever.
func (c *Chan[V]) ParkSend(t fiber.Ticket, v V, tag uint32) error {
	if c != nil && !c.sendReady() && c.belongs(t.Scheduler()) && c.sends.PushFirst(t, tag, v) {
		return nil
	}
	return c.parkSend(t, v, tag)
}

// parkSend is ParkSend where the sender is not the only one, or there is more to do.
func (c *Chan[V]) parkSend(t fiber.Ticket, v V, tag uint32) error {
	if c == nil {
		return nil
	}
	if err := c.maySend(t); err != nil {
		return err
	}
	if !c.sends.Push(t, tag, v) {
		panic(c.late("send", t))
	}
	return nil
}

// ParkRecv registers a receiver that TryRecv has just told it would block. The wait
// ends with OK when a value was assigned (Collect takes it) and with Closed when the
// channel was closed first. Tag, errors and nil as in ParkSend.
func (c *Chan[V]) ParkRecv(t fiber.Ticket, tag uint32) error {
	var none V
	if c != nil && !c.recvReady() && c.belongs(t.Scheduler()) && c.recvs.PushFirst(t, tag, none) {
		return nil
	}
	return c.parkRecv(t, tag)
}

// parkRecv is ParkRecv where the receiver is not the only one, or there is more to do.
func (c *Chan[V]) parkRecv(t fiber.Ticket, tag uint32) error {
	if c == nil {
		return nil
	}
	if err := c.mayRecv(t); err != nil {
		return err
	}
	var none V
	if !c.recvs.Push(t, tag, none) {
		panic(c.late("receive", t))
	}
	return nil
}

// maySend and mayRecv say why a ticket may not be parked. A select asks for all its
// cases before it parks any, because its own receive must not make its send on the same
// channel look ready.
func (c *Chan[V]) maySend(t fiber.Ticket) error {
	if c.sendReady() || !c.belongs(t.Scheduler()) {
		return c.noPark("send", t)
	}
	return nil
}

func (c *Chan[V]) mayRecv(t fiber.Ticket) error {
	if c.recvReady() || !c.belongs(t.Scheduler()) {
		return c.noPark("receive", t)
	}
	return nil
}

func (c *Chan[V]) noPark(op string, t fiber.Ticket) error {
	if !c.belongs(t.Scheduler()) {
		return c.refuse(op, t.ID, ErrForeign)
	}
	return c.refuse(op, t.ID, ErrReady)
}

func (c *Chan[V]) sendReady() bool {
	return c.closed || c.buf.n < c.capacity || c.recvs.AnyWaits()
}

func (c *Chan[V]) recvReady() bool {
	return c.closed || c.buf.n > 0 || c.sends.AnyWaits()
}

func (c *Chan[V]) late(op string, t fiber.Ticket) *ContractError {
	return outOfOrder(op, c.title(), t)
}

// Collect takes the value assigned to a receiver whose wait ended with OK. False: none
// was assigned (the wait ended otherwise, or it was a send).
func (c *Chan[V]) Collect(t fiber.Ticket) (v V, ok bool) {
	if c == nil {
		return v, false
	}
	v, _, ok = c.recvs.Collect(t)
	return v, ok
}

// Anchored is nil for a nil channel, which has no place for a note: do not name it as a
// source of a wait, the wait has none.
func (c *Chan[V]) Anchored() *fiber.Anchor {
	if c == nil {
		return nil
	}
	return c.Object.Anchored()
}

// Withdraw removes the ticket from both queues; the value of a parked sender is never
// delivered. Nobody can go on because of that: the buffer stays full or empty as it was.
func (c *Chan[V]) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if c == nil {
		return dst
	}
	if c.recvs.AnyWaits() {
		c.recvs.Withdraw(t)
	}
	if c.sends.AnyWaits() {
		c.sends.Withdraw(t)
	}
	return dst
}

// Holds tells whether a registration of the ticket waits here.
func (c *Chan[V]) Holds(t fiber.Ticket) bool {
	return c != nil && (c.recvs.Holds(t) || c.sends.Holds(t))
}

// Forfeit gives up the value assigned to a receiver that died before it collected: it
// is counted and handed to the hook (I12). It is not offered to another receiver, which
// would get it out of order.
func (c *Chan[V]) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if c == nil {
		return dst
	}
	if v, ok := c.recvs.Forfeit(t); ok {
		c.lost++
		if c.onLost != nil {
			c.onLost(v)
		}
	}
	return dst
}

// Describe is for reports: `chan "jobs" (2 of 4 buffered, 1 receiver and 0 senders wait)`.
func (c *Chan[V]) Describe() string {
	if c == nil {
		return c.title()
	}
	state := ""
	if c.closed {
		state = "closed, "
	}
	return fmt.Sprintf("%s (%s%d of %d buffered, receivers waiting: %d, senders waiting: %d)",
		c.title(), state, c.buf.n, c.capacity, c.recvs.Waiting(), c.sends.Waiting())
}

// Holders appends nobody: any fiber that has the channel could end a wait on it.
func (c *Chan[V]) Holders(dst []fiber.ID) []fiber.ID { return dst }
