package actor

import "slices"

// watch is an actor that is notified of an actor's end. It ends with the life of either.
type watch[M any] struct {
	by *Context[M]
	of *actor[M]
	// as makes the message; nil: it is a link, which fails the other.
	as func(Death) M
	// Of the same actor, those that began before and after it.
	older, younger *watch[M]
	place          int  // among by.watching
	foreign        bool // a replay does not run as
}

// watch notifies cx of the actor's end.
func (a *actor[M]) watch(cx *Context[M], as func(Death) M) {
	w := &watch[M]{by: cx, of: a, as: as, older: a.youngestWatch, place: len(cx.watching), foreign: cx.sys.isInput()}
	if w.older == nil {
		a.oldestWatch = w
	} else {
		w.older.younger = w
	}
	a.youngestWatch = w
	cx.watching = append(cx.watching, w)
}

// end forgets the watch, on both sides.
func (w *watch[M]) end() {
	if w.older == nil {
		w.of.oldestWatch = w.younger
	} else {
		w.older.younger = w.younger
	}
	if w.younger == nil {
		w.of.youngestWatch = w.older
	} else {
		w.younger.older = w.older
	}
	mine := w.by.watching
	last := mine[len(mine)-1]
	mine[w.place], last.place = last, w.place
	mine[len(mine)-1] = nil
	w.by.watching = mine[:len(mine)-1]
}

// deaf reports whether no watcher is left to notify.
func (w *watch[M]) deaf() bool { return w.by.dead && w.by.self != Outside }

// Watch notifies the caller of the end of an actor, and of each failure after which the actor is
// restarted, by a message that as makes of the death. If the handle names no actor, the caller gets
// a death with the cause ErrUnknown at once. A panic of as fails the caller. If the caller is
// Outside, the message is an output. Errors as Send's.
func (cx *Context[M]) Watch(h Handle, as func(Death) M) error {
	if err := cx.admit(); err != nil {
		return err
	}
	cx.noteWatch("watch", h)
	if a := cx.sys.actors.find(h); a != nil {
		a.watch(cx, as)
	} else {
		cx.sys.notify(&watch[M]{by: cx, as: as, foreign: cx.sys.isInput()}, Death{Actor: h, Cause: ErrUnknown})
	}
	return nil
}

// Unwatch ends all Watches of the caller on an actor. Messages that were made before stay in the
// queue.
func (cx *Context[M]) Unwatch(h Handle) {
	if len(cx.watching) == 0 && cx.dead {
		return // its watches have ended with it; the handle may be another life's
	}
	cx.noteWatch("unwatch", h)
	for _, w := range slices.Backward(cx.watching) { // end moves only those that were looked at
		if w.of.self == h && w.as != nil {
			w.end()
		}
	}
}

// Link ties the caller and another actor together: when one of them fails or is killed
// with a cause, the other fails with a *DeathError of it; an end without a cause does
// nothing. It holds for the present lives of both. A link to no actor, or to one that is down,
// fails the caller. Errors as Kill's; Outside cannot be linked: ErrUnknown.
func (cx *Context[M]) Link(h Handle) error {
	if cx.self == Outside {
		return ErrUnknown
	}
	if err := cx.admit(); err != nil {
		return err
	}
	cx.noteWatch("link", h)
	s := cx.sys
	me, other := cx.of, s.actors.find(h)
	switch {
	case other == nil:
		return cx.Fail(cx.self, Death{Actor: h, Cause: ErrUnknown}.Err())
	case other.life == down:
		return cx.Fail(cx.self, Death{Actor: h, Name: other.spec.Name, Failed: true, Cause: ErrDown}.Err())
	}
	other.watch(cx, nil)
	me.watch(other.cx, nil)
	return nil
}

// noteWatch records a Watch or Unwatch in the journal if it came from code that a replay does not
// run.
func (cx *Context[M]) noteWatch(what string, h Handle) {
	if cx.sys.isInput() {
		cx.sys.journal.in(note{what: what, from: cx.self, to: h})
	}
}

// announce notifies watchers of a death. Links end with it, and watches unless the
// actor is to be restarted.
func (s *System[M]) announce(a *actor[M], d Death) {
	for w := a.oldestWatch; w != nil; w = w.younger {
		s.notify(w, d)
		if !d.Restarts || w.as == nil {
			w.end()
		}
	}
}

// notify notifies one watcher of a death. The notice goes through the queue, so it has its place in
// the order of all commands.
func (s *System[M]) notify(w *watch[M], d Death) {
	switch {
	case w.as != nil:
		s.put(hookCall[M]{by: w.by, call: func() { s.inform(w, d) }})
	case d.Cause != nil:
		s.append(OpFail, d.Actor, w.by.self, more[M]{cause: d.Err(), life: w.by})
	}
}

// inform has the message of a death made, and sends it. It comes whatever the limit of the
// inbox is.
func (s *System[M]) inform(w *watch[M], d Death) {
	if w.deaf() {
		return
	}
	to := w.by.self
	if to == Outside {
		to = Output
	}
	s.foreign = w.foreign
	msg := w.as(d)
	s.foreign = false
	if w.foreign && s.journal != nil {
		s.journal.inWith(note{what: "told", from: d.Actor, to: to}, msg)
	}
	s.stats.Sent++
	s.queue.push(entry[M]{op: OpSend, from: d.Actor, to: to, msg: msg})
}
