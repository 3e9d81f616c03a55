package actor

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Context is an actor's own handle on the system: what it does, it does through this. It
// serves one life of the actor: after the actor's end, and after a restart, its calls
// are refused with ErrGone. It belongs to the goroutine that owns the system.
type Context[M any] struct {
	sys    *System[M]
	self   Handle
	of     *actor[M] // nil: it is Outside's
	dead   bool
	inbox  *wait.Chan[M] // nil if it is synchronous
	fiber  fiber.ID      // likewise 0
	posted int           // messages in the inbox, and those taken out of which the journal has not told
	over   bool          // the fiber has ended
	// watching are its watches, in no order that means anything.
	watching []*watch[M]
}

// Self is the actor's handle.
func (cx *Context[M]) Self() Handle { return cx.self }

// System is the system that the actor lives in.
func (cx *Context[M]) System() *System[M] { return cx.sys }

// Inbox is where the fiber of an asynchronous actor takes its messages from; nil if the
// actor is synchronous. The fiber only receives from it; it may select on it.
func (cx *Context[M]) Inbox() *wait.Chan[M] { return cx.inbox }

// Send sends a message. Errors: ErrGone, ErrEnded, ErrQueueFull, ErrInboxFull. That the
// receiver is no more is no error but a dead letter: it is found out when the message's
// turn comes.
func (cx *Context[M]) Send(to Handle, msg M) error {
	s := cx.sys
	a := cx.of // who sends to itself is found
	if to != cx.self {
		a = s.actors.find(to)
	}
	if a == nil || a.queued >= a.easy || cx.dead || s.queue.isTight() {
		return cx.sendWithCare(to, msg)
	}
	s.stats.Sent++
	a.queued++
	e := s.queue.put()
	e.op, e.from, e.to, e.msg = opCounted, cx.self, to, msg
	return nil
}

// sendWithCare is Send where something is in the way, or may be.
func (cx *Context[M]) sendWithCare(to Handle, msg M) error {
	s := cx.sys
	s.stats.Sent++
	if err := cx.admit(); err != nil {
		s.stats.Rejected++
		return err
	}
	switch a := s.actors.find(to); {
	case a == nil:
		s.noteSend(cx.self, to, msg)
		s.queue.push(entry[M]{op: OpSend, from: cx.self, to: to, msg: msg})
	case s.admits(a):
		s.enqueue(a, cx.self, msg)
	default:
		s.stats.Rejected++
		return ErrInboxFull
	}
	return nil
}

// Spawn has an actor made, as a child of the caller. It can be sent to, killed and
// watched at once; it comes to life when the command's turn comes, if its parent is
// still alive then. Errors: ErrTooManyActors, ErrGone, ErrEnded, ErrQueueFull.
func (cx *Context[M]) Spawn(spec Spec[M]) (Handle, error) {
	if !spec.valid() {
		return 0, errSpec
	}
	if err := cx.admit(); err != nil {
		return 0, err
	}
	parent := cx.self
	if parent == Outside {
		parent = cx.sys.root
	}
	h, err := cx.sys.reserve(&spec, parent)
	if err != nil {
		return 0, err
	}
	if cx.sys.isInput() {
		cx.sys.journal.in(note{what: "spawn", from: cx.self, to: h, name: spec.Name})
	}
	var m more[M]
	if cx.self != Outside {
		m.life = cx
	}
	cx.sys.append(OpSpawn, cx.self, h, m)
	return h, nil
}

// Kill ends an actor, its children first; nil: it is needed no more. Its watchers
// receive the cause. To kill an actor that has ended does nothing. Errors: ErrGone,
// ErrEnded, ErrQueueFull.
func (cx *Context[M]) Kill(h Handle, cause error) error {
	return cx.end(OpKill, h, cause)
}

// Fail ends an actor as a failure, the caller itself or another: its supervisor decides
// what follows. Errors as Kill's.
func (cx *Context[M]) Fail(h Handle, cause error) error {
	if cause == nil {
		cause = errUnnamed
	}
	return cx.end(OpFail, h, cause)
}

func (cx *Context[M]) end(op Op, h Handle, cause error) error {
	if err := cx.admit(); err != nil {
		return err
	}
	if cx.sys.isInput() {
		cx.sys.journal.in(note{what: op.String(), from: cx.self, to: h, cause: cause})
	}
	cx.sys.append(op, cx.self, h, more[M]{cause: cause})
	return nil
}

// noteSend has the journal say that a message was given, if it does not follow from the rest.
func (s *System[M]) noteSend(from, to Handle, msg M) {
	if s.isInput() {
		s.journal.inWith(note{what: "send", from: from, to: to}, msg)
	}
}

// admit refuses a command that may not be appended.
func (cx *Context[M]) admit() error {
	s := cx.sys
	switch {
	case cx.dead && cx.self == Outside:
		return ErrEnded
	case cx.dead:
		return ErrGone
	case s.queue.len() >= s.opts.MaxQueue:
		return ErrQueueFull
	}
	return nil
}
