package scheduler

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"pgregory.net/rapid"
)

// modelTest drives a scheduler and its model with the same calls, legal and illegal ones.
type modelTest struct {
	*testScheduler
	model    model
	contexts []*modelContext // all there ever were
	tickets  []fiber.Ticket
	tokens   []fiber.Token
	// completed are those of them that have ended before they were given up.
	completed []fiber.Token
	awaited   map[fiber.Token]*modelContext
	boxes     []*fakeSource
	lastSeq   uint64
	allNest   bool
}

const (
	mostFibers = 5
	mostPins   = 2
)

func newModelTest(t *rapid.T) *modelTest {
	grace := rapid.SampledFrom([]fiber.Time{0, 30}).Draw(t, "grace")
	return &modelTest{
		testScheduler: &testScheduler{New[int](Config{MaxFibers: mostFibers, MaxTrampolines: 4, MaxNesting: mostPins, Grace: time.Duration(grace)}), t},
		model:         model{grace: grace},
		awaited:       map[fiber.Token]*modelContext{},
		boxes:         []*fakeSource{{name: "left"}, {name: "right"}},
	}
}

// try makes a call that is legal by the model, or must be refused and change nothing.
func (p *modelTest) try(legal bool, call func()) bool {
	if legal {
		if e := refusal(call); e != nil {
			p.t.Fatalf("a legal call was refused: %v\n%s", e, p.Inspect().Dump())
		}
		return true
	}
	before := p.Inspect().Dump()
	if refusal(call) == nil {
		p.t.Fatalf("an illegal call was not refused:\n%s\nis now\n%s", before, p.Inspect().Dump())
	}
	if after := p.Inspect().Dump(); after != before {
		p.t.Fatalf("a refused call changed something:\n%s\nis now\n%s", before, after)
	}
	return false
}

// same compares an answer of the scheduler with the model's.
func same[V comparable](p *modelTest, what string, got, want V) {
	if got != want {
		p.t.Fatalf("%s: %v, the model says %v\n%s", what, got, want, p.Inspect().Dump())
	}
}

// check compares everything both know.
func (p *modelTest) check(*rapid.T) {
	p.Inspect().Verify()
	m := &p.model
	var current, executing fiber.ID
	if x := m.running(); x != nil {
		current, executing = m.cur.own.id, x.id
	}
	same(p, "current", p.Current(), current)
	same(p, "executing", p.Inspect().Executing(), executing)
	for _, x := range p.contexts {
		same(p, "the state of "+x.id.String(), p.Inspect().State(x.id), x.state())
		if x.phase == blockedPhase && x.state() == fiber.Blocked {
			same(p, "the reason of "+x.id.String(), p.Inspect().Reason(x.id), x.reason)
		}
	}
	var ready, want []fiber.ID
	for slot := range p.run().all() {
		ready = append(ready, fiber.NewRegularID(slot, p.slots.at(slot).gen).ID())
	}
	for _, r := range m.ready {
		want = append(want, r.own.id)
	}
	if !slices.Equal(ready, want) {
		p.t.Fatalf("ready are %v, the model says %v", ready, want)
	}
	p.checkRegistrations()
	same(p, "lost", p.Inspect().Counts().Lost, m.lost)
	same(p, "live", p.Inspect().Live(), m.live())
	if m.cur == nil {
		same(p, "verdict", p.Steps().IdleVerdictWithReport().Kind, m.verdict(len(p.awaiting()) > 0))
	}
}

// awaiting are the tokens that are waited for, by the model.
func (p *modelTest) awaiting() (open []fiber.Token) {
	for tok, x := range p.awaited {
		if x.state() != fiber.Dead && (x.phase == armedPhase || x.phase == blockedPhase) && x.reason.Token == tok {
			open = append(open, tok)
		}
	}
	return open
}

// checkRegistrations: a source holds a ticket exactly as long as its wait is open (I10).
func (p *modelTest) checkRegistrations() {
	for _, b := range p.boxes {
		var want []fiber.Ticket
		for _, x := range p.contexts {
			if open := x.phase == armedPhase || x.phase == blockedPhase; open && x.state() != fiber.Dead && slices.Contains(x.boxes, b) {
				want = append(want, x.ticket)
			}
		}
		same(p, "waits in "+b.name, len(b.waiting), len(want))
		for _, ticket := range want {
			same(p, ticket.String()+" in "+b.name, b.Holds(ticket), true)
		}
	}
}

