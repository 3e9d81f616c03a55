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
	cx.inbox.OnLost(func(msg M) { s.forfeited(cx, msg) })
	if err := s.startFiber(a); err != nil {
		s.acting = Outside
		s.fail(a, err)
	}
}

// startFiber calls Spec.Start; in a replay, the journal tells what came of that.
func (s *System[M]) startFiber(a *actor[M]) (err error) {
	s.foreign = true
	if s.isPlayed() {
		err = s.journal.player.start()
	} else {
		var id fiber.ID
		if id, err = a.spec.Start(a.cx, scheduler.Options{Name: a.spec.Name, Link: tether[M]{a.cx}}); err == nil {
			if a.cx.fiber = id; !a.cx.over {
				s.fibers[id] = a.cx
			}
		}
	}
	s.foreign = false
	if s.journal != nil {
		s.journal.in(note{what: "start", actor: a.self, cause: err})
	}
	return err
}

// tether is an actor's life as the link of its fiber.
type tether[M any] struct{ cx *Context[M] }

// Died is the end of the fiber. Unless the actor has ended before it, that is appended as
// a command, so that it has its place in the order of all others; it cannot be blocked.
func (t tether[M]) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	cx := t.cx
	if cx.fiber != 0 { // it was counted: Start did not fail after all
		delete(cx.sys.fibers, cx.fiber)
	}
	cx.sys.fiberEnded(cx, d.Err != nil && !d.Killed, d.Err)
	return wakes, orders
}

// fiberEnded records that the fiber of an actor's life has ended.
func (s *System[M]) fiberEnded(cx *Context[M], failed bool, cause error) {
	cx.over = true
	if cx.dead {
		return
	}
	if s.journal != nil {
		s.journal.in(note{what: "ended", actor: cx.self, cause: cause, failed: failed})
	}
	op := OpKill
	if failed {
		op = OpFail
	}
	s.append(op, cx.self, cx.self, more[M]{cause: cause, life: cx, certain: true})
}

// stop ends the fiber of an actor that has ended, and takes what it has not read, the oldest
// first: it reads nothing more, whatever it does while it is being unwound. Other fibers that read
// its inbox find it closed.
func (s *System[M]) stop(cx *Context[M], cause error) {
	s.noteReads(cx)
	s.takeAssigned(cx) // before the kill, which forfeits it later if the fiber has to unwind
	if cx.fiber != 0 && !cx.over {
		_ = s.core.Kill(cx.fiber, cause) // it is alive
	}
	s.takeBuffered(cx)
	s.closeInbox(cx)
}

// assigner is the source of an inbox.
type assigner interface{ ForfeitAll() }

// takeAssigned makes dead letters of the messages that were assigned to fibers which have not
// collected them (forfeited).
func (s *System[M]) takeAssigned(cx *Context[M]) {
	if s.isPlayed() {
		s.journal.player.unseen(cx)
		return
	}
	cx.inbox.Source().(assigner).ForfeitAll()
}

// takeBuffered makes dead letters of the messages in the inbox.
func (s *System[M]) takeBuffered(cx *Context[M]) {
	for {
		msg, status, w := cx.inbox.TryRecv()
		if status != wait.Received {
			return
		}
		s.core.Apply(w)
		cx.posted--
		s.takeBack(msg, ErrUnread)
	}
}

// closeInbox ends the waits of fibers other than the actor's.
func (s *System[M]) closeInbox(cx *Context[M]) {
	woken, _ := cx.inbox.Close(nil) // the actor may have closed it itself
	for _, w := range woken {
		s.core.Apply(w)
	}
}

// forfeited makes a dead letter of a message that was assigned to a fiber which will not collect it:
// the actor ends (takeAssigned), or its fiber was killed and has unwound before the actor ends. The
// second happens between two turns, so the journal tells the two apart.
func (s *System[M]) forfeited(cx *Context[M], msg M) {
	what := "lost"
	if cx.dead {
		what = "unseen"
	}
	s.discard(what, cx.self, msg)
}

// discard makes a dead letter of a message that a fiber was assigned, and records it in the journal.
func (s *System[M]) discard(what string, by Handle, msg M) {
	if s.journal != nil {
		s.journal.inWith(note{what: what, actor: by}, msg)
	}
	s.takeBack(msg, ErrUnread)
}

// takeBack makes a dead letter of a message that was delivered into an inbox.
func (s *System[M]) takeBack(msg M, why error) {
	s.stats.Delivered--
	s.bin(Outside, Outside, msg, why)
}

// post puts a message into the inbox of an asynchronous actor. Send has counted it, so there is
// room; only death notices, which no limit rejects, may find none. An actor that has closed its
// inbox reads no more.
func (s *System[M]) post(a *actor[M], from Handle, msg M) {
	s.noteReads(a.cx)
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
	a.cx.posted++
}

// noteReads writes to the journal how many messages the fiber has taken out of its inbox since
// the last call. Nothing but their number depends on it.
func (s *System[M]) noteReads(cx *Context[M]) {
	if s.journal == nil {
		return
	}
	n := 0
	if p := s.journal.player; p != nil {
		n = p.reads(cx)
	} else {
		n = cx.posted - cx.inbox.Len()
	}
	if cx.posted -= n; n > 0 {
		s.journal.in(note{what: "read", actor: cx.self, n: n})
	}
}

// unread is how many messages lie in the inbox of an asynchronous actor.
func (a *actor[M]) unread() int {
	if a.cx.inbox == nil {
		return 0
	}
	a.cx.sys.noteReads(a.cx)
	return a.cx.inbox.Len()
}
