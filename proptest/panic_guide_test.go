package proptest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/spec/panics"
)

// panicGuide performs the actions of spec/panics on real machines. It remembers what the
// model leaves out: which call is which, and what each panic was raised with.
type panicGuide struct {
	place
	step int
	of   [panics.MaxMachines]memory
}

// memory is what is known of one machine, in the order of the model's lists.
type memory struct {
	pending []int // which call, by the step that registered it
	raised  map[uint8]panicstate.Panic
}

func newPanicGuide(at place) *panicGuide {
	g := &panicGuide{place: at}
	for i := range g.of {
		g.of[i].raised = map[uint8]panicstate.Panic{}
	}
	return g
}

func (g *panicGuide) memory(s *panics.State) *memory {
	if s.Calling {
		return &g.of[1]
	}
	return &g.of[0]
}

func (g *panicGuide) do(from *panics.State, a panics.Action, to *panics.State) (panics.Answer, error) {
	g.step++
	m := g.memory(from)
	switch a.Kind {
	case panics.Begin:
		g.raise(from, a.Panic(), to)
	case panics.Defer:
		g.machine().Defer(int(a.A), g.step)
		if was, is := from.Executing(), to.Executing(); len(is.Pending()) > len(was.Pending()) {
			m.pending = slices.Insert(m.pending, newPlace(was, a.A), g.step)
		}
	case panics.NextDefer:
		d, ok := g.machine().NextDefer()
		return m.ran(d, ok, to)
	case panics.Return:
		d, ok := g.machine().Return(int(a.A))
		return m.ran(d, ok, to)
	case panics.EndDefer:
		return ended(g.machine().EndDefer())
	case panics.Recover:
		return m.recovered(from, g.recover, int(a.A))
	case panics.Reset:
		outcome, panicked := m.outcome(from.Executing())
		m.pending = nil
		return panics.Answer{}, g.reset(outcome, panicked)
	case panics.Enter:
		return panics.Answer{}, g.enter()
	case panics.Leave:
		g.leaves(from, to)
	}
	return panics.Answer{}, nil
}

// newPlace is where a call of the frame is to stand among those pending.
func newPlace(m *panics.Machine, frame uint8) int {
	n := 0
	for _, d := range m.Pending() {
		if d.Frame <= frame {
			n++
		}
	}
	return n
}

func (g *panicGuide) raise(from *panics.State, kind panicstate.Kind, to *panics.State) {
	site := fmt.Sprintf("line %d", g.step)
	g.begin(kind, g.step, site)
	if from.Executing().Generation == to.Executing().Generation {
		return // a Fatal panic, or one that a call has handed over, stays in force as it is
	}
	m, generation := g.memory(to), to.Executing().Generation
	m.raised[generation] = panicstate.Panic{Kind: kind, Value: g.step, Site: site, Generation: uint64(generation)}
	if kind == panicstate.Fatal {
		m.pending = nil
	}
}

// ran compares the call that is to be run with the one that should be.
func (m *memory) ran(d panicstate.Deferred, ok bool, to *panics.State) (panics.Answer, error) {
	if !ok {
		return panics.Answer{Word: panics.None}, nil
	}
	if m.pending == nil || d.Call != m.pending[len(m.pending)-1] {
		return panics.Answer{}, fmt.Errorf("runs the call deferred in step %v, of those in %v the last is next", d.Call, m.pending)
	}
	m.pending = m.pending[:len(m.pending)-1]
	return panics.Answer{Word: panics.Run, Frame: uint8(d.Frame)}, nil
}

func ended(step panicstate.Step, frame int) (panics.Answer, error) {
	word := map[panicstate.Step]panics.Word{
		panicstate.Continue: panics.Continue, panicstate.Recovered: panics.Recovered,
		panicstate.Returning: panics.Returning, panicstate.Stop: panics.Stop,
	}[step]
	return panics.Answer{Word: word, Frame: uint8(frame)}, nil
}

