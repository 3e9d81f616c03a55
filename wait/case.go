package wait

import "github.com/selvage-dev/selvage/fiber"

// Case is one alternative of a Select. RecvFrom, SendTo and Join are cases; a package
// with a waiting object of its own (a port) can add more. A case belongs to one fiber
// at a time and keeps the outcome of its last use until the next.
type Case interface {
	// Source is the object to wait on; nil if the case is disabled.
	Source() fiber.Source
	// Ready tells whether Commit would not block; false if the case is disabled.
	Ready() bool
	// Commit does it, now that it is ready, and returns whoever that wakes.
	Commit() fiber.Wakeup
	// MayPark is ErrForeign or ErrReady, in an *Error that names the object, if Park
	// must not be called; nil if the case is disabled.
	MayPark(t fiber.Ticket) error
	// Park registers the ticket with the tag, or does nothing if the case is disabled.
	// It cannot fail: Select has asked MayPark of every case before it parks any.
	Park(t fiber.Ticket, tag uint32)
	// Collect takes the outcome after this case ended the wait with the code. False:
	// nothing was assigned to the ticket, so it did not.
	Collect(t fiber.Ticket, code fiber.Code) bool
}

var (
	_ Case = (*Receive[int])(nil)
	_ Case = (*Send[int])(nil)
	_ Case = disabled{}
)

// Receive is the case of a select that receives.
type Receive[V any] struct {
	ch    *Chan[V]
	value V
	ok    bool
}

// RecvFrom makes the case; on a nil channel it is disabled.
func RecvFrom[V any](ch *Chan[V]) *Receive[V] { return &Receive[V]{ch: ch} }

// Reset makes the case anew, for a channel that may be another one, and forgets the
// last value.
func (r *Receive[V]) Reset(ch *Chan[V]) { *r = Receive[V]{ch: ch} }

// Value is what the case received, and false if the channel was closed and drained. It
// means something after a Select chose this case.
func (r *Receive[V]) Value() (V, bool) { return r.value, r.ok }

// Source is the channel, or nil.
func (r *Receive[V]) Source() fiber.Source { return sourceOf(r.ch) }

// Ready tells whether a value, or the end, is there.
func (r *Receive[V]) Ready() bool { return r.ch != nil && r.ch.recvReady() }

// Commit receives.
func (r *Receive[V]) Commit() fiber.Wakeup {
	v, status, w := r.ch.TryRecv()
	r.value, r.ok = v, status == Received
	return w
}

// MayPark refuses what ParkRecv refuses.
func (r *Receive[V]) MayPark(t fiber.Ticket) error {
	if r.ch == nil {
		return nil
	}
	return r.ch.mayRecv(t)
}

// Park registers the receiver.
func (r *Receive[V]) Park(t fiber.Ticket, tag uint32) {
	var none V
	if r.ch != nil && !r.ch.recvs.Push(t, tag, none) {
		panic(r.ch.late("receive", t))
	}
}

// Collect takes the value assigned to the ticket, or notes that the channel is closed.
func (r *Receive[V]) Collect(t fiber.Ticket, code fiber.Code) bool {
	r.value, r.ok = r.ch.Collect(t)
	return r.ok || code == fiber.Closed
}

// Send is the case of a select that sends.
type Send[V any] struct {
	ch    *Chan[V]
	value V
	err   error
}

// SendTo makes the case that sends v; on a nil channel it is disabled.
func SendTo[V any](ch *Chan[V], v V) *Send[V] { return &Send[V]{ch: ch, value: v} }

// Reset makes the case anew: another channel, another value.
func (s *Send[V]) Reset(ch *Chan[V], v V) { *s = Send[V]{ch: ch, value: v} }

// Err is nil if the value was accepted, else ErrClosed. It means something after a
// Select chose this case.
func (s *Send[V]) Err() error { return s.err }

// Source is the channel, or nil.
func (s *Send[V]) Source() fiber.Source { return sourceOf(s.ch) }

// Ready tells whether the value would be accepted, or refused, now.
func (s *Send[V]) Ready() bool { return s.ch != nil && s.ch.sendReady() }

// Commit sends.
func (s *Send[V]) Commit() fiber.Wakeup {
	_, w, err := s.ch.TrySend(s.value)
	s.err = err
	return w
}

// MayPark refuses what ParkSend refuses.
func (s *Send[V]) MayPark(t fiber.Ticket) error {
	if s.ch == nil {
		return nil
	}
	return s.ch.maySend(t)
}

// Park registers the sender with its value.
func (s *Send[V]) Park(t fiber.Ticket, tag uint32) {
	if s.ch != nil && !s.ch.sends.Push(t, tag, s.value) {
		panic(s.ch.late("send", t))
	}
}

// Collect notes how the send ended. What was accepted stays accepted, even if the
// channel was closed before this fiber ran.
func (s *Send[V]) Collect(_ fiber.Ticket, code fiber.Code) bool {
	s.err = nil
	if code == fiber.Closed {
		s.err = s.ch.Err()
	}
	return true
}

// sourceOf keeps a nil channel from becoming a Source that is not nil.
func sourceOf[V any](ch *Chan[V]) fiber.Source {
	if ch == nil {
		return nil
	}
	return ch
}

// disabled stands for a nil Case, so that the others keep their indices.
type disabled struct{}

func (disabled) Source() fiber.Source                  { return nil }
func (disabled) Ready() bool                           { return false }
func (disabled) Commit() fiber.Wakeup                  { return fiber.Wakeup{} }
func (disabled) MayPark(fiber.Ticket) error            { return nil }
func (disabled) Park(fiber.Ticket, uint32)             {}
func (disabled) Collect(fiber.Ticket, fiber.Code) bool { return false }
