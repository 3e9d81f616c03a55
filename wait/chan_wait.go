package wait

import "github.com/selvage-dev/selvage/fiber"

// ParkSend registers a sender after TrySend has reported that it would block. The wait
// ends with OK when v was accepted, and with Closed when the channel was closed first; then
// Err is the error to report. Until the wait ends v belongs to the sender, and a withdrawal
// takes it back. The tag comes back as Result.Value. Errors: ErrForeign, and ErrReady if it
// would not block after all. On a nil channel it does nothing: the wait never ends.
func (c *Chan[V]) ParkSend(t fiber.Ticket, v V, tag uint32) error {
	if c != nil && !c.sendReady() && c.belongs(t.Scheduler()) && c.sends.PushFirst(t, tag, v) {
		return nil
	}
	return c.parkSendSlow(t, v, tag)
}

// parkSendSlow is ParkSend for a sender that is not the first in the queue, and for all
// refusals.
func (c *Chan[V]) parkSendSlow(t fiber.Ticket, v V, tag uint32) error {
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

// ParkRecv registers a receiver after TryRecv has reported that it would block. The wait
// ends with OK when a value was assigned (Collect takes it), and with Closed when the
// channel was closed first. Tag, errors and nil as in ParkSend.
func (c *Chan[V]) ParkRecv(t fiber.Ticket, tag uint32) error {
	var none V
	if c != nil && !c.recvReady() && c.belongs(t.Scheduler()) && c.recvs.PushFirst(t, tag, none) {
		return nil
	}
	return c.parkRecvSlow(t, tag)
}

// parkRecvSlow is ParkRecv for a receiver that is not the first in the queue, and for all
// refusals.
func (c *Chan[V]) parkRecvSlow(t fiber.Ticket, tag uint32) error {
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

// maySend and mayRecv return why a ticket may not be parked. A select calls them for all
// its cases before it parks the first, because its own parked receive must not make its
// send on the same channel look ready.
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
// was assigned (the wait ended otherwise, or it was a send), or the owner of the channel took it
// back and closed the channel.
func (c *Chan[V]) Collect(t fiber.Ticket) (v V, ok bool) {
	if c == nil {
		return v, false
	}
	v, _, ok = c.recvs.Collect(t)
	return v, ok
}
