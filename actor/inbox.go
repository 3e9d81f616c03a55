package actor

// Policy says what becomes of a message to an actor whose inbox is full (Spec.Inbox).
type Policy uint8

const (
	// Reject refuses it with ErrInboxFull.
	Reject Policy = iota
	// DropOldest accepts it, and the oldest message that waits becomes a dead letter.
	DropOldest
	// BlockSender refuses it as well, but an asynchronous actor can then wait for room with its
	// message (Context.Room, goactor.Send). While one waits, other messages are refused. Only
	// asynchronous actors can wait: a handler that waited would stop the turn, which makes room.
	BlockSender
)

// admits tells whether the actor accepts one more message: it has room, or its policy makes room.
func (s *System[M]) admits(a *actor[M]) bool { return a.hasRoom() || s.makeRoom(a) }

// hasRoom tells whether the next message is taken; not while others wait for room.
func (a *actor[M]) hasRoom() bool {
	return a.places() > 0 && (a.room == nil || !a.room.waiting.AnyWaits())
}

// places is how many more messages may wait for the actor.
func (a *actor[M]) places() int { return a.limit - a.queued - a.unread() }

// setEasy sets the limit for the fast path of Send. The unhandled messages of a synchronous actor
// are all in the queue, so one count tells whether it has room. An asynchronous actor also has an
// inbox, so its limit is 0 and Send takes the slow path.
func (a *actor[M]) setEasy() {
	if a.easy = 0; a.spec.Start == nil || a.life == gone {
		a.easy = a.limit
	}
}

// enqueue appends a message to an actor that has room, or has ended: then it is a dead letter.
func (s *System[M]) enqueue(a *actor[M], from Handle, msg M) {
	s.noteSend(from, a.self, msg)
	op := OpSend
	if a.life != gone {
		op = opCounted
		a.queued++
	}
	s.queue.push(entry[M]{op: op, from: from, to: a.self, msg: msg})
}

// makeRoom makes room in a full inbox, if the receiver's policy does.
func (s *System[M]) makeRoom(a *actor[M]) bool {
	switch {
	case a.spec.Full != DropOldest:
		return false
	case a.unread() > 0: // older than what is in the queue
		msg, _, w := a.cx.inbox.TryRecv()
		s.core.Apply(w)
		a.cx.posted--
		s.takeBack(msg, ErrDropped)
	default:
		a.queued--
		a.skipped++
	}
	return true
}

// takes counts a message out of the queue, and tells whether the actor is to handle it; false if
// DropOldest has skipped it.
func (a *actor[M]) takes() bool {
	if a.skipped > 0 {
		a.skipped--
		return false
	}
	a.queued--
	return true
}

// uncount counts a message out that its receiver never sees.
func (s *System[M]) uncount(c *taken[M]) {
	if c.op != opCounted {
		return
	}
	c.op = OpSend
	if a := s.actors.find(c.to); a != nil {
		a.takes()
	}
}
