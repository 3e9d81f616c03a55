package wait

import "github.com/selvage-dev/selvage/fiber"

// Status is what TryRecv found.
type Status uint8

const (
	// Empty: there is no value; a receive would block.
	Empty Status = iota
	// Received: there was a value, which may be the zero value.
	Received
	// Closed: the channel is closed and drained; no value will follow.
	Closed
)

var statusNames = [...]string{"empty", "received", "closed"}

// String is the lower-case name.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "invalid status"
}

// TrySend assigns v to the receiver that has waited longest, or buffers it. False without
// an error: it would block. The error is ErrClosed. The receiver in the wakeup, if any,
// owns v from now on; deliver the wakeup before the next operation.
func (c *Chan[V]) TrySend(v V) (ok bool, w fiber.Wakeup, err error) {
	if c == nil {
		return false, w, nil
	}
	if c.recvs.AnyWaits() { // no receiver waits on a closed channel
		t, tag, only := c.recvs.MatchOnly(v)
		if !only {
			t, tag, _ = c.recvs.Match(v)
		}
		return true, c.met(t, tag, c.sends.AnyWaits()), nil
	}
	switch {
	case c.closed:
		return false, w, c.refuse("send", 0, ErrClosed)
	case c.buf.n < c.capacity:
		c.buf.push(v, c.capacity)
		return true, w, nil
	}
	return false, w, nil
}

// TryRecv takes the oldest value, if there is one. A closed channel gives its buffered
// values first. The sender in the wakeup, if any, was parked, and its value was accepted:
// into the buffer, or it is v. Deliver the wakeup before the next operation.
func (c *Chan[V]) TryRecv() (v V, status Status, w fiber.Wakeup) {
	if c == nil {
		return v, Empty, w
	}
	if c.buf.n > 0 {
		v, w = c.recvBuffered()
		return v, Received, w
	}
	if c.sends.AnyWaits() {
		sender, tag, v, only := c.sends.PopOnly()
		if !only {
			sender, tag, v, _ = c.sends.Pop()
		}
		return v, Received, c.met(sender, tag, c.recvs.AnyWaits())
	}
	if c.closed {
		status = Closed
	}
	return v, status, w
}

// recvBuffered takes the oldest value out of the buffer and buffers the value of the
// sender that has waited longest, if a sender waits.
func (c *Chan[V]) recvBuffered() (v V, w fiber.Wakeup) {
	v = c.buf.pop()
	sender, tag, next, ok := c.sends.Pop()
	if !ok {
		return v, w
	}
	c.buf.push(next, c.capacity)
	return v, c.met(sender, tag, c.recvs.AnyWaits())
}

// met is the wakeup of a ticket that left its queue. If the opposite queue is not empty,
// the ticket may be in that one too: a select can both send and receive here. Then the
// wakeup must not promise (From) that the channel holds no registration of the ticket.
func (c *Chan[V]) met(t fiber.Ticket, tag uint32, opposite bool) fiber.Wakeup {
	w := c.woken(t, fiber.OK, tag)
	if opposite {
		w.From = 0
	}
	return w
}

// Close ends the channel: later sends fail, and receivers drain the buffer and then read
// Closed. It appends to dst the parked receivers and then the parked senders, all with
// Code Closed. The value of a parked sender is dropped here; a value that was assigned or
// accepted before stays so. Errors: ErrClosed, ErrNilChan; dst is then unchanged.
func (c *Chan[V]) Close(dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	switch {
	case c == nil:
		return dst, c.refuse("close", 0, ErrNilChan)
	case c.closed:
		return dst, c.refuse("close", 0, ErrClosed)
	}
	c.closed = true
	for t, tag, _, ok := c.recvs.Pop(); ok; t, tag, _, ok = c.recvs.Pop() {
		c.sends.Withdraw(t) // a select that also sends here is woken once
		dst = append(dst, c.woken(t, fiber.Closed, tag))
	}
	for t, tag, _, ok := c.sends.Pop(); ok; t, tag, _, ok = c.sends.Pop() {
		dst = append(dst, c.woken(t, fiber.Closed, tag))
	}
	return dst, nil
}
