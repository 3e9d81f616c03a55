package actor

import "slices"

// Ruling is what a middleware decides about a command.
type Ruling uint8

const (
	// Pass lets the command go on, as the middleware has left it.
	Pass Ruling = iota
	// Block takes it out: a message is a dead letter (ErrBlocked), a spawn does not happen,
	// a kill or a failure leaves its actor fully alive.
	Block
)

var rulingNames = [...]string{"pass", "block"}

// String is the lower-case name.
func (r Ruling) String() string {
	if int(r) < len(rulingNames) {
		return rulingNames[r]
	}
	return "invalid ruling"
}

// Middleware sees each command when its turn has come, and before it is carried out. It may
// change Msg, To (of an OpSend) and Cause; changes of other fields are not looked at. What
// it dispatches through the system is appended to the queue.
//
// A middleware that panics has not been there: the command goes on as it came to it. One
// that leaves by runtime.Goexit is removed as well, and the command shown to the others
// anew. Both are told to Options.Fault. The command is the system's: do not keep it.
//
// The end of an asynchronous actor's fiber is a command that cannot be blocked.
type Middleware[M any] func(c *Command[M]) Ruling

// installed is a middleware in its place.
type installed[M any] struct{ f Middleware[M] }

// Use puts a middleware behind those in use, from the next command on. The function it
// gives takes it away again.
func (s *System[M]) Use(f Middleware[M]) (remove func()) {
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
		if s.ask(m, c) == Block && !c.certain {
			return false
		}
	}
	return true
}

// ask asks one middleware; its failure affects no other one.
func (s *System[M]) ask(m *installed[M], c *taken[M]) (r Ruling) {
	done := false
	defer func() {
		if !done {
			s.forgive(m, c, recover())
		}
	}()
	s.seen = Command[M]{Op: c.op.public(), From: c.from, To: c.to, Msg: c.msg, Cause: c.cause}
	r = m.f(&s.seen)
	done = true
	c.msg = s.seen.Msg
	if c.op >= OpKill {
		c.cause = s.seen.Cause
	}
	if c.op.isMessage() && c.to != s.seen.To {
		s.uncount(c)
		c.to = s.seen.To
	}
	return r
}

// forgive goes on after a middleware that panicked with v. If it left by runtime.Goexit
// the turn ends with its goroutine, and the next one begins with the same command.
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
			s.bury(a, Death{Cause: ErrBlocked})
		}
	}
}
