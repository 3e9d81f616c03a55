package actor

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/waitq"
	"github.com/selvage-dev/selvage/wait"
)

// room is where fibers wait with their messages until an inbox has room for them. The
// messages are appended to the queue in the order in which their senders came, as many after
// each turn as there are free places; while one waits, no other message is accepted, so no
// sender is overtaken (I11).
type room[M any] struct {
	wait.Object
	waiting waitq.Queue[parked[M]]
	of      *actor[M]
	listed  bool // among System.rooms
}

// parked is a message that waits for room, and its sender.
type parked[M any] struct {
	cx  *Context[M]
	msg M
}

// Room returns the source of a wait for room in the receiver's inbox; nil if the receiver's
// policy is not BlockSender, or the receiver has ended. goactor.Send is this wait for a
// stackful.Fiber; a host with other fibers writes
//
//	err := cx.Send(to, msg)
//	if room := cx.Room(to); errors.Is(err, actor.ErrInboxFull) && room != nil {
//		t := sched.Arm(fiber.OnQueue(), room)
//		err = cx.Park(t, to, msg)
//		sched.Block()                     // woken with OK: the message is in the queue
//		                                  // with Failed: the sender has ended (ErrGone)
//	}
func (cx *Context[M]) Room(to Handle) fiber.Source {
	a := cx.sys.actors.find(to)
	if a == nil || a.spec.Full != BlockSender {
		return nil
	}
	if a.room == nil {
		a.room = &room[M]{of: a}
	}
	return a.room
}

// Park registers a ticket, armed with Room(to), and its message with the receiver's inbox.
// Errors: wait.ErrReady, if there is room now or the receiver has ended, and
// wait.ErrForeign.
func (cx *Context[M]) Park(t fiber.Ticket, to Handle, msg M) error {
	a := cx.sys.actors.find(to)
	if a == nil || a.room == nil {
		return &wait.Error{Op: "wait", Object: fmt.Sprintf("room at %v", to), By: t.ID, Err: wait.ErrReady}
	}
	r := a.room
	switch {
	case !r.Anchored().Bind(t.Scheduler(), 0):
		return &wait.Error{Op: "wait", Object: r.Describe(), By: t.ID, Err: wait.ErrForeign}
	case a.hasRoom() || cx.dead:
		return &wait.Error{Op: "wait", Object: r.Describe(), By: t.ID, Err: wait.ErrReady}
	case !r.waiting.Push(t, 0, parked[M]{cx, msg}):
		panic(&wait.ContractError{Rule: rule.I11, Op: "wait", Object: r.Describe(), Ticket: t,
			Fix: "the ticket is zero or older than one parked here before; park right after its Arm"})
	}
	a.easy = 0
	if !r.listed {
		r.listed = true
		cx.sys.rooms = append(cx.sys.rooms, r)
	}
	return nil
}

// Withdraw removes a sender that no longer waits, with its message (I10). The next sender may then
// have room, which is checked at the end of a turn.
func (r *room[M]) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	r.waiting.Withdraw(t)
	return dst
}

// Holds tells whether the ticket waits here.
func (r *room[M]) Holds(t fiber.Ticket) bool { return r.waiting.Holds(t) }

// Describe is for reports: `room at a3.1 (waiting: 2)`.
func (r *room[M]) Describe() string {
	return fmt.Sprintf("room at %v (waiting: %d)", r.of.self, r.waiting.Waiting())
}

// Holders appends the fiber of the receiver, which makes room by reading. A synchronous
// receiver has none; it makes room whenever there is a turn.
func (r *room[M]) Holders(dst []fiber.ID) []fiber.ID {
	if id := r.of.cx.fiber; id != 0 && !r.of.cx.over {
		dst = append(dst, id)
	}
	return dst
}

// opens tells whether a waiter for room can have it now.
func (s *System[M]) opens() bool {
	for _, r := range s.rooms {
		if r.opens() && s.queue.len() < s.opts.MaxQueue {
			return true
		}
	}
	return false
}

func (r *room[M]) opens() bool { return r.waiting.AnyWaits() && r.of.places() > 0 }

// letIn appends a message that has waited, unless whose it is has ended meanwhile.
func (s *System[M]) letIn(a *actor[M], p parked[M]) fiber.Code {
	if p.cx.dead {
		return fiber.Failed
	}
	s.stats.Sent++
	s.enqueue(a, p.cx.self, p.msg)
	return fiber.OK
}

// openRooms appends as many messages as there is room for, and forgets rooms without a
// waiter.
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
