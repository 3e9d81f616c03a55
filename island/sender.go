package island

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
	"github.com/selvage-dev/selvage/wait"
)

// Sender is one island's end of a port: its fibers send through it, in the order in which
// they come (I11), and what they send is received in that order. It holds as many values
// as the port's capacity says; then they wait. It belongs to the owner of its island.
//
// A send ends with OK when the value is in the ring that it shares with the port: from
// then on it is received unless the port's island ends, whatever happens to the fiber that
// sent it. It ends with Closed when the port is closed, or its island gone; Err says which.
type Sender[T any] struct {
	wait.Object
	isle   *Island
	port   *Port[T]
	link   *link[T]
	pass   func(*T) T
	waits  waitq.Queue[T] // each with its value, not passed yet
	shut   bool           // Close was called, or the island has left
	onRoom func()         // told of room, or that there is no more to come
	onEnd  func()         // told once that the port is closed
}

var (
	_ fiber.Described = (*Sender[int])(nil)
	_ end             = (*Sender[int])(nil)
)

// Dial opens a Sender on the island to the port of that name. The island's owner calls it.
// Errors: ErrUnknown if no port of this element type has the name, wait.ErrClosed,
// ErrSealed, ErrDown.
func Dial[T any](from *Island, name string) (*Sender[T], error) {
	p, err := findPort[T](from.reg, name)
	if err != nil {
		return nil, err
	}
	if from.stopping {
		return nil, from.downError()
	}
	s := &Sender[T]{isle: from, port: p, link: newLink[T](from, p.isle, p.capacity), pass: p.pass}
	s.SetName(name)
	s.link.news.serve = func() { p.heard(s.link) }
	s.link.room.serve = s.roomMade
	if err := p.admit(); err != nil {
		return nil, err
	}
	from.ends = append(from.ends, s)
	s.link.news.ring() // so that the port knows of it
	if p.Closed() {
		s.link.shut() // it may have left without having heard
	}
	return s, nil
}

// TrySend sends v, if there is room and nobody waits for it. False without an error: it
// would block. The error is Err's.
func (s *Sender[T]) TrySend(v T) (ok bool, err error) {
	if err := s.Err(); err != nil {
		return false, err
	}
	if s.waits.Waiting() > 0 || !s.put(v) {
		return false, s.Err()
	}
	return true, nil
}

// put passes the value on; it stays the sender's if there is no room.
func (s *Sender[T]) put(v T) bool {
	if s.pass != nil {
		return s.passOn(v)
	}
	return s.link.put(v)
}

// passOn is apart because it has the value on the heap.
func (s *Sender[T]) passOn(v T) bool { return s.link.hasRoom() && s.link.put(s.pass(&v)) }

// ParkSend registers a sender that TrySend has just told it would block, with its value.
// The wait ends with OK when the value was sent and with Closed when the port was closed
// first. Error: wait.ErrForeign. Unlike a channel, it may have got room in between.
func (s *Sender[T]) ParkSend(t fiber.Ticket, v T, tag uint32) error {
	if err := s.mayPark(t); err != nil {
		return err
	}
	s.park(t, v, tag)
	return nil
}

func (s *Sender[T]) park(t fiber.Ticket, v T, tag uint32) {
	if !s.waits.Push(t, tag, v) {
		panic(late("send", s.title(), t))
	}
	s.watch()
}

// watch asks to be told of room. What was made meanwhile it tells itself.
func (s *Sender[T]) watch() {
	s.link.starved.Store(true)
	if s.link.hasRoom() || s.link.closed() {
		s.link.room.ring()
	}
}

