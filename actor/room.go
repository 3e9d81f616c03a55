package actor

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
	"github.com/selvage-dev/selvage/wait"
)

// Room is where the fibers of asynchronous actors wait until an inbox has room again, in
// the order of their arrival. As many are woken after a turn as there are places then; who
// is woken sends again, and may be refused again if another was quicker.
//
//	for err := cx.Send(to, msg); errors.Is(err, actor.ErrInboxFull); err = cx.Send(to, msg) {
//		room := cx.Room(to)               // nil: nobody waits for that receiver
//		t := sched.Arm(fiber.OnQueue(), room)
//		err := room.Park(t)               // wait.ErrReady: there is room after all
//		sched.Block()
//	}
type Room struct {
	wait.Object
	waiting waitq.Queue[struct{}]
	places  func() int
	of      Handle
	listed  bool // among System.rooms
}

// A deadlock report can ask a Room what it is.
var _ fiber.Described = (*Room)(nil)

// Room is where to wait until the receiver has room for a message; nil if its policy is
// not BlockSender, or it is no more.
func (cx *Context[M]) Room(to Handle) *Room {
	s := cx.sys
	a := s.actors.find(to)
	if a == nil || a.spec.Full != BlockSender {
		return nil
	}
	if a.room == nil {
		a.room = &Room{of: to, places: func() int { return a.limit - a.unread() - a.queued }}
	}
	if !a.room.listed {
		a.room.listed = true
		s.rooms = append(s.rooms, a.room)
	}
	return a.room
}

// Park registers a fiber that was refused. Errors: wait.ErrReady, if there is room now,
// and wait.ErrForeign.
func (r *Room) Park(t fiber.Ticket) error {
	switch {
	case !r.Anchored().Bind(t.Scheduler()):
		return &wait.Error{Op: "wait", Object: r.Describe(), By: t.ID, Err: wait.ErrForeign}
	case r.places() > r.waiting.Waiting():
		return &wait.Error{Op: "wait", Object: r.Describe(), By: t.ID, Err: wait.ErrReady}
	case !r.waiting.Push(t, 0, struct{}{}):
		panic(&wait.ContractError{Rule: "I11", Op: "wait", Object: r.Describe(), Ticket: t,
			Mend: "the ticket is zero or older than one parked here before; park right after its Arm"})
	}
	return nil
}

// Withdraw removes one that gave up. Nobody can go on because of that.
func (r *Room) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	r.waiting.Withdraw(t)
	return dst
}

// Holds tells whether the ticket waits here.
func (r *Room) Holds(t fiber.Ticket) bool { return r.waiting.Holds(t) }

// Describe is for reports: `room at a3.1 (waiting: 2)`.
func (r *Room) Describe() string {
	return fmt.Sprintf("room at %v (waiting: %d)", r.of, r.waiting.Waiting())
}

// Holders appends nobody: whoever makes the receiver read ends the wait.
func (r *Room) Holders(dst []fiber.ID) []fiber.ID { return dst }

// opens tells whether anybody who waits for room can have it.
func (s *System[M]) opens() bool {
	for _, r := range s.rooms {
		if r.waiting.Waiting() > 0 && r.places() > 0 {
			return true
		}
	}
	return false
}

// openRooms wakes as many senders as there is room for, and forgets rooms where nobody
// waits.
func (s *System[M]) openRooms() {
	still := s.rooms[:0]
	for _, r := range s.rooms {
		for free := r.places(); free > 0 && r.waiting.Waiting() > 0; free-- {
			t, _, _, _ := r.waiting.Pop()
			s.core.Apply(fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: fiber.OK}})
		}
		if r.listed = r.waiting.Waiting() > 0; r.listed {
			still = append(still, r)
		}
	}
	clear(s.rooms[len(still):])
	s.rooms = still
}