func (p *modelTest) Spawn(t *rapid.T) {
	frames, front := rapid.Bool().Draw(t, "frames"), rapid.Bool().Draw(t, "front")
	nests := p.allNest || rapid.IntRange(0, 2).Draw(t, "nests") == 0
	movable := rapid.Bool().Draw(t, "movable")
	var id fiber.RegularID
	var err error
	if front && movable && !frames && !nests { // which has a cheap form
		id, err = p.Fork(0)
	} else {
		id, err = p.SpawnWith(0, Options{Frames: frames, Nests: nests, Front: front, Movable: movable})
	}
	same(p, "too many", errors.Is(err, ErrTooManyFibers), p.model.live() == mostFibers)
	if err == nil {
		x := p.model.spawn(id, frames, nests, front)
		x.root.movable = movable
		p.contexts = append(p.contexts, x)
	}
}

func (p *modelTest) Next(t *rapid.T) {
	m := &p.model
	polls := rapid.Bool().Draw(t, "polls first")
	var f *Fiber[int]
	if !p.try(m.cur == nil, func() {
		if polls {
			p.Poll()
		}
		f = p.ScheduleNext()
	}) {
		return
	}
	if polls {
		m.poll()
	}
	if f == nil {
		same(p, "nobody although somebody is ready", polls && len(m.ready) > 0, false)
		return
	}
	m.cur, m.ready = m.ready[0], m.ready[1:]
	m.cur.state = fiber.Running
}

func (p *modelTest) Tick(t *rapid.T) {
	if p.model.cur != nil {
		p.try(false, func() { p.Poll() })
		return
	}
	p.model.now += fiber.Time(rapid.IntRange(0, 40).Draw(t, "by"))
	p.at(p.model.now)
	p.model.poll()
}

func (p *modelTest) Yield(*rapid.T) {
	m := &p.model
	if p.try(m.is(calm) && !m.cur.nested(), p.YieldCurrent) {
		m.enqueue(m.cur)
		m.leaveCPU()
	}
}

func (p *modelTest) Arm(t *rapid.T) {
	p.claimInTime(t)
	m := &p.model
	r, boxes := fiber.OnQueue(), []*fakeSource(nil)
	switch kind := rapid.SampledFrom([]fiber.Kind{fiber.Queue, fiber.Queue, fiber.Timer, fiber.IO}).Draw(t, "kind"); kind {
	case fiber.Timer:
		r = fiber.Until(m.now + fiber.Time(rapid.IntRange(-5, 60).Draw(t, "sleep")))
	case fiber.IO:
		r = fiber.OnIO(p.anyToken(t))
	case fiber.Queue:
		boxes = rapid.SampledFrom([][]*fakeSource{nil, p.boxes[:1], p.boxes[1:], p.boxes}).Draw(t, "boxes")
		r.External = rapid.Bool().Draw(t, "from outside")
	}
	if r.Kind != fiber.Timer && rapid.Bool().Draw(t, "with a deadline") {
		r = r.WithDeadline(m.now + fiber.Time(rapid.IntRange(0, 60).Draw(t, "by")))
	}
	p.arm(r, boxes)
}

func (p *modelTest) arm(r fiber.Reason, boxes []*fakeSource) {
	m := &p.model
	x, legal := m.running(), m.is(calm)
	if r.Kind == fiber.IO {
		_, gone := p.awaited[r.Token]
		legal = legal && x == m.cur.own && !gone && p.io.Owner(r.Token).ID() == x.id
	}
	var sources []fiber.Source
	for _, b := range boxes {
		sources = append(sources, b)
	}
	var ticket fiber.Ticket
	if !p.try(legal, func() {
		switch plain := r == fiber.OnQueue(); { // with cheap forms of the same
		case plain && len(boxes) == 0:
			ticket = p.ArmForQueue()
		case plain && len(boxes) == 1:
			ticket = p.ArmOn(boxes[0])
		default:
			ticket = p.Core.Arm(r, sources...)
		}
	}) {
		return
	}
	for _, b := range boxes {
		b.park(ticket)
	}
	p.note(ticket)
	m.arm(x, ticket, r, boxes)
	if r.Kind == fiber.IO {
		p.awaited[r.Token] = x
		if p.Core.cur.has(latched) { // it was complete already
			m.complete(x, fiber.OK)
		}
	}
}

