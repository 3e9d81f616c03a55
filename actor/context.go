package actor

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Context is how an actor acts on the system. It is for one life of the actor: after the actor's
// end, and after a restart, its calls are refused with ErrGone. It belongs to the goroutine that
// owns the system.
type Context[M any] struct {
	sys    *System[M]
	self   Handle
	of     *actor[M] // nil: it is Outside's
	dead   bool
	inbox  *wait.Chan[M] // nil if it is synchronous
	fiber  fiber.ID      // likewise 0
	posted int           // messages in the inbox, and those taken out that the journal has not recorded
	over   bool          // the fiber has ended
	// watching are its watches, in no order that means anything.
	watching []*watch[M]
}

// Self is the actor's handle.
func (cx *Context[M]) Self() Handle { return cx.self }

// System is the system that the actor lives in.
func (cx *Context[M]) System() *System[M] { return cx.sys }

// Inbox is where the fiber of an asynchronous actor takes its messages from; nil if the
// actor is synchronous. The fiber only receives from it; it may select on it. When the actor ends,
// its unread messages become dead letters, the oldest first, and the inbox is closed.
func (cx *Context[M]) Inbox() *wait.Chan[M] { return cx.inbox }

// Send sends a message. Errors: ErrGone, ErrEnded, ErrQueueFull, ErrInboxFull. A message to an
// actor that has ended is a dead letter and not an error, because the receiver is looked up only
// when the command is carried out.
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

// sendWithCare is the slow path of Send: a check failed, or the receiver's room is not known from
// one count.
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

// Spawn makes an actor, as a child of the caller. The handle can be sent to, killed and watched at
// once. The actor itself is made when the command is carried out, if its parent is still alive
// then. Errors: ErrTooManyActors, ErrGone, ErrEnded, ErrQueueFull.
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

// Kill ends an actor, its children first. Its watchers receive the cause; nil means that the actor
// is no longer needed. To kill an actor that has ended does nothing. Errors: ErrGone, ErrEnded,
// ErrQueueFull.
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

// noteSend records a message in the journal if it came from code that a replay does not run.
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
