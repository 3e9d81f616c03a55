package actor

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// start has the host spawn the fiber of an asynchronous actor.
func (s *System[M]) start(a *actor[M]) {
	cx := a.cx
	cx.inbox = wait.NewChan[M](a.limit)
	cx.inbox.SetName(fmt.Sprintf("inbox of %s", Death{Actor: a.self, Name: a.spec.Name}.label()))
	cx.inbox.OnLost(s.unread)
	id, err := a.spec.Start(cx, scheduler.Options{Name: a.spec.Name, Link: tether[M]{cx}})
	if err != nil {
		s.acting = Outside
		s.fail(a, err)
		return
	}
	cx.fiber = id
	s.fibers[id] = cx
}

// tether is an actor's life as the link of its fiber.
type tether[M any] struct{ cx *Context[M] }

// Died is the end of the fiber. Unless the actor has ended before it, that is appended as
// a command, so that it has its place in the order of all others; nobody can block it.
func (t tether[M]) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	cx := t.cx
	if cx.fiber != 0 { // it was counted: Start did not fail after all
		delete(cx.sys.fibers, cx.fiber)
	}
	cx.over = true
	if !cx.dead {
		op := OpFail
		if d.Err == nil || d.Killed {
			op = OpKill
		}
		cx.sys.append(op, cx.self, cx.self, more[M]{cause: d.Err, life: cx})
	}
	return wakes, orders
}

// stop ends the fiber of an actor that has ended, and takes what it has not read: it
// reads nothing more, whatever it does while it is being unwound.
func (s *System[M]) stop(cx *Context[M], cause error) {
	if cx.fiber != 0 && !cx.over {
		_ = s.core.Kill(cx.fiber, cause) // it is alive
	}
	for {
		msg, status, w := cx.inbox.TryRecv()
		if status != wait.Received {
			return
		}
		s.core.Apply(w)
		s.unread(msg)
	}
}

// unread makes a message dead that was delivered into an inbox.
func (s *System[M]) unread(msg M) { s.takeBack(msg, ErrUnread) }

func (s *System[M]) takeBack(msg M, why error) {
	s.stats.Delivered--
	s.bin(Outside, Outside, msg, why)
}

// post puts a message into the inbox of an asynchronous actor. Send has
// counted, so there is room but for what tells of deaths. An actor may have closed its
// inbox: then it reads no more.
func (s *System[M]) post(a *actor[M], from Handle, msg M) {
	ok, w, err := a.cx.inbox.TrySend(msg)
	s.core.Apply(w)
	switch {
	case err != nil:
		s.bin(from, a.self, msg, err)
		return
	case !ok:
		s.bin(from, a.self, msg, ErrInboxFull)
		return
	}
	s.stats.Delivered++
}

// unread is how many messages lie in the inbox of an asynchronous actor.
func (a *actor[M]) unread() int {
	if a.cx.inbox == nil {
		return 0
	}
	return a.cx.inbox.Len()
}
