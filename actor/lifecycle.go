package actor

// reserve gives a handle to an actor that is to be spawned.
func (s *System[M]) reserve(spec *Spec[M], parent Handle) (Handle, error) {
	if s.actors.live >= s.opts.MaxActors {
		return 0, ErrTooManyActors
	}
	a := &actor[M]{life: reserved, spec: spec, limit: spec.limit(), parent: s.actors.find(parent)}
	a.self = s.actors.add(a)
	if s.root == 0 {
		s.root = a.self
	}
	return a.self, nil
}

// spawn brings a reserved actor to life, unless its parent has ended meanwhile.
func (s *System[M]) spawn(h Handle) {
	a := s.actors.find(h)
	switch {
	case a == nil: // it was killed before
	case a.parent != nil && a.parent.life != alive:
		s.bury(a, Death{Cause: ErrParent})
	default:
		if a.parent != nil {
			a.parent.adopt(a)
		}
		s.begin(a)
	}
}

// begin starts a life of the actor.
func (s *System[M]) begin(a *actor[M]) {
	a.life = alive
	a.cx = &Context[M]{sys: s, self: a.self}
	s.acting = a
	if a.spec.Start == nil {
		a.handler = a.spec.New(a.cx)
	} else {
		s.start(a)
	}
	s.acting = nil
}

// fail ends the actor as a failure.
func (s *System[M]) fail(a *actor[M], cause error) {
	s.end(a, Death{Failed: true, Cause: cause})
}

// end buries the actor and all below it: the children first, the youngest first. The walk
// keeps no stack: however deep the tree is, each burial takes away a leaf.
func (s *System[M]) end(top *actor[M], d Death) {
	for a := top; ; {
		if a.youngest != nil {
			a = a.youngest
			continue
		}
		if a == top {
			break
		}
		parent := a.parent
		s.bury(a, Death{Cause: ErrParent})
		a = parent
	}
	s.bury(top, d)
}

// bury takes an actor without children out of the system.
func (s *System[M]) bury(a *actor[M], d Death) {
	d.Actor, d.Name = a.self, a.spec.Name
	a.leave()
	s.endLife(a, d.Cause)
	a.life = gone
	s.actors.remove(a.self)
	if a.self == s.root {
		s.reason = d.Err()
		s.outside.dead = true
	}
	if hook := s.opts.Ended; hook != nil {
		s.later(func() { hook(d) })
	}
	s.ended = s.actors.live == 0
}

// endLife takes from the actor what belongs to its present life.
func (s *System[M]) endLife(a *actor[M], cause error) {
	a.handler = nil
	if a.cx == nil {
		return
	}
	a.cx.dead = true
	if a.cx.inbox != nil {
		s.stop(a.cx, cause)
	}
}
