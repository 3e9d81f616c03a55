package island

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
	"github.com/selvage-dev/selvage/wait"
)

// Sender is one island's end of a port. Its fibers send through it in the order in which they
// come (I11), and what they send is received in that order. It holds as many values as the
// port's capacity; further sends wait (back-pressure). It belongs to the owner of its island.
//
// A send ends with OK when the value is in the ring shared with the port. From then on the
// value is received unless the port's island ends, whatever happens to the sending fiber. It
// ends with Closed when the port is closed or its island gone; Err says which.
type Sender[T any] struct {
	anchor fiber.Anchor
	island *Island
	// port belongs to the owner of another island. Only its immutable fields, and those under its
	// lock, may be used here.
	port     *Port[T]
	link     *link[T]
	transfer func(*T) T
	// waiting are the sending fibers, each with its value. The value is not transferred before it
	// is sent, so a fiber that is canceled or times out keeps it.
	waiting  waitq.Queue[T]
	closed   bool   // by Close, or because the island has left
	onRoom   func() // of a bridge: there may be room, or the port is closed
	onClosed func() // called once, when the port is closed
}

var _ portEnd = (*Sender[int])(nil)

// Dial opens a Sender on the island to the port of that name. The island's owner calls it.
// Errors: ErrUnknown if no port of this element type has the name, wait.ErrClosed, ErrSealed,
// ErrDown.
func Dial[T any](from *Island, name string) (*Sender[T], error) {
	given("Dial", from != nil, "the island that sends")
	p, err := findPort[T](from.reg, name)
	if err != nil {
		return nil, err
	}
	if from.stopping {
		return nil, from.downError()
	}
	s := &Sender[T]{island: from, port: p, link: newLink[T](from, p.island, p.capacity), transfer: p.transfer}
	// Written before the raise below, which makes them visible to the port's owner.
	s.link.news.handle = func() { p.handleLink(s.link) }
	s.link.room.handle = s.roomMade
	if err := p.admit(); err != nil {
		return nil, err
	}
	from.ends = append(from.ends, s)
	s.link.news.raise() // tells the port of the link
	// The port may have been closed before it learned of the link, and its island may have left, so
	// that nothing handles the signal any more. close sets closed before it handles its last
	// signals: either that handling, or this look, sees the other.
	if p.isClosed() {
		s.link.closePort()
	}
	return s, nil
}

// TrySend sends v if there is room and no other fiber waits for it. False without an error: it
// would block. The error is that of Err. In both cases the value is still the caller's. The owner
// calls it. Cost: one cache line moves to the other processor; a type without pointers needs no
// allocation.
func (s *Sender[T]) TrySend(v T) (ok bool, err error) {
	if err := s.Err(); err != nil {
		return false, err
	}
	if s.waiting.Waiting() > 0 || !s.put(v) {
		return false, s.Err()
	}
	return true, nil
}

// put transfers the value; if there is no room, it stays the sender's.
func (s *Sender[T]) put(v T) bool {
	if s.transfer != nil {
		return s.putTransferred(v)
	}
	return s.link.put(v)
}

// putTransferred is separate because &v makes v escape to the heap. It reserves the place first,
// because a Mover's value is gone after its transfer: a port that closes in between still receives
// it (I12). The transfer is code of the program, so it may panic; then nothing was sent.
func (s *Sender[T]) putTransferred(v T) bool {
	place := s.link.reserve()
	if place == nil {
		return false
	}
	transferred := false
	defer func() {
		if !transferred {
			s.link.cancel()
		}
	}()
	moved := s.transfer(&v)
	transferred = true
	s.link.fill(place, moved)
	return true
}

// ParkSend registers a sender, with its value, after TrySend would have blocked. The wait ends
// with OK when the value was sent, and with Closed when the port was closed first. The tag
// comes back as Result.Value. There may be room by now, unlike with a channel: then the wait
// ends at once. Error: wait.ErrForeign.
func (s *Sender[T]) ParkSend(t fiber.Ticket, v T, tag uint32) error {
	if err := s.mayPark(t); err != nil {
		return err
	}
	s.park(t, v, tag)
	return nil
}

// park registers a sender that mayPark has accepted. It asks for room afterward: the answer may come
// at once, and must find the fiber in the queue.
func (s *Sender[T]) park(t fiber.Ticket, v T, tag uint32) {
	if !s.waiting.Push(t, tag, v) {
		panic(staleParkError("send", s.title(), t))
	}
	s.awaitRoom()
}

// mayPark does not check for room: it may have been made since TrySend, by another goroutine. A
// fiber that parks although there is room is woken by the signal that awaitRoom raises.
func (s *Sender[T]) mayPark(t fiber.Ticket) error {
	if !s.anchor.Bind(t.Scheduler(), 0) || t.Scheduler() != s.island.addr.Island {
		return &wait.Error{Op: "send", Object: s.title(), By: t.ID, Err: wait.ErrForeign}
	}
	return nil
}

// ready tells whether TrySend would not block. With fibers waiting it would, even if there is room:
// those come first (I11).
func (s *Sender[T]) ready() bool {
	return s.closed || s.link.closed() || s.waiting.Waiting() == 0 && s.link.hasRoom()
}

// awaitRoom asks the port to raise the room signal. Room that was made before the port saw
// that is noticed here: wantsRoom is stored before the ring is looked at, and the port frees the
// slot before it loads wantsRoom (link). The signal may be raised by both, which is harmless.
func (s *Sender[T]) awaitRoom() {
	s.link.wantsRoom.Store(true)
	if s.link.hasRoom() || s.link.closed() {
		s.link.room.raise()
	}
}

// roomMade handles the room signal: it sends for the waiting fibers, oldest first, or tells
// them that the port is closed. A value that is sent here is on its way before its fiber is woken,
// so a fiber that is killed between the two has sent it.
func (s *Sender[T]) roomMade() {
	s.link.wantsRoom.Store(false)
	if s.island.left {
		return
	}
	if s.onRoom != nil {
		s.onRoom()
	}
	s.notifyClosed()
	for s.waiting.Waiting() > 0 {
		code := fiber.Closed
		if s.Err() == nil {
			if !s.link.hasRoom() {
				s.awaitRoom()
				return
			}
			code = fiber.OK
		}
		if code == fiber.Closed && s.endIsDeadlock() {
			return
		}
		t, tag, v, _ := s.waiting.Pop()
		if code == fiber.OK && !s.put(v) {
			code = fiber.Closed // at this moment
		}
		s.island.core.Apply(fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: code, Value: tag}})
	}
}

func (s *Sender[T]) title() string { return fmt.Sprintf("sender to port %q", s.port.name) }

// awaited is false for a port of the same island: its receivers are then fibers here, of which the
// scheduler's own verdict knows.
func (s *Sender[T]) awaited() bool { return s.waiting.Waiting() > 0 && s.port.island != s.island }

// dependsOn appends the port's island: only its fibers can make room.
func (s *Sender[T]) dependsOn(dst []*Island) ([]*Island, bool) {
	return append(dst, s.port.island), true
}
