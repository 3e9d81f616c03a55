package panics

import (
	"slices"

	"github.com/selvage-dev/selvage/panicstate"
)

// Step performs an action in place. False: it is not enabled, and s is as it was.
func (c Config) Step(s *State, a Action) (Answer, bool) {
	if !c.Can(s, a) {
		return Answer{Word: Refused}, false
	}
	return c.do(s, a), true
}

// Can tells whether s enables a.
func (c Config) Can(s *State, a Action) bool {
	m := s.Executing()
	switch a.Kind {
	case Begin:
		room := int(m.Generation) < c.Panics && int(s.Machines[0].Generation) < c.Panics
		return m.KillPending() || c.keeps(s, a.Panic()) ||
			room && (m.Code() || s.handed() || a.Panic() == panicstate.Fatal)
	case Defer:
		return m.KillPending() || !m.Over && int(m.waits+m.runs) < c.Calls
	case NextDefer:
		return m.Over || m.Unwinding()
	case Return:
		deeper := m.waits > 0 && m.pending[m.waits-1].Frame > a.A
		return m.KillPending() || m.Code() && m.within(a.A) && !deeper
	case EndDefer:
		_, left := m.due()
		return m.KillPending() || m.Code() && m.runs > 0 && !left
	case Reset:
		return !s.Calling
	case Enter:
		return !s.Calling && m.Code()
	case Leave:
		return s.Calling
	}
	return true
}

func (c Config) do(s *State, a Action) Answer {
	m := s.Executing()
	switch a.Kind {
	case Reset:
		s.Machines[0], s.Handed = Machine{}, false
	case Enter:
		s.Calling = true
	case Leave:
		c.leave(s)
	case Begin:
		c.begin(s, a.Panic())
	case Recover:
		return c.recover(m, a.A)
	default:
		if a.Kind == NextDefer && !s.Calling {
			s.Handed = false
		}
		if m.KillPending() {
			return Answer{Word: doomedWords[a.Kind]}
		}
		return c.doIn(m, a)
	}
	return Answer{}
}

// doomedWords is what is left to say where a Fatal panic is in force.
var doomedWords = [kinds]Word{NextDefer: None, Return: None, EndDefer: Stop}

func (c Config) doIn(m *Machine, a Action) Answer {
	switch a.Kind {
	case Defer:
		c.register(m, a.A)
	case NextDefer:
		return c.nextDefer(m)
	case Return:
		if call, ok := m.due(); ok && call.Frame == a.A {
			return c.start(m, false)
		}
		return Answer{Word: None}
	case EndDefer:
		return c.endDefer(m)
	}
	return Answer{}
}

// handed: native code executes whose call has handed a panic over.
func (s *State) handed() bool { return s.Handed && !s.Calling }

// keeps: the panic that was handed over stays in force, because the new one is not stronger.
func (c Config) keeps(s *State, kind panicstate.Kind) bool {
	return s.handed() && kind <= s.Machines[0].Last().Kind && c.Bug != ReplacesHanded
}

// begin raises a panic, or goes on with the one that was handed over.
func (c Config) begin(s *State, kind panicstate.Kind) {
	m, keeps := s.Executing(), c.keeps(s, kind)
	if m.KillPending() {
		return
	}
	if s.handed() && !keeps {
		m.setPanics(slices.Clone(m.panics[:m.has-1]))
	}
	if !s.Calling {
		s.Handed = false
	}
	if !keeps {
		c.raise(m, kind, m.Generation+1)
	}
}

// raise begins a panic. A Fatal one leaves nothing else.
func (c Config) raise(m *Machine, kind panicstate.Kind, generation uint8) {
	if kind == panicstate.Fatal && c.Bug != FatalUnwinds {
		*m = Machine{Over: true}
	}
	m.Generation = generation
	m.panics[m.has] = Panic{Kind: kind, Generation: generation, Level: m.runs}
	m.has++
}