// roomMade sends for those who wait, oldest first, or tells them that it is over.
func (s *Sender[T]) roomMade() {
	s.link.starved.Store(false)
	if s.isle.left {
		return
	}
	if s.onRoom != nil {
		s.onRoom()
	}
	s.noteEnd()
	for s.waits.Waiting() > 0 {
		code := fiber.Closed
		if s.Err() == nil {
			if !s.link.hasRoom() {
				s.watch()
				return
			}
			code = fiber.OK
		}
		if code == fiber.Closed && s.outlived() {
			return
		}
		t, tag, v, _ := s.waits.Pop()
		if code == fiber.OK && !s.put(v) {
			code = fiber.Closed // in this very moment
		}
		s.isle.core.Apply(fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: code, Value: tag}})
	}
}

// Err is why nothing can be sent any more: in an *wait.Error, wait.ErrClosed, or a
// *DownError of the island that is gone; nil while something can.
func (s *Sender[T]) Err() error {
	switch {
	case s.shut || s.link.closed():
		return &wait.Error{Op: "send", Object: s.title(), Err: s.port.closedBy(s.shut)}
	}
	return nil
}

// OnClosed has f called by the owner, once, when the port is closed or its island gone: at
// once if it is already. Nothing can keep that from coming, unlike a command, so it is how
// to learn that nobody waits any more for what this Sender is to bring. After Close there is
// no call. The owner calls it, once.
func (s *Sender[T]) OnClosed(f func()) {
	s.onEnd = f
	s.noteEnd()
}

func (s *Sender[T]) noteEnd() {
	if f := s.onEnd; f != nil && s.link.closed() && !s.shut && !s.outlived() {
		s.onEnd = nil
		f()
	}
}

// outlived tells whether the end of the port is no news to this island: the port's island ends
// because both are in the same deadlock.
func (s *Sender[T]) outlived() bool { return s.isle.deadlocked() && !s.shut }

// Close ends this sender: what it has sent will be received, those who wait in it are
// refused. Errors: wait.ErrClosed if it was called before.
func (s *Sender[T]) Close() error {
	if s.shut {
		return &wait.Error{Op: "close", Object: s.title(), Err: wait.ErrClosed}
	}
	s.finish(nil)
	return nil
}

// finish closes it for a cause that receivers are told.
func (s *Sender[T]) finish(cause error) {
	s.isle.dropEnd(s)
	s.end(cause)
	s.roomMade()
}

func (s *Sender[T]) end(cause error) {
	s.shut = true
	s.link.finish(cause)
}

func (s *Sender[T]) down() { s.end(s.isle.downError()) }

// Withdraw removes the ticket; its value is not sent.
func (s *Sender[T]) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	s.waits.Withdraw(t)
	return dst
}

// Holds tells whether the ticket waits here.
func (s *Sender[T]) Holds(t fiber.Ticket) bool { return s.waits.Holds(t) }

// Waiting counts the registrations that wait.
func (s *Sender[T]) Waiting() int { return s.waits.Waiting() }

// Describe is for reports.
func (s *Sender[T]) Describe() string {
	return fmt.Sprintf("%s (its %d values are not received yet, on %q; senders waiting: %d)",
		s.title(), len(s.link.places), s.port.isle.Name(), s.Waiting())
}

// Holders appends nobody: whoever receives is on another island.
func (s *Sender[T]) Holders(dst []fiber.ID) []fiber.ID { return dst }

func (s *Sender[T]) title() string { return fmt.Sprintf("sender to port %q", s.Name()) }

func (s *Sender[T]) awaited() bool { return s.waits.Waiting() > 0 && s.port.isle != s.isle }

func (s *Sender[T]) upon(dst []*Island) ([]*Island, bool) { return append(dst, s.port.isle), true }

// mayPark does not mind room that was made since TrySend: the sender is told of it.
func (s *Sender[T]) mayPark(t fiber.Ticket) error {
	if !s.Anchored().Bind(t.Scheduler(), 0) || t.Scheduler() != s.isle.Number() {
		return &wait.Error{Op: "send", Object: s.title(), By: t.ID, Err: wait.ErrForeign}
	}
	return nil
}

func (s *Sender[T]) ready() bool {
	return s.shut || s.link.closed() || s.waits.Waiting() == 0 && s.link.hasRoom()
}
