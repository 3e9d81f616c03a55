package actor

import "math"

// reserve gives a handle to an actor that is to be spawned.
func (s *System[M]) reserve(spec *Spec[M], parent Handle) (Handle, error) {
	if s.actors.live >= s.opts.MaxActors {
		return 0, ErrTooManyActors
	}
	a := &actor[M]{life: reserved, spec: spec, limit: spec.limit(), parent: s.actors.find(parent)}
	a.setEasy()
	a.self = s.actors.add(a)
	s.actors.begin(a, &Context[M]{sys: s, self: a.self, of: a})
	if s.root == 0 {
		s.root = a.self
	}
	return a.self, nil
}

// spawn brings a reserved actor to life, unless the life of its parent has ended meanwhile.
func (s *System[M]) spawn(c *taken[M]) {
	a := s.actors.find(c.to)
	switch {
	case a == nil: // it was killed before
	case a.parent != nil && (a.parent.life != alive || c.life != nil && c.life != a.parent.cx):
		s.drop(a, Death{Cause: ErrParent})
	default:
		if a.parent != nil {
			a.parent.adopt(a)
		}
		s.begin(a)
	}
}

// begin starts a life of the actor.
func (s *System[M]) begin(a *actor[M]) {
	a.life, a.unstarted = alive, true
	s.acting = a.self
	if a.spec.Start == nil {
		a.handler = a.spec.New(a.cx)
	} else {
		s.start(a)
	}
	s.acting = Outside
	a.unstarted = a.life == down
}

// end buries the actor and all below it: the children first, the youngest first. The walk
// keeps no stack: however deep the tree is, each burial takes away a leaf.
func (s *System[M]) end(top *actor[M], d Death) {
	s.endChildren(top)
	s.drop(top, d)
}

func (s *System[M]) endChildren(top *actor[M]) {
	for a := top; ; {
		if a.youngest != nil {
			a = a.youngest
			continue
		}
		if a == top {
			return
		}
		parent := a.parent
		s.drop(a, Death{Cause: ErrParent})
		a = parent
	}
}

// drop takes an actor without children out of the system.
func (s *System[M]) drop(a *actor[M], d Death) {
	d.Actor, d.Name = a.self, a.spec.Name
	a.leave()
	s.endLife(a, d.Cause)
	a.life = gone
	a.limit, a.queued = math.MaxInt, 0 // senders need not wait for room any more
	a.setEasy()
	s.actors.remove(a.self)
	if a.self == s.root {
		s.reason = d.Err()
		s.outside.dead = true
	}
	s.tellOf(a, d)
	s.ended = s.actors.live == 0
}

// tellOf tells of the end of a life, or of the last one.
func (s *System[M]) tellOf(a *actor[M], d Death) {
	s.announce(a, d)
	if hook := s.opts.Ended; hook != nil {
		s.later(func() { hook(d) })
	}
}

// endLife takes from the actor what belongs to its present life.
func (s *System[M]) endLife(a *actor[M], cause error) {
	a.handler = nil
	a.cx.dead = true
	for n := len(a.cx.watching); n > 0; n-- {
		a.cx.watching[n-1].end()
	}
	if a.cx.inbox != nil {
		s.stop(a.cx, cause)
	}
}
