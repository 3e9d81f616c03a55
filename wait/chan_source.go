package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// chanSource is a Chan as the scheduler sees it: the same memory, other methods.
type chanSource[V any] Chan[V]

var (
	_ fiber.Assigner  = (*chanSource[int])(nil)
	_ fiber.Described = (*chanSource[int])(nil)
)

// Source is what a wait on the channel is armed with. It is nil for a nil channel: a wait
// on that has no source and never ends.
func (c *Chan[V]) Source() fiber.Source {
	if c == nil {
		return nil
	}
	return (*chanSource[V])(c)
}

// Withdraw removes the ticket from both queues; the value of a parked sender is never
// delivered. The buffer stays as full or empty as it was, so no other fiber can continue
// because of that.
func (src *chanSource[V]) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if src.recvs.AnyWaits() {
		src.recvs.Withdraw(t)
	}
	if src.sends.AnyWaits() {
		src.sends.Withdraw(t)
	}
	return dst
}

// Holds reports whether a registration of the ticket waits here.
func (src *chanSource[V]) Holds(t fiber.Ticket) bool {
	return src.recvs.Holds(t) || src.sends.Holds(t)
}

// Forfeit gives up the value assigned to a receiver that died before it collected: it is
// counted and passed to the hook (I12). It is not offered to another receiver, because
// that would change the order of the values.
func (src *chanSource[V]) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	v, ok := src.recvs.Forfeit(t)
	if ok {
		src.lose(v)
	}
	return dst, ok
}

// ForfeitAll gives up every value that is assigned and not collected, the oldest first, as Forfeit
// does. The owner of the channel calls it before it takes the buffered values and closes the
// channel: a receiver that lives then finds the channel closed.
func (src *chanSource[V]) ForfeitAll() {
	for v, ok := src.recvs.ForfeitOldest(); ok; v, ok = src.recvs.ForfeitOldest() {
		src.lose(v)
	}
}

func (src *chanSource[V]) lose(v V) {
	src.lost++
	if src.onLost != nil {
		src.onLost(v)
	}
}

// Describe is for reports:
// `chan "jobs" (2 of 4 buffered, receivers waiting: 1, senders waiting: 0)`.
func (src *chanSource[V]) Describe() string {
	c := (*Chan[V])(src)
	state := ""
	if c.closed {
		state = "closed, "
	}
	return fmt.Sprintf("%s (%s%d of %d buffered, receivers waiting: %d, senders waiting: %d)",
		c.title(), state, c.buf.n, c.capacity, c.recvs.Waiting(), c.sends.Waiting())
}

// Holders appends no fiber: any fiber that has the channel could end a wait on it.
func (src *chanSource[V]) Holders(dst []fiber.ID) []fiber.ID { return dst }
