package actor

import "slices"

// watch is one who is told of an actor's end.
type watch[M any] struct {
	by *Context[M]
	// as makes the message; nil: it is a link, which fails the other.
	as func(Death) M
}

// deaf tells whether nobody is there any more who could be told.
func (w watch[M]) deaf() bool { return w.by.dead && w.by.self != Outside }

// Watch has the caller told of the end of an actor, by a message that as makes of the
// death, and of each failure after which the actor is restarted. If the handle names
// nobody, it is told so at once: the cause is ErrUnknown. A panic of as fails the caller.
// The caller may be Outside: its message then is an output. Errors as Send's.
func (cx *Context[M]) Watch(h Handle, as func(Death) M) error {
	if err := cx.admit(); err != nil {
		return err
	}
	w := watch[M]{cx, as}
	if a := cx.sys.actors.find(h); a != nil {
		a.watches = append(a.watches, w)
	} else {
		cx.sys.notify(w, Death{Actor: h, Cause: ErrUnknown})
	}
	return nil
}

// Unwatch takes back all Watches of the caller on an actor. What the caller was told
// already is in the queue.
func (cx *Context[M]) Unwatch(h Handle) {
	if a := cx.sys.actors.find(h); a != nil {
		a.watches = slices.DeleteFunc(a.watches, func(w watch[M]) bool { return w.by == cx && w.as != nil })
	}
}

// Link ties the caller and another actor together: when one of them fails or is killed
// with a cause, the other fails with a *DeathError of it; an end without a cause does
// nothing. It holds for the present lives of both. A link to nobody fails the caller.
// Errors as Kill's; Outside cannot be linked: ErrUnknown.
func (cx *Context[M]) Link(h Handle) error {
	if cx.self == Outside {
		return ErrUnknown
	}
	if err := cx.admit(); err != nil {
		return err
	}
	s := cx.sys
	me, other := s.actors.find(cx.self), s.actors.find(h)
	if other == nil {
		return cx.Fail(cx.self, Death{Actor: h, Cause: ErrUnknown}.Err())
	}
	other.watches = append(other.watches, watch[M]{by: cx})
	me.watches = append(me.watches, watch[M]{by: other.cx})
	return nil
}

// announce tells whoever watches of a death. Links end with it, and watches unless the
// actor is to be restarted.
func (s *System[M]) announce(a *actor[M], d Death) {
	watches := a.watches
	a.watches = nil
	for _, w := range watches {
		if w.deaf() {
			continue
		}
		s.notify(w, d)
		if d.Restarts && w.as != nil {
			a.watches = append(a.watches, w)
		}
	}
}

// notify tells one of a death: through the queue, like everything that actors learn.
func (s *System[M]) notify(w watch[M], d Death) {
	switch {
	case w.as != nil:
		s.put(aside[M]{by: w.by, call: func() { s.inform(w, d) }})
	case d.Cause != nil:
		s.append(OpFail, d.Actor, w.by.self, more[M]{cause: d.Err(), life: w.by})
	}
}

// inform has the message of a death made, and sends it. It comes whatever the limit of the
// inbox is.
func (s *System[M]) inform(w watch[M], d Death) {
	if w.deaf() {
		return
	}
	to := w.by.self
	if to == Outside {
		to = Output
	}
	msg := w.as(d)
	s.stats.Sent++
	s.queue.push(entry[M]{op: OpSend, from: d.Actor, to: to, msg: msg})
}
