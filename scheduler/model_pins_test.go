package scheduler

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// nested tells whether the root is in a native call that cannot park.
func (r *modelRoot) nested() bool { return r.nests && len(r.calls) > 0 }

func (m *model) pin() {
	m.pins = append(m.pins, m.cur)
	m.leaveCPU()
}

// innermost is the pinned call whose pump runs, or nil.
func (m *model) innermost() *modelContext {
	if len(m.pins) == 0 {
		return nil
	}
	return m.pins[len(m.pins)-1].top()
}

func (m *model) goesOn() bool {
	x := m.innermost()
	return x != nil && x.phase == calm
}

// buried is the innermost call that could go on below one that cannot.
func (m *model) buried() *modelContext {
	for i := len(m.pins) - 2; i >= 0; i-- {
		if x := m.pins[i].top(); x.phase == calm {
			return x
		}
	}
	return nil
}

func (p *modelTest) YieldPinned(*rapid.T) {
	m := &p.model
	if p.try(m.is(calm) && m.cur.nested(), p.Calls().YieldPinned) {
		m.pin()
	}
}

func (p *modelTest) Unpin(*rapid.T) {
	m := &p.model
	if p.try(m.cur == nil && m.goesOn(), p.Calls().Unpin) {
		last := len(m.pins) - 1
		m.cur, m.pins = m.pins[last], m.pins[:last]
	}
}

func (p *modelTest) FailPinned(*rapid.T) {
	m := &p.model
	verdict := m.verdict(len(p.awaiting()) > 0)
	stuck := verdict == Deadlock || verdict == StackInversion
	var err error
	if !p.try(m.cur == nil && len(m.pins) > 0 && stuck, func() { err = p.Calls().FailPinned() }) {
		return
	}
	x := m.innermost()
	var inversion *StackInversionError
	same(p, "an inversion", errors.As(err, &inversion), verdict == StackInversion)
	if inversion != nil {
		same(p, "buried", inversion.Below, m.buried().id)
		same(p, "by", inversion.Above, x.id)
	}
	x.root.fatal = true
	m.end(x, fiber.Killed)
}

// The same model where no fiber can park, with the actions that lead deep.
func TestASchedulerThatPumpsAgreesWithItsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newModelTest(t)
		p.allNest = true
		actions := map[string]func(*rapid.T){
			"": p.check, "spawn": p.Spawn, "spawn again": p.Spawn, "next": p.Next, "next again": p.Next, "tick": p.Tick,
			"acquire": p.Acquire, "acquire again": p.Acquire, "arm": p.Arm, "block": p.Block,
			"block for queue": p.BlockForQueue, "block for queue again": p.BlockForQueue, "block on": p.BlockOn,
			"deliver": p.Deliver, "wake": p.Wake, "apply": p.Apply, "yield pinned": p.YieldPinned, "unpin": p.Unpin,
			"fail pinned": p.FailPinned, "cancel": p.Cancel, "release": p.Release, "exit": p.Exit,
		}
		for range 4 {
			t.Repeat(actions)
		}
	})
}
