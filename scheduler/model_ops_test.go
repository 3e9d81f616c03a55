package scheduler

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"pgregory.net/rapid"
)

func (p *modelTest) Disarm(*rapid.T) {
	m := &p.model
	var r fiber.Result
	var got bool
	if !p.try(m.is(armedPhase, latchedPhase), func() { r, got = p.Core.Disarm() }) {
		return
	}
	x := m.running()
	same(p, "a latched result", got, x.phase == latchedPhase)
	same(p, "its code", r.Code, x.code)
	if x.phase == armedPhase {
		m.close(x)
		delete(p.awaited, x.reason.Token) // the operation can be awaited again
	}
	x.phase, x.owed = calm, false
}

func (p *modelTest) Block(*rapid.T) {
	m := &p.model
	var how Blocking
	if p.try(m.is(armedPhase, latchedPhase), func() { how = p.Core.Block() }) {
		same(p, "Block", how, m.block())
	}
}

func (p *modelTest) BlockForQueue(t *rapid.T) {
	m := &p.model
	p.claimInTime(t)
	x := m.running()
	var ticket fiber.Ticket
	var how Blocking
	if p.try(m.is(calm), func() { ticket, how = p.Core.BlockForQueue() }) {
		p.note(ticket)
		m.arm(x, ticket, fiber.OnQueue(), nil)
		same(p, "BlockForQueue", how, m.block())
	}
}

func (p *modelTest) BlockOn(t *rapid.T) {
	m := &p.model
	p.claimInTime(t)
	x := m.running()
	b := rapid.SampledFrom(p.boxes).Draw(t, "box")
	var ticket fiber.Ticket
	var how Blocking
	if p.try(m.is(calm), func() { ticket, how = p.Core.BlockOn(b) }) {
		p.note(ticket)
		m.arm(x, ticket, fiber.OnQueue(), []*fakeSource{b})
		same(p, "BlockOn", how, m.block())
		if how == Parked || how == Pinned {
			b.park(ticket)
		}
	}
}

// Apply is a source that serves its longest-waiting fiber, or names itself as the source of a
// ticket it has nothing to do with.
func (p *modelTest) Apply(t *rapid.T) {
	b := rapid.SampledFrom(p.boxes).Draw(t, "box")
	ticket, from := fiber.Ticket{}, b.Slot()
	if rapid.IntRange(0, 3).Draw(t, "does not vouch") == 0 {
		from = 0
	}
	switch {
	case len(b.waiting) > 0:
		ticket = b.match()
	case len(p.tickets) > 0:
		ticket = rapid.SampledFrom(p.tickets).Draw(t, "ticket")
	default:
		same(p, "a delivery to nobody", p.Core.Apply(fiber.Wakeup{}), 0)
		return
	}
	x := p.holder(ticket)
	same(p, "what a box decided for "+ticket.String(), p.Core.Apply(fiber.Wakeup{Ticket: ticket, Result: ok, From: from}), p.model.deliver(x, ticket))
}

func (p *modelTest) holder(ticket fiber.Ticket) *modelContext {
	for _, x := range p.contexts {
		if x.id == ticket.ID {
			return x
		}
	}
	p.t.Fatalf("%v belongs to nobody", ticket)
	return nil
}

func (p *modelTest) Claim(*rapid.T) {
	m := &p.model
	var ticket fiber.Ticket
	var r fiber.Result
	if !p.try(m.is(calm), func() { ticket, r = p.Core.Claim() }) {
		return
	}
	x := m.running()
	if !x.ticket.IsZero() {
		same(p, "the claimed ticket", ticket, x.ticket)
	}
	same(p, "the claimed code", r.Code, x.code)
	x.owed = false
}

// claimInTime claims before the next wait, as the checked build demands. Without it a wait may begin
// before the result of the last one was claimed.
func (p *modelTest) claimInTime(t *rapid.T) {
	if invariants.On && p.model.is(calm) {
		p.Claim(t)
	}
}

// anyContext is one that lives or has lived, or one that never was.
func (p *modelTest) anyContext(t *rapid.T) *modelContext {
	if len(p.contexts) == 0 || rapid.IntRange(0, 20).Draw(t, "nobody") == 0 {
		return &modelContext{id: fiber.NewRegularID(99, 1).ID(), dead: true}
	}
	return rapid.SampledFrom(p.contexts).Draw(t, "context")
}

func (p *modelTest) Wake(t *rapid.T) {
	x := p.anyContext(t)
	legal := x.state() == fiber.Blocked && x.phase == blockedPhase && len(x.boxes) == 0
	if p.try(legal, func() { p.Core.Wake(x.id) }) {
		p.model.end(x, fiber.OK)
	}
}

