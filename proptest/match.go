package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// Match compares the whole state of the scheduler with one of the model, through the
// refinement map. It also has the current fiber claim how its last wait ended. The
// error names the first difference.
//
// Three things of the model cannot be seen from outside and show in what the
// scheduler does next: which of the old tickets is live, whether an armed wait is
// latched, and the frames flag.
func (r *Harness) Match(m *spec.State) (err error) {
	defer caught(&err)
	for x := range r.bounds.Slots() {
		if err := r.matchContext(m, x); err != nil {
			return err
		}
	}
	for f := range r.bounds.Fibers {
		if m.Contexts[f].Status != spec.Dead {
			if err := r.matchFiber(m, spec.Regular(f)); err != nil {
				return err
			}
		}
	}
	for _, part := range [...]func(*Harness, *spec.State) error{
		(*Harness).matchQueue, (*Harness).matchCounts, (*Harness).matchVerdict, (*Harness).matchPins, (*Harness).matchSnapshot, (*Harness).claim, (*Harness).matchCancellations,
		(*Harness).matchCostly,
	} {
		if err := part(r, m); err != nil {
			return err
		}
	}
	if r.host.Objects {
		if err := r.matchObjects(m); err != nil {
			return err
		}
	}
	return r.ledger.matchDropped()
}

// matchCostly is a call that must be refused, and the scheduler's own comparison of all
// its books.
func (r *Harness) matchCostly(m *spec.State) error {
	if r.brief && r.step%4 != 0 {
		return nil
	}
	r.Scheduler.Inspect().Verify()
	return r.matchMasks(m)
}

// stateOf is the scheduler's word for a status.
func stateOf(s spec.Status) fiber.State {
	switch s {
	case spec.Dead:
		return fiber.Dead
	case spec.Runnable:
		return fiber.Runnable
	case spec.Running:
		return fiber.Running
	}
	return fiber.Blocked
}

func (r *Harness) matchContext(m *spec.State, x spec.Slot) error {
	id, status := r.names.id[x], m.Contexts[x].Status
	if got := r.Scheduler.Inspect().State(id); got != stateOf(status) {
		return errorf("%v (%v) is %v, not %v", x, id, got, status)
	}
	reason := r.Scheduler.Inspect().Reason(id)
	if want := r.reasonOf(m, x); reason != want {
		return errorf("%v (%v) waits on %v, not on %v", x, id, reason, want)
	}
	if status == spec.Dead {
		return nil
	}
	if got, err := r.Scheduler.Inspect().Lookup(id.Raw()); got != id {
		return errorf("the raw name of %v (%v) leads to %v, %v", x, id, got, err)
	}
	if root := m.Root(x); r.Scheduler.Unwind().KillPending(id) != m.Fibers[root].Doomed {
		return errorf("%v (%v) is doomed: %v", x, id, !m.Fibers[root].Doomed)
	}
	return nil
}

func (r *Harness) reasonOf(m *spec.State, x spec.Slot) fiber.Reason {
	switch m.Contexts[x].Status {
	case spec.BlockedQueue:
		reason := fiber.OnQueue().WithDeadline(r.dueOf(m, x))
		reason.External = m.Contexts[x].Outside
		return reason
	case spec.BlockedIO:
		k, _ := m.Awaited(x)
		return fiber.OnIO(r.names.token[k]).WithDeadline(r.dueOf(m, x))
	case spec.BlockedTimer:
		return fiber.Until(r.dueOf(m, x))
	}
	return fiber.Reason{}
}

// matchFiber compares what only a living regular fiber has.
func (r *Harness) matchFiber(m *spec.State, f spec.Slot) error {
	id := r.names.regular(f)
	if slot, ok := r.Scheduler.Fiber(id); !ok || slot.Data != f {
		return errorf("%v has the payload of another", f)
	}
	if got := r.Scheduler.Unwind().Cause(id.ID()); !isCause(got, r.ledger.cause[f]) {
		return errorf("%v is to end because of %v, not of %v", f, got, r.ledger.cause[f])
	}
	if paused := r.Scheduler.Inspect().Paused(id.ID()); paused != m.Fibers[f].Held {
		return errorf("%v is paused: %v", f, paused)
	}
	chain := m.ChainOf(f)
	for t := range r.Scheduler.Inspect().ChainOf(id) {
		top := len(chain) - 1
		if top < 0 || t.ID() != r.names.id[chain[top]] {
			return errorf("%v is in the chain of %v, which is %v", t, f, m.ChainOf(f))
		}
		chain = chain[:top]
	}
	if len(chain) > 0 {
		return errorf("%v is not in the chain of %v", chain, f)
	}
	return nil
}

// matchQueue compares which fiber runs and which fibers run next.
func (r *Harness) matchQueue(m *spec.State) error {
	if got := r.Scheduler.Current(); got != r.names.context(m.Current) {
		return errorf("current is %v, not %v", got, m.Current)
	}
	if got := r.Scheduler.Inspect().Executing(); got != r.names.context(m.Exec()) {
		return errorf("%v executes, not %v", got, m.Exec())
	}
	queue := m.Queue()
	for id := range r.Scheduler.Inspect().Ready() {
		if len(queue) == 0 || id.ID() != r.names.id[queue[0]] {
			return errorf("%v is in the ready queue, which is %v", id, m.Queue())
		}
		queue = queue[1:]
	}
	if len(queue) > 0 {
		return errorf("%v is missing at the end of the ready queue", queue)
	}
	return nil
}

// matchCounts compares what the scheduler counts instead of looking.
func (r *Harness) matchCounts(m *spec.State) error {
	live, blocked, calls, awaited := 0, 0, 0, false
	for f := range r.bounds.Fibers {
		status := m.Contexts[f].Status
		if status != spec.Dead {
			live++
			calls += int(m.Fibers[f].Depth)
		}
		if status.Blocked() {
			blocked++
		}
	}
	for k := range r.bounds.Tokens {
		awaited = awaited || m.Tokens[k].Waiter != spec.NoSlot
	}
	x := m.Exec()
	s := r.Scheduler
	switch {
	case s.Inspect().Live() != live:
		return errorf("%d live, not %d", s.Inspect().Live(), live)
	case s.Inspect().Blocked() != blocked:
		return errorf("%d blocked, not %d", s.Inspect().Blocked(), blocked)
	case s.Inspect().LiveTrampolines() != calls:
		return errorf("%d native calls, not %d", s.Inspect().LiveTrampolines(), calls)
	case s.HasIOWaiters() != awaited:
		return errorf("has I/O waiters: %v", !awaited)
	case s.Moves().Lent() != r.lentTo(m):
		return errorf("%d lent, not %d", s.Moves().Lent(), r.lentTo(m))
	case s.HasWork() != (m.ReadyLen > 0 || m.Current != spec.NoSlot || r.lentTo(m) > 0):
		return errorf("has work: %v", s.HasWork())
	case s.Inspect().Armed() != (x != spec.NoSlot && m.Contexts[x].Latch != spec.Unarmed):
		return errorf("armed: %v", s.Inspect().Armed())
	case s.Inspect().Counts() != r.ledger.counts:
		return errorf("counts %+v, not %+v", s.Inspect().Counts(), r.ledger.counts)
	}
	return nil
}
