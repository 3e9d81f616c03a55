package actor

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/waitq"
	"github.com/selvage-dev/selvage/wait"
)

// Room is where the fibers of asynchronous actors wait with their messages until an inbox
// has room for them. The messages are appended to the queue in the order in which their
// senders came, as many after each turn as there are places then; while one waits, no
// other message is taken, so order is kept (I11).
//
//	err := cx.Send(to, msg)
//	if room := cx.Room(to); errors.Is(err, actor.ErrInboxFull) && room != nil {
//		t := sched.Arm(fiber.OnQueue(), room)
//		err = room.Park(t, cx, msg)
//		sched.Block()                     // woken with OK: the message is in the queue
//		                                  // with Failed: the sender has ended (ErrGone)
//	}
type Room[M any] struct {
	wait.Object
	waiting waitq.Queue[parked[M]]
	of      *actor[M]
	listed  bool // among System.rooms
}

// parked is a message that waits for room, and whose it is.
type parked[M any] struct {
	cx  *Context[M]
	msg M
}

// Room is where to wait until the receiver has room for a message; nil if its policy is
// not BlockSender, or it is no more.
func (cx *Context[M]) Room(to Handle) *Room[M] {
	a := cx.sys.actors.find(to)
	if a == nil || a.spec.Full != BlockSender {
		return nil
	}
	if a.room == nil {
		a.room = &Room[M]{of: a}
	}
	return a.room
}

// Park has a fiber that was refused wait with its message. Errors: wait.ErrReady, if there
// is room now, and wait.ErrForeign.
func (r *Room[M]) Park(t fiber.Ticket, cx *Context[M], msg M) error {
	switch {
	case !r.Anchored().Bind(t.Scheduler(), 0):
		return &wait.Error{Op: "wait", Object: r.Describe(), By: t.ID, Err: wait.ErrForeign}
	case r.of.hasRoom() || cx.dead:
		return &wait.Error{Op: "wait", Object: r.Describe(), By: t.ID, Err: wait.ErrReady}
	case !r.waiting.Push(t, 0, parked[M]{cx, msg}):
		panic(&wait.ContractError{Rule: rule.I11, Op: "wait", Object: r.Describe(), Ticket: t,
			Fix: "the ticket is zero or older than one parked here before; park right after its Arm"})
	}
	r.of.easy = 0
	if !r.listed {
		r.listed = true
		cx.sys.rooms = append(cx.sys.rooms, r)
	}
	return nil
}

// Withdraw removes one that gave up, with its message. That may let the next one in, but
// not before the end of a turn.
func (r *Room[M]) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	r.waiting.Withdraw(t)
	return dst
}

// Holds tells whether the ticket waits here.
func (r *Room[M]) Holds(t fiber.Ticket) bool { return r.waiting.Holds(t) }

// Describe is for reports: `room at a3.1 (waiting: 2)`.
func (r *Room[M]) Describe() string {
	return fmt.Sprintf("room at %v (waiting: %d)", r.of.self, r.waiting.Waiting())
}

// Holders appends the fiber of the receiver, which makes room by reading. A synchronous
// receiver has none; it makes room whenever there is a turn.
func (r *Room[M]) Holders(dst []fiber.ID) []fiber.ID {
	if id := r.of.cx.fiber; id != 0 && !r.of.cx.over {
		dst = append(dst, id)
	}
	return dst
}

// opens reports whether a sender that waits for room can have it.
func (s *System[M]) opens() bool {
	for _, r := range s.rooms {
		if r.opens() && s.queue.len() < s.opts.MaxQueue {
			return true
		}
	}
	return false
}

func (r *Room[M]) opens() bool { return r.waiting.AnyWaits() && r.of.places() > 0 }

// letIn appends a message that has waited, unless whose it is has ended meanwhile.
func (s *System[M]) letIn(a *actor[M], p parked[M]) fiber.Code {
	if p.cx.dead {
		return fiber.Failed
	}
	s.stats.Sent++
	s.enqueue(a, p.cx.self, p.msg)
	return fiber.OK
}

// openRooms appends as many messages as there is room for, and forgets rooms where no sender
// waits any more.
func (s *System[M]) openRooms() {
	still := s.rooms[:0]
	for _, r := range s.rooms {
		for r.opens() && s.queue.len() < s.opts.MaxQueue {
			t, _, p, _ := r.waiting.Pop()
			s.core.Apply(fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: s.letIn(r.of, p)}})
		}
		if r.listed = r.waiting.AnyWaits(); r.listed {
			still = append(still, r)
		} else {
			r.of.setEasy()
		}
	}
	clear(s.rooms[len(still):])
	s.rooms = still
}
