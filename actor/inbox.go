package actor

// Policy says what becomes of a message to an actor whose inbox is full (Spec.Inbox).
type Policy uint8

const (
	// Reject refuses it with ErrInboxFull.
	Reject Policy = iota
	// DropOldest takes it, and the oldest message that waits becomes a dead letter.
	DropOldest
	// BlockSender refuses it, too; but an asynchronous actor can wait for room and send
	// again (Context.Room, goactor.Send). Nobody else can be made to wait: while a handler
	// waited, nothing would make room.
	BlockSender
)

var policyNames = [...]string{"reject", "drop oldest", "block sender"}

// String is the policy in lower-case words.
func (p Policy) String() string {
	if int(p) < len(policyNames) {
		return policyNames[p]
	}
	return "invalid policy"
}

// admits tells whether the actor takes one more message: there is room, or its policy makes
// some.
func (s *System[M]) admits(a *actor[M]) bool {
	return a.queued+a.unread() < a.limit || s.makeRoom(a)
}

// makeRoom makes room in a full inbox, if the receiver's policy does.
func (s *System[M]) makeRoom(a *actor[M]) bool {
	switch {
	case a.spec.Full != DropOldest:
		return false
	case a.unread() > 0: // older than what is in the queue
		msg, _, w := a.cx.inbox.TryRecv()
		s.core.Apply(w)
		s.takeBack(msg, ErrDropped)
	default:
		a.queued--
		a.skipped++
	}
	return true
}

// takes counts a message out of the queue, and tells whether the actor is to have it.
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
