package wait

import "github.com/selvage-dev/selvage/fiber"

// Send is the case of a select that sends.
type Send[V any] struct {
	ch    *Chan[V]
	value V
	err   error
}

// SendTo makes a case that sends v to the channel; on a nil channel it is disabled.
func SendTo[V any](ch *Chan[V], v V) *Send[V] { return &Send[V]{ch: ch, value: v} }

// Reset makes it a new case, of another channel and another value. A Select that has the
// case keeps it.
func (s *Send[V]) Reset(ch *Chan[V], v V) { *s = Send[V]{ch: ch, value: v} }

// Err is nil if the value was accepted, else ErrClosed. It has a meaning only after a
// Select chose this case.
func (s *Send[V]) Err() error { return s.err }

// Case gives Select the operations.
func (s *Send[V]) Case() CaseOps { return (*sendCase[V])(s) }

// sendCase is a Send as Select sees it: the same memory, other methods.
type sendCase[V any] Send[V]

// Source is the channel's, or nil.
func (s *sendCase[V]) Source() fiber.Source { return s.ch.Source() }

// Ready reports whether the value would be accepted, or refused, now.
func (s *sendCase[V]) Ready() bool { return s.ch != nil && s.ch.sendReady() }

// Commit sends.
func (s *sendCase[V]) Commit() fiber.Wakeup {
	_, w, err := s.ch.TrySend(s.value)
	s.err = err
	return w
}

// MayPark refuses what ParkSend refuses.
func (s *sendCase[V]) MayPark(t fiber.Ticket) error {
	if s.ch == nil {
		return nil
	}
	return s.ch.maySend(t)
}

// Park registers the sender with its value.
func (s *sendCase[V]) Park(t fiber.Ticket, tag uint32) {
	if s.ch != nil && !s.ch.sends.Push(t, tag, s.value) {
		panic(s.ch.late("send", t))
	}
}

// Collect notes how the send ended. A value that was accepted stays accepted, even if the
// channel was closed before this fiber ran.
func (s *sendCase[V]) Collect(_ fiber.Ticket, code fiber.Code) bool {
	s.err = nil
	if code == fiber.Closed {
		s.err = s.ch.Err()
	}
	return true
}
