package actor

import "github.com/selvage-dev/selvage/wait"

// Turn carries out the commands that wait, and those they give, until none is left,
// Options.Fuel of them are done, or Options.MaxOutputs outputs wait to be read. It tells
// whether commands are left. A host with a loop of its own calls it between slices, with
// no fiber running; Next and All do it by themselves.
func (s *System[M]) Turn() (more bool) {
	switch {
	case s.busy:
		panic(misuse("a turn is under way: what an actor or a hook dispatches is carried out by itself"))
	case s.core.Current() != 0:
		panic(misuse("a fiber runs: a turn may have to kill it; call it between slices"))
	}
	s.busy = true
	s.fuel = s.opts.Fuel
	s.releaseDelayed()
	defer s.rest()
	for s.mayGoOn() || s.asides.len() > 0 {
		s.burst()
	}
	return s.queue.len() > 0
}

func misuse(mend string) error {
	return &wait.ContractError{Rule: "§5", Op: "turn", Object: "actor system", Mend: mend}
}

// rest ends the turn, also one that was left by runtime.Goexit.
func (s *System[M]) rest() {
	s.openRooms()
	s.busy = false
}

func (s *System[M]) mayGoOn() bool {
	return s.fuel > 0 && s.queue.len() > 0 && s.outputs.len() < s.opts.MaxOutputs
}

// burst carries out commands until the turn is over or somebody's code panics. So a panic
// costs a new burst, and all other commands nothing.
func (s *System[M]) burst() {
	defer s.contain()
	for {
		switch {
		case s.asides.len() > 0:
			s.tell(s.asides.pop())
		case s.mayGoOn():
			s.fuel--
			c := s.queue.pop()
			if len(s.middleware) > 0 && !s.screened(&c) {
				s.block(&c)
				continue
			}
			s.carryOut(&c)
		default:
			return
		}
	}
}

func (s *System[M]) carryOut(c *Command[M]) {
	switch c.Op {
	case OpSend:
		s.deliver(c)
	case OpSpawn:
		s.spawn(c)
	default:
		s.endByCommand(c)
	}
}

func (s *System[M]) endByCommand(c *Command[M]) {
	a := s.actors.find(c.To)
	switch {
	case a == nil || c.life != nil && c.life != a.cx: // it has ended, or was restarted, since
	case c.Op == OpKill:
		s.end(a, Death{Cause: c.Cause})
	case a.life == alive:
		s.fail(a, c.Cause)
	}
}

// deliver has the receiver handle the message, if there is one.
func (s *System[M]) deliver(c *Command[M]) {
	s.sends--
	a := s.actors.find(c.To)
	if a == nil {
		s.deliverToNobody(c)
		return
	}
	if c.counted && !a.takes() {
		s.bin(c, ErrDropped)
		return
	}
	switch {
	case a.handler != nil:
	case a.life == alive:
		s.post(a, c)
		return
	default:
		s.bin(c, ErrDown)
		return
	}
	s.stats.Delivered++
	s.acting = a
	a.handler.Handle(a.cx, c.Msg)
	s.acting = nil
}

func (s *System[M]) deliverToNobody(c *Command[M]) {
	if c.To != Output {
		s.bin(c, ErrUnknown)
		return
	}
	s.stats.Delivered++
	s.outputs.push(c.Msg)
}

// bin makes a message a dead letter.
func (s *System[M]) bin(c *Command[M], why error) {
	s.stats.Dead++
	if hook := s.opts.DeadLetter; hook != nil {
		letter := DeadLetter[M]{c.From, c.To, c.Msg, why}
		s.later(func() { hook(letter) })
	}
}
