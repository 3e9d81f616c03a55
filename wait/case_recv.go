package wait

import "github.com/selvage-dev/selvage/fiber"

// Receive is the case of a select that receives.
type Receive[V any] struct {
	ch    *Chan[V]
	value V
	ok    bool
}

// RecvFrom makes a case that receives from the channel; on a nil channel it is disabled.
func RecvFrom[V any](ch *Chan[V]) *Receive[V] { return &Receive[V]{ch: ch} }

// Reset makes it a new case, of this channel or another, without the last value. A Select
// that has the case keeps it.
func (r *Receive[V]) Reset(ch *Chan[V]) { *r = Receive[V]{ch: ch} }

// Value is the value received; false if the channel was closed and drained. It has a
// meaning only after a Select chose this case.
func (r *Receive[V]) Value() (V, bool) { return r.value, r.ok }

// Case gives Select the operations.
func (r *Receive[V]) Case() CaseOps { return (*recvCase[V])(r) }

// recvCase is a Receive as Select sees it: the same memory, other methods.
type recvCase[V any] Receive[V]

// Source is the channel's, or nil.
func (r *recvCase[V]) Source() fiber.Source { return r.ch.Source() }

// Ready reports whether there is a value, or the channel is closed.
func (r *recvCase[V]) Ready() bool { return r.ch != nil && r.ch.recvReady() }

// Commit receives.
func (r *recvCase[V]) Commit() fiber.Wakeup {
	v, status, w := r.ch.TryRecv()
	r.value, r.ok = v, status == Received
	return w
}

// MayPark refuses what ParkRecv refuses.
func (r *recvCase[V]) MayPark(t fiber.Ticket) error {
	if r.ch == nil {
		return nil
	}
	return r.ch.mayRecv(t)
}

// Park registers the receiver.
func (r *recvCase[V]) Park(t fiber.Ticket, tag uint32) {
	var none V
	if r.ch != nil && !r.ch.recvs.Push(t, tag, none) {
		panic(r.ch.late("receive", t))
	}
}

// Collect takes the value assigned to the ticket, or notes that the channel is closed. It may have
// been closed after the wait ended, and the value taken back (ForfeitAll).
func (r *recvCase[V]) Collect(t fiber.Ticket, code fiber.Code) bool {
	r.value, r.ok = r.ch.Collect(t)
	return r.ok || code == fiber.Closed || r.ch.Closed()
}
