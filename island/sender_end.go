package island

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island/internal/relay"
	"github.com/selvage-dev/selvage/wait"
)

// Err is why nothing can be sent any more, in a *wait.Error: wait.ErrClosed, and a *DownError
// if the port's island is gone. It is nil while the port is open. The owner calls it. Cost: one load
// while the port is open; the port's lock and an allocation afterward.
func (s *Sender[T]) Err() error {
	if !s.closed && !s.link.closed() {
		return nil
	}
	return &wait.Error{Op: "send", Object: s.title(), Err: s.port.closedBy(s.closed)}
}

// OnClosed has the owner call f once, when the port is closed or its island gone; immediately,
// if it is already. Unlike a command this cannot be refused or lost, so a fiber learns from it
// that no receiver wants its values any more. After Close f is not called. The owner calls it,
// once.
func (s *Sender[T]) OnClosed(f func()) {
	s.onClosed = f
	s.notifyClosed()
}

// notifyClosed clears the hook before the call, because the hook may call the sender.
func (s *Sender[T]) notifyClosed() {
	if f := s.onClosed; f != nil && s.link.closed() && !s.closed && !s.endIsDeadlock() {
		s.onClosed = nil
		f()
	}
}

// endIsDeadlock tells whether the port is closed only because its island ends, in the deadlock
// that this island is part of. Then the fibers here stay as the report says.
func (s *Sender[T]) endIsDeadlock() bool { return s.island.deadlocked() && !s.closed }

// Close ends the sender: what it has sent will be received, and fibers that wait to send are
// refused. The owner calls it. Errors: wait.ErrClosed if it was called before.
func (s *Sender[T]) Close() error {
	if s.closed {
		return &wait.Error{Op: "close", Object: s.title(), Err: wait.ErrClosed}
	}
	s.close(nil)
	return nil
}

// close tells receivers the cause. Fibers that wait to send are refused last, by roomMade, when
// Err already says so; their values were never in the ring and stay theirs.
func (s *Sender[T]) close(cause error) {
	s.island.dropEnd(s)
	s.closeLink(cause)
	s.roomMade()
}

// closeLink is the part of close that touches no fiber of this island.
func (s *Sender[T]) closeLink(cause error) {
	s.closed = true
	s.link.closeSender(cause)
}

// down closes the sender because its island leaves.
func (s *Sender[T]) down() { s.closeLink(s.island.downError()) }

// Source is what a fiber arms before it parks: scheduler.Core.ArmOn(s.Source()).
func (s *Sender[T]) Source() fiber.Source { return (*senderSource[T])(s) }

// senderSource is a Sender as the scheduler, and a bridge, sees it.
type senderSource[T any] Sender[T]

var (
	_ fiber.Described = (*senderSource[int])(nil)
	_ relay.Sender    = (*senderSource[int])(nil)
)

// Anchored is the place for the scheduler's note.
func (s *senderSource[T]) Anchored() *fiber.Anchor { return &s.anchor }

// Withdraw removes a sending fiber; its value is not sent (I10). It wakes no other: a fiber behind
// it waits for room, of which there is none, or for the room signal, which is raised already.
func (s *senderSource[T]) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	s.waiting.Withdraw(t)
	return dst
}

// Holds tells whether the fiber waits here.
func (s *senderSource[T]) Holds(t fiber.Ticket) bool { return s.waiting.Holds(t) }

// Describe is for reports.
func (s *senderSource[T]) Describe() string {
	return fmt.Sprintf("%s (its %d values are not received yet, on %q; senders waiting: %d)",
		(*Sender[T])(s).title(), len(s.link.slots), s.port.island.Name(), s.waiting.Waiting())
}

// Holders appends none: the receivers are on another island.
func (s *senderSource[T]) Holders(dst []fiber.ID) []fiber.ID { return dst }

// OnRoom sets the bridge's hook.
func (s *senderSource[T]) OnRoom(f func()) { s.onRoom = f }

// AwaitRoom has it called once there is room.
func (s *senderSource[T]) AwaitRoom() { (*Sender[T])(s).awaitRoom() }

// CloseFor closes the sender for a bridge.
func (s *senderSource[T]) CloseFor(cause error) {
	if !s.closed {
		(*Sender[T])(s).close(cause)
	}
}
