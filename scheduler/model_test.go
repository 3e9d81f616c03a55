package scheduler

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// model is the simplest scheduler: lists that are searched, and flags. It knows
// no headers, no batches and no side records. It follows docs/design.md#transitions.
type model struct {
	now    fiber.Time
	grace  fiber.Time
	roots  []*modelRoot // all there ever were
	ready  []*modelRoot
	held   []*modelRoot // ready, and paused
	cur    *modelRoot
	pins   []*modelRoot // under pumps, the innermost last
	lent   []*modelRoot // run by others
	away   []modelMoved // have moved out
	timers []modelTimer // in the order of their registration
	lost   uint64
}

type modelRoot struct {
	state          fiber.State
	frames, doomed bool
	nests, fatal   bool
	movable        bool
	paused         bool
	operations     []fiber.Token // neither over nor given up
	cancel         cancelState
	masks          int
	own            *modelContext
	calls          []*modelContext // the innermost last
}

// phase is how far a context is with its wait.
type phase uint8

const (
	calm phase = iota
	armedPhase
	latchedPhase
	blockedPhase
)

// modelContext is a root or a native call: what can have a wait.
type modelContext struct {
	id     fiber.ID
	root   *modelRoot
	dead   bool
	phase  phase
	ticket fiber.Ticket
	reason fiber.Reason
	boxes  []*fakeSource
	code   fiber.Code
	owed   bool // a source may hold something for it
}

type modelTimer struct {
	deadline fiber.Time
	ticket   fiber.Ticket // of the wait it ends, or
	root     *modelRoot   // the chain it kills
}

func (r *modelRoot) top() *modelContext {
	if n := len(r.calls); n > 0 {
		return r.calls[n-1]
	}
	return r.own
}

func (r *modelRoot) frameless() bool { return !r.frames && len(r.calls) == 0 }

// unwinds: everything is refused but what unwinding needs.
func (r *modelRoot) unwinds() bool { return r.doomed || r.fatal }

func (r *modelRoot) mustUnwind() bool {
	return r.unwinds() || r.cancel == cancelRequested && r.masks == 0
}

// running is the executing context, or nil.
func (m *model) running() *modelContext {
	if m.cur == nil {
		return nil
	}
	return m.cur.top()
}

// is tells whether the executing context is in one of the phases.
func (m *model) is(phases ...phase) bool {
	x := m.running()
	return x != nil && slices.Contains(phases, x.phase)
}

func (m *model) live() (n int) {
	for _, r := range m.roots {
		if r.state != fiber.Dead {
			n++
		}
	}
	return n
}

// state is what a context's State is, by what its root's is.
func (x *modelContext) state() fiber.State {
	switch {
	case x.dead || x.root.state == fiber.Dead:
		return fiber.Dead
	case x == x.root.own:
		return x.root.state
	case x.root.state == fiber.Blocked || x.phase == blockedPhase:
		return fiber.Blocked
	}
	return fiber.Running
}

func (m *model) spawn(id fiber.RegularID, frames, nests, front bool) *modelContext {
	r := &modelRoot{state: fiber.Runnable, frames: frames, nests: nests}
	r.own = &modelContext{id: id.ID(), root: r}
	m.roots = append(m.roots, r)
	if front {
		m.ready = slices.Insert(m.ready, 0, r)
	} else {
		m.ready = append(m.ready, r)
	}
	return r.own
}

func (m *model) enqueue(r *modelRoot) {
	r.state = fiber.Runnable
	m.ready = append(m.ready, r)
}

func (m *model) leaveCPU() { m.cur = nil }

// poll serves timers, then buries the doomed at the head, and holds the paused.
func (m *model) poll() {
	for m.fireOne() {
	}
	for len(m.ready) > 0 {
		switch r := m.ready[0]; {
		case r.doomed && r.frameless():
			m.ready = m.ready[1:]
			m.die(r)
		case r.paused && !r.doomed:
			m.ready = m.ready[1:]
			m.held = append(m.held, r)
		default:
			return
		}
	}
}

// unhold puts a held fiber back into the ready queue.
func (m *model) unhold(r *modelRoot) {
	if at := slices.Index(m.held, r); at >= 0 {
		m.held = slices.Delete(m.held, at, at+1)
		m.ready = append(m.ready, r)
	}
}