func (m *memory) recovered(from *panics.State, ask func(int) (any, bool), frame int) (panics.Answer, error) {
	value, ok := ask(frame)
	if !ok {
		return panics.Answer{Word: panics.None}, nil
	}
	if p := from.Executing().Last(); p == nil || value != m.raised[p.Generation].Value {
		return panics.Answer{}, fmt.Errorf("recovers %v; the panic is %+v of %+v", value, p, m.raised)
	}
	return panics.Answer{Word: panics.Value}, nil
}

// leaves: what ended the call is in force in the caller, by its value and site (I7).
func (g *panicGuide) leaves(from, to *panics.State) {
	p, panicked := g.of[1].outcome(from.Executing())
	g.leave()
	g.of[1].pending = nil
	if !panicked {
		return
	}
	p.Generation = uint64(to.Machines[0].Generation)
	g.of[0].raised[to.Machines[0].Generation] = p
	if p.Kind == panicstate.Fatal {
		g.of[0].pending = nil
	}
}

// outcome is what the machine has ended with.
func (m *memory) outcome(s *panics.Machine) (panicstate.Panic, bool) {
	if !s.Over {
		return panicstate.Panic{}, false
	}
	return m.raised[s.Panics()[0].Generation], true
}

// active is the latest panic that that is not recovered.
func (m *memory) active(s *panics.Machine) (panicstate.Panic, bool) {
	all := s.Panics()
	for i := len(all) - 1; i >= 0; i-- {
		if !all[i].Recovered {
			return m.raised[all[i].Generation], true
		}
	}
	return panicstate.Panic{}, false
}

// match compares what can be seen of the machine that executes.
func (g *panicGuide) match(s *panics.State) error {
	m, want := g.memory(s), s.Executing()
	if got := g.machine().Phase(); got != phaseOf(want) {
		return fmt.Errorf("phase %v, not %v", got, phaseOf(want))
	}
	p, ok := g.machine().Active()
	if q, is := m.active(want); ok != is || p != q {
		return fmt.Errorf("%+v (%v) is in force, not %+v (%v)", p, ok, q, is)
	}
	if q, handed := g.machine().Handed(); handed != (s.Handed && !s.Calling) || handed && q != p {
		return fmt.Errorf("%+v (%v) was handed over, not %+v (%v)", q, handed, p, s.Handed)
	}
	p, ok = g.machine().Outcome()
	if q, is := m.outcome(want); ok != is || p != q {
		return fmt.Errorf("the outcome is %+v (%v), not %+v (%v)", p, ok, q, is)
	}
	return nil
}

func phaseOf(m *panics.Machine) panicstate.Phase {
	switch {
	case m.KillPending():
		return panicstate.UnwindingFatal
	case m.Over:
		return panicstate.Ended
	case m.Unwinding():
		return panicstate.Unwinding
	case m.Inner() == nil:
		return panicstate.Idle
	case m.Inner().Unwound:
		return panicstate.InDefer
	}
	return panicstate.Returned
}

// refuses: what the machine does not allow is the host's mistake, by name. What only the
// bounds of the model do not allow cannot be asked for.
func (g *panicGuide) refuses(s *panics.State, a panics.Action) error {
	m := s.Executing()
	switch {
	case a.Kind == panics.Enter && !s.Calling:
		return g.noEntry()
	case a.Kind == panics.Reset:
		return g.noExit()
	case a.Kind == panics.Enter, a.Kind == panics.Leave:
		return nil
	case a.Kind == panics.Begin && (m.Code() || s.Handed && !s.Calling || a.Panic() == panicstate.Fatal), a.Kind == panics.Defer && !m.Over:
		return nil
	}
	var phase *panicstate.PhaseError
	if err := g.mistake(s, a); !errors.As(err, &phase) || phase.Phase != phaseOf(m) {
		return fmt.Errorf("is not refused by name: %v", err)
	}
	return nil
}

func (g *panicGuide) mistake(s *panics.State, a panics.Action) (err error) {
	defer caught(&err)
	switch a.Kind {
	case panics.Begin:
		g.begin(a.Panic(), nil, "")
	case panics.Defer:
		g.machine().Defer(int(a.A), nil)
	case panics.NextDefer:
		g.machine().NextDefer()
	case panics.Return:
		g.machine().Return(int(a.A))
	case panics.EndDefer:
		g.machine().EndDefer()
	}
	return nil
}
