package panics

import (
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/spec/graph"
)

// Check holds a state against the invariants and returns the first breach it finds.
func (c Config) Check(s *State) graph.Breach {
	if s.Handed && !s.Machines[0].Unwinding() {
		return graph.Breaks(7, "a panic was handed over and is not in force: %+v", s.Machines[0])
	}
	for i := range s.Machines {
		m := &s.Machines[i]
		if i == 1 && !s.Calling && *m != (Machine{}) {
			return graph.Breaks(7, "the trampoline has left %+v behind", *m)
		}
		for _, check := range [...]func(*Machine) graph.Breach{checkCalls, checkPanics, checkEnd} {
			if b := check(m); !b.OK() {
				return b
			}
		}
	}
	return graph.Breach{}
}

// checkCalls: pending calls are sorted by frame, running frames grow, and what an unwind
// runs belongs to a panic of its level.
func checkCalls(m *Machine) graph.Breach {
	for i := 1; i < int(m.waits); i++ {
		if m.pending[i-1].Frame > m.pending[i].Frame {
			return graph.Breaks(6, "pending are %v", m.Pending())
		}
	}
	for i, call := range m.Running() {
		if i > 0 && m.running[i-1].Frame >= call.Frame {
			return graph.Breaks(6, "running are %v", m.Running())
		}
		unwinds := false
		for _, p := range m.Panics() {
			unwinds = unwinds || int(p.Level) == i
		}
		if call.Unwound != unwinds {
			return graph.Breaks(6, "running are %v by the panics %v", m.Running(), m.Panics())
		}
	}
	return graph.Breach{}
}

// checkPanics: they stand by level, by generation, and within a level the stronger first;
// what is recovered is the last of a call that runs.
func checkPanics(m *Machine) graph.Breach {
	for i, p := range m.Panics() {
		bad := p.Level > m.runs || p.Generation > m.Generation ||
			p.Recovered && (p.Kind != panicstate.Recoverable || p.Level == m.runs)
		if i > 0 {
			q := m.panics[i-1]
			bad = bad || q.Level > p.Level || q.Generation >= p.Generation ||
				q.Level == p.Level && (q.Kind <= p.Kind || q.Recovered)
		}
		if bad {
			return graph.Breaks(6, "panics are %v, generation %d, %d calls run", m.Panics(), m.Generation, m.runs)
		}
	}
	return graph.Breach{}
}

// checkEnd: a machine that has ended has run everything; a Fatal panic is alone and ends at once.
func checkEnd(m *Machine) graph.Breach {
	if m.Over && (m.has == 0 || m.waits+m.runs > 0) {
		return graph.Breaks(6, "over with %v pending, %v running, panics %v", m.Pending(), m.Running(), m.Panics())
	}
	if m.strongest() == panicstate.Fatal && (!m.Over || m.has > 1) {
		return graph.Breaks(6, "a Fatal panic among %v, over: %v", m.Panics(), m.Over)
	}
	return graph.Breach{}
}

func (m *Machine) strongest() (k panicstate.Kind) {
	for _, p := range m.Panics() {
		k = max(k, p.Kind)
	}
	return k
}

// inForce is the number of panics that are not recovered.
func (m *Machine) inForce() (n int) {
	for _, p := range m.Panics() {
		n += graph.Count(!p.Recovered)
	}
	return n
}

// CheckStep holds one step against what docs/design.md#panic-state says about steps.
func (c Config) CheckStep(from *State, a Action, answer Answer, to *State) graph.Breach {
	was, is := from.Executing(), to.Executing()
	switch a.Kind {
	case Reset, Enter:
		return graph.Breach{}
	case Leave:
		return stepLeave(was, &from.Machines[0], is)
	case Recover:
		return stepRecover(was, a, answer)
	case EndDefer:
		if was.inForce() != is.inForce() {
			return graph.Breaks(6, "%v leaves of the panics %v only %v", a, was.Panics(), is.Panics())
		}
	}
	switch strong := was.strongest(); {
	case strong > panicstate.Recoverable && is.strongest() < strong:
		return graph.Breaks(6, "%v replaces the panics %v by the weaker %v", a, was.Panics(), is.Panics())
	case was.waits > 0 && is.Over && is.strongest() != panicstate.Fatal:
		return graph.Breaks(6, "%v ends the fiber with %v to run", a, was.Pending())
	}
	return graph.Breach{}
}

// stepRecover: only in the deferred call itself, only what began after it was registered,
// only what can be recovered.
func stepRecover(m *Machine, a Action, answer Answer) graph.Breach {
	if answer.Word != Value {
		return graph.Breach{}
	}
	if call, p := m.Inner(), m.Last(); call == nil || !call.Unwound || a.A != call.Frame+1 ||
		p.Kind != panicstate.Recoverable || p.Generation <= call.Generation {
		return graph.Breaks(6, "%v recovers %v in %v", a, m.Panics(), m.Running())
	}
	return graph.Breach{}
}

// stepLeave: the caller has the panic that ended the callee, later than all of its own, and
// nothing else.
func stepLeave(callee, caller, now *Machine) graph.Breach {
	if !callee.Over {
		if *now != *caller {
			return graph.Breaks(7, "a call that ended without a panic changes its caller to %+v", *now)
		}
		return graph.Breach{}
	}
	p, got := callee.panics[0], now.Last()
	if got == nil || got.Kind != p.Kind || got.Generation < p.Generation || got.Generation <= caller.Generation ||
		!now.Unwinding() && !now.KillPending() {
		return graph.Breaks(7, "of %v the caller, at generation %d, gets %v", p, caller.Generation, now.Panics())
	}
	return graph.Breach{}
}