// note keeps a ticket to be tried again later.
func (p *modelTest) note(ticket fiber.Ticket) {
	if ticket.Seq <= p.lastSeq {
		p.t.Fatalf("%v comes after wait %d", ticket, p.lastSeq)
	}
	p.lastSeq = ticket.Seq
	p.tickets = append(p.tickets, ticket)
}

// anyToken is one that was given out, or one that never was.
func (p *modelTest) anyToken(t *rapid.T) fiber.Token {
	if len(p.tokens) == 0 {
		return 1 << 30
	}
	return rapid.SampledFrom(p.tokens).Draw(t, "token")
}

func TestASchedulerAgreesWithItsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newModelTest(t)
		actions := map[string]func(*rapid.T){
			"": p.check, "spawn": p.Spawn, "next": p.Next, "tick": p.Tick, "yield": p.Yield, "arm": p.Arm,
			"next again": p.Next, "spawn again": p.Spawn, "arm again": p.Arm,
			"disarm": p.Disarm, "block": p.Block, "block again": p.Block, "claim": p.Claim, "wake": p.Wake,
			"deliver": p.Deliver, "deliver again": p.Deliver, "cancel": p.Cancel, "kill": p.Kill, "exit": p.Exit,
			"finish": p.Finish, "acquire": p.Acquire, "release": p.Release, "submit": p.Submit,
			"complete": p.Complete, "collect": p.Collect, "block for queue": p.BlockForQueue, "block on": p.BlockOn, "block on again": p.BlockOn,
			"apply": p.Apply, "apply again": p.Apply, "mask": p.Mask, "unmask": p.Unmask, "interrupted": p.Interrupted,
			"yield pinned": p.YieldPinned, "unpin": p.Unpin, "unpin again": p.Unpin, "fail pinned": p.FailPinned,
			"move out": p.MoveOut, "move out last": p.MoveOutLast, "move in": p.MoveIn, "move in again": p.MoveIn,
			"lend": p.Lend, "recall": p.Recall, "recall again": p.Recall, "pause": p.Pause, "resume": p.Resume, "resume again": p.Resume,
		}
		for range 4 { // rapid's own number of steps is short for what takes several to set up
			t.Repeat(actions)
		}
	})
}

func (p *modelTest) Submit(*rapid.T) {
	m := &p.model
	if m.cur != nil && m.cur.unwinds() {
		return
	}
	var tok fiber.Token
	if p.try(m.cur != nil, func() { tok, _ = p.Core.Ops().Submit() }) {
		p.tokens = append(p.tokens, tok)
		m.cur.operations = append(m.cur.operations, tok)
	}
}

func (p *modelTest) Complete(t *rapid.T) {
	tok := p.anyToken(t)
	x := p.awaited[tok]
	open := slices.Contains(p.awaiting(), tok)
	verdict := p.Core.Ops().Complete(tok, ioqueue.Completion{N: 1})
	same(p, "delivered", verdict == ioqueue.Deliver, open)
	if open {
		p.model.complete(x, fiber.OK)
	}
	if verdict == ioqueue.Deliver || verdict == ioqueue.Early {
		p.completed = append(p.completed, tok)
	}
}

// Collect takes what an operation ended with, if its fiber has not given it up.
func (p *modelTest) Collect(t *rapid.T) {
	tok := p.anyToken(t)
	_, ok := p.Core.Ops().Completion(tok)
	owned := func(r *modelRoot) bool { return r.state != fiber.Dead && slices.Contains(r.operations, tok) }
	at := slices.IndexFunc(p.model.roots, owned)
	same(p, "a completion", ok, at >= 0 && slices.Contains(p.completed, tok))
	if ok {
		r := p.model.roots[at]
		r.operations = slices.DeleteFunc(r.operations, func(other fiber.Token) bool { return other == tok })
	}
}