// register puts a call among the pending ones, behind those of its frame.
func (c Config) register(m *Machine, frame uint8) {
	call := Call{Frame: frame, Generation: m.Generation}
	if m.Code() && m.runs > 0 && c.Bug != ForgetsParent {
		call.Generation = m.Inner().Generation
	}
	deeper := slices.IndexFunc(m.Pending(), func(p Call) bool { return p.Frame > frame })
	if deeper < 0 {
		deeper = int(m.waits)
	}
	copy(m.pending[deeper+1:m.waits+1], m.pending[deeper:m.waits])
	m.pending[deeper] = call
	m.waits++
}

// start makes the last pending call a running one.
func (c Config) start(m *Machine, unwound bool) Answer {
	last := m.waits - 1
	call := m.pending[last]
	if c.Bug != RunsAgain || !unwound {
		m.pending[last] = Call{}
		m.waits = last
	}
	call.Unwound = unwound
	m.running[m.runs] = call
	m.runs++
	return Answer{Run, call.Frame}
}

func (m *Machine) stop() Call {
	call := *m.Inner()
	*m.Inner() = Call{}
	m.runs--
	return call
}

// nextDefer leaves running calls behind until one is due.
func (c Config) nextDefer(m *Machine) Answer {
	for !m.Over {
		if _, ok := m.due(); ok && c.Bug != SkipsDefers {
			return c.start(m, true)
		}
		if m.runs == 0 {
			m.Over = true
			break
		}
		m.stop()
		c.comeOut(m)
	}
	return Answer{Word: None}
}

// comeOut takes the panics of a call that was left behind out of it. They stay together;
// what they were raised in stays only if it is stronger.
func (c Config) comeOut(m *Machine) {
	var around, out []Panic
	for _, p := range m.Panics() {
		if p.Level <= m.runs {
			around = append(around, p)
			continue
		}
		p.Level = m.runs
		out = append(out, p)
	}
	replaced := func(p Panic) bool { return p.Level == m.runs && (p.Kind <= out[0].Kind || c.Bug == WeakerReplaces) }
	m.setPanics(append(slices.DeleteFunc(around, replaced), out...))
}

func (m *Machine) setPanics(all []Panic) {
	m.panics = [MaxPanics]Panic{}
	m.has = uint8(copy(m.panics[:], all))
}

func (c Config) endDefer(m *Machine) Answer {
	call := m.stop()
	if !call.Unwound {
		return Answer{Returning, call.Frame}
	}
	if m.Last().Recovered {
		m.setPanics(slices.Clone(m.panics[:m.has-1]))
		if c.Bug == EndsOuterToo && m.has > 0 {
			m.setPanics(slices.Clone(m.panics[:m.has-1]))
		}
	}
	if m.Unwinding() {
		return Answer{Continue, call.Frame}
	}
	return Answer{Recovered, call.Frame}
}

func (c Config) recover(m *Machine, frame uint8) Answer {
	call, p := m.Inner(), m.Last()
	switch {
	case !m.Code() || call == nil || !call.Unwound || p.Recovered,
		frame != call.Frame+1 && c.Bug != RecoversInHelper,
		p.Kind != panicstate.Recoverable && c.Bug != RecoversExit,
		call.Generation >= p.Generation && c.Bug != RecoversLate:
		return Answer{Word: None}
	}
	p.Recovered = true
	return Answer{Word: Value}
}

// leave ends the trampoline's machine. What ended its code is raised in the caller, later
// than everything there.
func (c Config) leave(s *State) {
	callee := s.Machines[1]
	s.Calling = false
	s.Machines[1] = Machine{}
	if c.Bug == KeepsUnwind {
		s.Machines[1] = callee
		s.Machines[1].Generation, s.Machines[1].Over = 0, false
	}
	if !callee.Over || c.Bug == SwallowsPanic {
		return
	}
	p, caller := callee.panics[0], &s.Machines[0]
	generation := max(caller.Generation+1, p.Generation)
	if c.Bug == LosesGeneration {
		generation = 0
	}
	c.raise(caller, p.Kind, generation)
	s.Handed = p.Kind != panicstate.Fatal
}
