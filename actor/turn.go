package actor

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/wait"
)

// Turn carries out the commands that wait, and those they give, until none is left,
// Options.Fuel of them are done, or Options.MaxOutputs outputs wait to be read. It tells
// whether commands are left, or restarts that are due. A host with a loop of its own calls
// it between slices, with no fiber running; Next and All do it by themselves. A system that a
// Player runs is driven by Play only.
func (s *System[M]) Turn() (more bool) {
	switch {
	case s.busy:
		panic(misuse(rule.OneOwner, "a turn is under way: what an actor or a hook dispatches is carried out by itself"))
	case s.core.Current() != 0:
		panic(misuse(rule.CallOrder, "a fiber runs: a turn may have to kill it; call it between slices"))
	}
	s.refusePlayed()
	s.fuel = s.opts.Fuel
	s.checkOutputs()
	if s.journal != nil && (s.mayGoOn() || s.hookCalls.len() > 0 || s.wake() <= s.Now()) {
		s.journal.turn(s.Now())
	}
	s.carryOut(s.fuel, true)
	return s.queue.len() > 0 || len(s.delayed) > 0 && s.wake() <= s.Now()
}

// carryOut is a turn of at most so many commands, with or without the restarts that are due.
func (s *System[M]) carryOut(fuel int, restarts bool) {
	s.busy = true
	s.fuel = fuel
	if restarts {
		s.failedStarts = 0
		s.releaseDelayed()
	}
	defer s.rest()
	for s.mayGoOn() || s.hookCalls.len() > 0 {
		s.burst()
	}
}

// refusePlayed panics if a Player runs the system: its time is that of the journal, so a restart
// that is due after the last line would never come, and what a turn does is not in the journal.
func (s *System[M]) refusePlayed() {
	if s.isPlayed() {
		panic(misuse(rule.CallOrder, "a Player runs this system, by Play; make another system to go on"))
	}
}

func (s *System[M]) isPlayed() bool { return s.journal != nil && s.journal.player != nil }

func misuse(r fiber.Rule, fix string) error {
	return &wait.ContractError{Rule: r, Op: "turn", Object: "actor system", Fix: fix}
}

// rest ends the turn, also one that was left by runtime.Goexit.
func (s *System[M]) rest() {
	if s.queue.len() == 0 {
		s.queue.rest()
	}
	s.busy = false
	s.openRooms()
}

func (s *System[M]) mayGoOn() bool { return s.fuel > 0 && s.queue.len() > 0 }

// checkOutputs ends the turn when its outputs are not read.
func (s *System[M]) checkOutputs() {
	if s.outputs.len() >= s.opts.MaxOutputs {
		s.fuel = 0
	}
}

// burst carries out commands until the turn is over or code of an actor or of the host panics. So a panic
// costs a new burst, and all other commands nothing.
func (s *System[M]) burst() {
	defer s.contain()
	for {
		switch {
		case s.hookCalls.len() > 0:
			s.callHook(s.hookCalls.pop())
		case s.mayGoOn():
			s.watchful = len(s.middleware) > 0 || s.journal != nil
			s.run()
		default:
			return
		}
	}
}

// run carries out one command, and messages to handlers for as long as there is nothing else
// to look at.
func (s *System[M]) run() {
	for !s.watchful && s.mayGoOn() {
		e := s.queue.front()
		a := s.actors.find(e.to)
		if e.op != opCounted || a == nil || a.handler == nil || a.skipped > 0 {
			break
		}
		var none M
		to, msg := e.to, e.msg
		e.msg = none
		s.queue.drop()
		s.fuel--
		a.queued--
		s.stats.Delivered++
		s.acting = to
		a.handler.Handle(s.actors.slots[to.slot()].cx, msg)
		s.acting = Outside
	}
	if s.mayGoOn() && s.hookCalls.len() == 0 {
		s.fuel--
		s.next()
	}
}

// next carries out one command. A message that no middleware is to see does not come here.
func (s *System[M]) next() {
	c := s.take()
	blocked := len(s.middleware) > 0 && !s.screened(&c)
	if s.journal != nil {
		s.journal.do(s, &c, blocked)
	}
	if blocked {
		s.block(&c)
		return
	}
	switch c.op {
	case OpSend, opCounted:
		s.deliver(c.from, c.to, c.msg, c.op == opCounted)
	case OpSpawn:
		s.spawn(&c)
	default:
		s.endByCommand(&c)
	}
}

func (s *System[M]) endByCommand(c *taken[M]) {
	a := s.actors.find(c.to)
	switch {
	case a == nil || c.life != nil && c.life != a.cx: // it has ended, or was restarted, since
	case c.op == OpKill:
		s.end(a, Death{Cause: c.cause})
	case a.life == alive:
		s.fail(a, c.cause)
	}
}

// deliver has the receiver handle the message, if there is one.
func (s *System[M]) deliver(from, to Handle, msg M, counted bool) {
	a := s.actors.find(to)
	switch {
	case a == nil:
		s.deliverUnknown(from, to, msg)
	case counted && !a.takes():
		s.bin(from, to, msg, ErrDropped)
	case a.handler != nil:
		s.stats.Delivered++
		s.acting = to
		a.handler.Handle(a.cx, msg)
		s.acting = Outside
	case a.life == alive:
		s.post(a, from, msg)
	default:
		s.bin(from, to, msg, ErrDown)
	}
}

func (s *System[M]) deliverUnknown(from, to Handle, msg M) {
	if to != Output {
		s.bin(from, to, msg, ErrUnknown)
		return
	}
	s.stats.Delivered++
	s.outputs.push(msg)
	s.checkOutputs()
}

// bin makes a message a dead letter.
func (s *System[M]) bin(from, to Handle, msg M, why error) {
	s.stats.Dead++
	if hook := s.opts.DeadLetter; hook != nil {
		letter := DeadLetter[M]{Command[M]{Op: OpSend, From: from, To: to, Msg: msg}, why}
		s.later(func() { hook(letter) })
	}
}