func (p *modelTest) Deliver(t *rapid.T) {
	if len(p.tickets) == 0 {
		return
	}
	ticket := rapid.SampledFrom(p.tickets).Draw(t, "ticket")
	x := p.holder(ticket)
	same(p, "delivery to "+ticket.String(), p.Core.Deliver(ticket, ok), p.model.deliver(x, ticket))
}

func (p *modelTest) Cancel(t *rapid.T) {
	x := p.anyContext(t)
	err := p.Core.Cancel(x.id, nil)
	same(p, "gone", errors.Is(err, ErrGone), x.state() == fiber.Dead)
	if err == nil {
		p.model.cancel(x.root)
	}
}

func (p *modelTest) Kill(t *rapid.T) {
	x := p.anyContext(t)
	err := p.Core.Kill(x.id, nil)
	same(p, "gone", errors.Is(err, ErrGone), x.state() == fiber.Dead)
	if err == nil {
		p.model.kill(x.root)
	}
}

func (p *modelTest) mayExit() bool { return p.model.is(calm) && len(p.model.cur.calls) == 0 }

func (p *modelTest) Exit(*rapid.T) {
	if p.try(p.mayExit(), func() { _, _ = p.Core.Exit(1, nil) }) {
		p.model.die(p.model.cur)
	}
}

func (p *modelTest) Finish(t *rapid.T) {
	m := &p.model
	kind := rapid.SampledFrom([]fiber.OutcomeKind{fiber.FrameChanged, fiber.TimesliceExpired, fiber.Done}).Draw(t, "outcome")
	buries := m.cur != nil && m.cur.doomed && m.cur.frameless()
	legal := buries
	switch kind {
	case fiber.FrameChanged:
		legal = legal || m.cur != nil
	case fiber.TimesliceExpired:
		legal = legal || m.is(calm) && !m.cur.nested()
	case fiber.Done:
		legal = legal || p.mayExit()
	}
	var resume bool
	if !p.try(legal, func() { resume = p.Core.Finish(fiber.Outcome{Kind: kind}) }) {
		return
	}
	same(p, "resume", resume, !buries && kind == fiber.FrameChanged)
	switch {
	case buries || kind == fiber.Done:
		m.close(m.cur.own)
		m.die(m.cur)
	case kind == fiber.TimesliceExpired:
		m.enqueue(m.cur)
		m.leaveCPU()
	}
}

func (p *modelTest) Acquire(*rapid.T) {
	m := &p.model
	var id fiber.TrampolineID
	var err error
	if !p.try(m.is(calm), func() { id, err = p.Core.AcquireTrampoline() }) {
		return
	}
	switch {
	case m.cur.doomed:
		same(p, "killed", err == ErrKilled, true)
	case m.cur.fatal:
		same(p, "failed by a verdict", errors.As(err, new(*PanicError)), true)
	case m.cur.nests && len(m.pins) == mostPins:
		same(p, "too deep", errors.Is(err, ErrTooDeep), true)
	case errors.Is(err, ErrTooManyTrampolines):
		same(p, "calls in flight", p.Inspect().LiveTrampolines(), 4)
	default:
		x := &modelContext{id: id.ID(), root: m.cur}
		m.cur.calls = append(m.cur.calls, x)
		p.contexts = append(p.contexts, x)
	}
}

func (p *modelTest) Release(t *rapid.T) {
	m := &p.model
	x := p.anyContext(t)
	if m.cur != nil && rapid.Bool().Draw(t, "the top") {
		x = m.running()
	}
	legal := m.is(calm) && x == m.running() && x != m.cur.own
	if !p.try(legal, func() { p.Core.ReleaseTrampoline(fiber.TrampolineID(x.id)) }) {
		return
	}
	if x.owed {
		m.lost++
	}
	x.dead = true
	m.cur.calls = m.cur.calls[:len(m.cur.calls)-1]
}

func (p *modelTest) Mask(*rapid.T) {
	if p.try(p.model.cur != nil, p.Core.Unwind().Mask) {
		p.model.cur.masks++
	}
}

func (p *modelTest) Unmask(*rapid.T) {
	m := &p.model
	if p.try(m.cur != nil && m.cur.masks > 0, p.Core.Unwind().Unmask) {
		m.cur.masks--
	}
}

func (p *modelTest) Interrupted(*rapid.T) {
	m := &p.model
	if m.cur == nil {
		return
	}
	code, want := fiber.Pending, fiber.Pending
	code, _ = p.Core.TakeInterrupt()
	switch {
	case m.cur.unwinds():
		want = fiber.Killed
	case m.cur.mustUnwind():
		want, m.cur.cancel = fiber.Cancelled, cancelTaken
	}
	same(p, "Interrupted", code, want)
}