// fireOne fires the first of the due timers, if there is one.
func (m *model) fireOne() bool {
	best := -1
	for i, timer := range m.timers {
		if timer.deadline <= m.now && (best < 0 || timer.deadline < m.timers[best].deadline) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	timer := m.timers[best]
	m.timers = slices.Delete(m.timers, best, best+1)
	if timer.root != nil {
		m.kill(timer.root)
		return true
	}
	for _, r := range m.roots {
		x := r.top()
		if x.state() == fiber.Blocked && x.ticket == timer.ticket && x.phase == blockedPhase {
			code := fiber.TimedOut
			if x.reason.Kind == fiber.Timer {
				code = fiber.OK
			}
			m.end(x, code)
		}
	}
	return true
}

func (m *model) dropTimer(unwanted func(modelTimer) bool) {
	m.timers = slices.DeleteFunc(m.timers, unwanted)
}

func (m *model) arm(x *modelContext, t fiber.Ticket, r fiber.Reason, boxes []*fakeSource) {
	x.phase, x.ticket, x.reason, x.boxes, x.code, x.owed = armedPhase, t, r, boxes, fiber.Pending, false
	if r.Deadline != fiber.Never {
		m.timers = append(m.timers, modelTimer{deadline: r.Deadline, ticket: t})
	}
}

// close ends what the wait registered.
func (m *model) close(x *modelContext) {
	m.dropTimer(func(t modelTimer) bool { return t.root == nil && t.ticket == x.ticket })
	x.boxes = nil
}

// giveUp is what the end of a wait for an operation does to that.
func (x *modelContext) giveUp() {
	if x.reason.Kind == fiber.IO {
		x.root.operations = slices.DeleteFunc(x.root.operations, func(tok fiber.Token) bool { return tok == x.reason.Token })
	}
}

// end is the end of an open wait by anything but its owner and its operation.
func (m *model) end(x *modelContext, code fiber.Code) {
	x.giveUp()
	m.complete(x, code)
}

// complete is end by the operation that it waits for.
func (m *model) complete(x *modelContext, code fiber.Code) {
	m.close(x)
	x.code = code
	if x.phase == armedPhase {
		x.phase = latchedPhase
		return
	}
	x.phase = calm
	if x.root.state == fiber.Blocked { // else a pump takes it up
		m.enqueue(x.root)
	}
}

func (m *model) deliver(x *modelContext, t fiber.Ticket) fiber.Delivery {
	switch {
	case x.state() == fiber.Dead:
		return fiber.Gone
	case x.ticket != t || x.phase != armedPhase && x.phase != blockedPhase:
		return fiber.Stale
	case x.reason.Kind != fiber.Queue:
		return fiber.WrongSource
	}
	x.owed = len(x.boxes) > 0
	latches := x.phase == armedPhase
	m.end(x, fiber.OK)
	if latches {
		return fiber.Latched
	}
	return fiber.Woken
}

func (m *model) block() Blocking {
	r, x := m.cur, m.running()
	switch {
	case x.phase == latchedPhase && x != r.own:
		x.phase = calm
		return Resumed
	case x.phase == latchedPhase:
		x.phase = calm
		m.enqueue(r)
		m.leaveCPU()
		return Requeued
	case r.mustUnwind():
		m.close(x)
		x.giveUp()
		x.phase, x.code = calm, fiber.Killed
		if !r.unwinds() {
			x.code, r.cancel = fiber.Cancelled, cancelTaken
		}
		return Interrupted
	case r.nested():
		x.phase = blockedPhase
		m.pin()
		return Pinned
	}
	x.phase, r.state = blockedPhase, fiber.Blocked
	m.leaveCPU()
	return Parked
}

func (m *model) cancel(r *modelRoot) {
	if r.doomed || r.cancel != notCancelled {
		return
	}
	if m.grace > 0 {
		m.timers = append(m.timers, modelTimer{deadline: m.now + m.grace, root: r})
	}
	if r.top().state() == fiber.Blocked && r.masks == 0 {
		r.cancel = cancelTaken
		m.end(r.top(), fiber.Cancelled)
		return
	}
	r.cancel = cancelRequested
}

func (m *model) kill(r *modelRoot) {
	switch {
	case r.doomed:
	case r.state == fiber.Blocked && r.frameless():
		m.close(r.own)
		m.die(r)
	case r.top().state() == fiber.Blocked:
		r.doomed = true
		m.end(r.top(), fiber.Killed)
	default:
		r.doomed = true
		m.unhold(r)
	}
}

func (m *model) die(r *modelRoot) {
	if r.own.owed {
		m.lost++
	}
	m.dropTimer(func(t modelTimer) bool { return t.root == r })
	r.state = fiber.Dead
	if m.cur == r {
		m.leaveCPU()
	}
}

// verdict tells what an idle model waits for: nothing it knows of is left out.
func (m *model) verdict(operations bool) VerdictKind {
	outside := operations || len(m.timers) > 0 || len(m.lent) > 0 || len(m.held) > 0
	for _, r := range m.roots {
		outside = outside || r.top().state() == fiber.Blocked && r.top().reason.External
	}
	switch {
	case len(m.ready) > 0 || m.goesOn():
		return Busy
	case m.live() == 0:
		return Done
	case outside:
		return Waiting
	case m.buried() != nil:
		return StackInversion
	}
	return Deadlock
}
