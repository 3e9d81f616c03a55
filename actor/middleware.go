package actor

import "slices"

// installed is one installed middleware; its address identifies it.
type installed[M any] struct{ f func(*Command[M]) bool }

// Use installs a middleware after those in use, from the next command on; remove uninstalls
// it. The system calls it with each command before it carries the command out.
//
// The middleware returns true to pass the command on. It returns false to block it: a
// blocked message becomes a dead letter (ErrBlocked), a blocked spawn does not happen, and
// a blocked kill or failure leaves its actor unchanged. It may change Msg, To (of an
// OpSend) and Cause; changes to other fields have no effect. It must not keep c. Commands
// that it gives the system are appended to the queue.
//
// If the middleware panics, the command continues as if the middleware were not installed.
// If it calls runtime.Goexit, it is removed, and the remaining middleware sees the command
// again. Both are reported to Options.Fault.
//
// The command that reports the end of an asynchronous actor's fiber cannot be blocked.
func (s *System[M]) Use(f func(c *Command[M]) (pass bool)) (remove func()) {
	m := &installed[M]{f}
	s.middleware = append(slices.Clone(s.middleware), m)
	s.watchful = true
	return func() { s.remove(m) }
}

func (s *System[M]) remove(m *installed[M]) {
	s.middleware = slices.DeleteFunc(slices.Clone(s.middleware), func(x *installed[M]) bool { return x == m })
}

// screened has every middleware look at the command; false if one has blocked it.
func (s *System[M]) screened(c *taken[M]) bool {
	for _, m := range s.middleware {
		if !s.ask(m, c) && !c.certain {
			return false
		}
	}
	return true
}

// ask calls one middleware. A panic of the middleware passes the command on.
func (s *System[M]) ask(m *installed[M], c *taken[M]) (pass bool) {
	done := false
	pass = true
	defer func() {
		if !done {
			s.forgive(m, c, recover())
		}
	}()
	s.seen = Command[M]{Op: c.op.public(), From: c.from, To: c.to, Msg: c.msg, Cause: c.cause}
	pass = m.f(&s.seen)
	done = true
	c.msg = s.seen.Msg
	if c.op >= OpKill {
		c.cause = s.seen.Cause
	}
	if c.op.isMessage() && c.to != s.seen.To {
		s.uncount(c)
		c.to = s.seen.To
	}
	return pass
}

// forgive continues the turn after a middleware that panicked with v. If it called runtime.Goexit
// (v is nil), the turn ends with its goroutine, and the next turn begins with the same command.
func (s *System[M]) forgive(m *installed[M], c *taken[M], v any) {
	if v == nil {
		s.remove(m)
		s.putBack(c)
	}
	s.fault(blame(v))
}

// block takes a command out.
func (s *System[M]) block(c *taken[M]) {
	switch c.op {
	case OpSend, opCounted:
		s.uncount(c)
		s.bin(c.from, c.to, c.msg, ErrBlocked)
	case OpSpawn:
		if a := s.actors.find(c.to); a != nil {
			s.drop(a, Death{Cause: ErrBlocked})
		}
	}
}
