package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// Chan is a channel between the fibers of one scheduler. Peers meet in order of
// arrival: a value goes to the receiver that has waited longest, whichever fiber runs now
// (I11).
//
// The zero Chan is unbuffered. A nil *Chan is Go's nil channel: a wait on it never ends,
// a select skips it, and Close is an error.
//
// Invariants, checked by the property test after every operation:
//   - the buffer never holds more than the capacity;
//   - a receiver waits only while the buffer is empty and the channel is open;
//   - a sender waits only while the buffer is full and the channel is open;
//   - a receiver and a sender wait at once only if they are one select.
type Chan[V any] struct {
	Object
	buf      buffer[V]
	capacity int
	closed   bool
	recvs    waitq.Queue[V] // waiting receivers; assigned: values they have not collected
	sends    waitq.Queue[V] // waiting senders, each with its value
	lost     uint64         // values given up because their receiver died
	onLost   func(V)
}

// NewChan makes a channel that buffers up to capacity values; 0 is a rendezvous. A
// negative capacity is the host's mistake and panics, so check a capacity that a guest
// chose. The buffer is allocated as it fills; a large capacity costs nothing by itself.
func NewChan[V any](capacity int) *Chan[V] {
	if capacity < 0 {
		panic(&ContractError{Rule: rule.ValidArgument, Op: "make", Object: "chan",
			Fix: fmt.Sprintf("capacity %d is negative; want 0 or more", capacity)})
	}
	return &Chan[V]{capacity: capacity}
}

// Len counts the buffered values: sent, and not assigned to a receiver yet.
func (c *Chan[V]) Len() int {
	if c == nil {
		return 0
	}
	return c.buf.n
}

// Cap is the number of values that the channel can buffer.
func (c *Chan[V]) Cap() int {
	if c == nil {
		return 0
	}
	return c.capacity
}

// Slot is the i-th place that the channel has allocated for a value: of the buffer, also where it is
// empty, then of values that were assigned to receivers and not collected. An empty place has
// the zero V; more is false behind the last. Hosts that count the memory of a guest use it.
func (c *Chan[V]) Slot(i int) (v V, more bool) {
	if i < len(c.buf.ring) {
		return c.buf.ring[i], true
	}
	return c.recvs.AssignedAt(i - len(c.buf.ring))
}

// Closed reports whether Close was called. Buffered values may still be there.
func (c *Chan[V]) Closed() bool { return c != nil && c.closed }

// Waiting counts the registrations that wait. A select counts once for each of its cases
// on this channel.
func (c *Chan[V]) Waiting() (receivers, senders int) {
	if c == nil {
		return 0, 0
	}
	return c.recvs.Waiting(), c.sends.Waiting()
}

// OnLost sets the hook that is given a value that was assigned to a receiver and cannot be
// collected (I12), because the receiver died, its wait ended otherwise before the wake-up was
// applied, or the owner of the channel took it back, so that what the value holds can be released. The hook must not use the channel.
func (c *Chan[V]) OnLost(hook func(V)) { c.onLost = hook }

// Err is the error of a send on the channel once it is closed, and nil while it is open.
// A host reports it when a parked send ended with Code Closed.
func (c *Chan[V]) Err() error {
	if c.Closed() {
		return c.refuse("send", 0, ErrClosed)
	}
	return nil
}

func (c *Chan[V]) refuse(op string, by fiber.ID, why error) *Error {
	return &Error{Op: op, Object: c.title(), By: by, Err: why}
}

func (c *Chan[V]) title() string {
	if c == nil {
		return "nil chan"
	}
	return c.label("chan")
}
