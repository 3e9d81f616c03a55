package proptest

import (
	"errors"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
	"github.com/selvage-dev/selvage/spec/graph"
)

// stall is an object to wait at: it knows a fiber that waits and counts what was assigned in
// vain.
type stall struct {
	fiber.Anchor
	waiting []fiber.Ticket
	asked   int // how often it was asked whether it had assigned something to a fiber that will not collect
}

// The scheduler tells a stall what its fibers did not live to collect.
var _ fiber.Assigner = (*stall)(nil)

func newStalls(n int) []*stall {
	stalls := make([]*stall, n)
	for i := range stalls {
		stalls[i] = new(stall)
	}
	return stalls
}

// Withdraw takes out a fiber that gave up.
func (s *stall) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if i := slices.Index(s.waiting, t); i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
	return dst
}

// Holds tells a fiber that waits.
func (s *stall) Holds(t fiber.Ticket) bool { return slices.Contains(s.waiting, t) }

// Forfeit counts. A stall keeps nothing of what it assigns.
func (s *stall) Forfeit(_ fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	s.asked++
	return dst, false
}

// byObjects: waits are registered with objects. Those of a movable fiber are not: it must
// have claimed what one has for it before it moves, which is in the model of moves alone.
func (r *Harness) byObjects(s *spec.State) bool {
	return r.host.Objects && (s.Current == spec.NoSlot || !s.Fibers[s.Current].Movable)
}

// armWithObjects registers the wait with none, one or two of the stalls.
func (r *Harness) armWithObjects(reason fiber.Reason) fiber.Ticket {
	var sources [2]fiber.Source
	n := min(int(r.step)%3, len(r.stalls))
	at := func(i int) *stall { return r.stalls[(int(r.step)/3+i)%len(r.stalls)] }
	for i := range n {
		sources[i] = at(i)
	}
	t := r.Scheduler.Arm(reason, sources[:n]...)
	for i := range n {
		at(i).waiting = append(at(i).waiting, t)
	}
	return t
}

// registrations is with how many stalls the ticket is registered.
func (r *Harness) registrations(t fiber.Ticket) (n int) {
	for _, s := range r.stalls {
		n += graph.Count(s.Holds(t))
	}
	return n
}

// waitsOnObjects: then the object decides whom it wakes, and Wake by ID is refused.
func (r *Harness) waitsOnObjects(m *spec.State, x spec.Slot) bool {
	return m.Contexts[x].Seq != spec.NoNumber && r.ledger.wait[x].objects > 0
}

// wakeByObject is WakeID of a context that waits on objects.
func (r *Harness) wakeByObject(from *spec.State, x spec.Slot) (spec.Answer, error) {
	err := r.wakePast(x)
	if refused, ok := errors.AsType[*scheduler.ContractError](err); !ok || refused.Rule.String() != "I11" {
		return spec.NoAnswer, errorf("Wake past an object: %v, want a refusal by I11", err)
	}
	t := r.names.ticket[x][from.Contexts[x].Seq]
	if d := r.Scheduler.Deliver(t, r.result()); d != fiber.Woken {
		return spec.NoAnswer, errorf("an object wakes %v: %v", t, d)
	}
	return spec.NoAnswer, nil
}

func (r *Harness) wakePast(x spec.Slot) (err error) {
	defer caught(&err)
	r.Scheduler.Wake(r.names.id[x])
	return nil
}

// matchObjects: a stall holds exactly the waits that have not ended (I10).
func (r *Harness) matchObjects(m *spec.State) error {
	held, want, asked := 0, 0, 0
	for _, s := range r.stalls {
		held += len(s.waiting)
		asked += s.asked
	}
	for x := range r.bounds.Slots() {
		if r.waitsOnObjects(m, x) {
			t := r.names.ticket[x][m.Contexts[x].Seq]
			want += r.ledger.wait[x].objects
			if n := r.registrations(t); n != r.ledger.wait[x].objects {
				return errorf("%v waits at %d objects, %v is registered with %d", x, r.ledger.wait[x].objects, t, n)
			}
		}
	}
	if held != want || asked != r.ledger.asks {
		return errorf("objects hold %d waits, not %d; and were asked %d times, not %d", held, want, asked, r.ledger.asks)
	}
	return nil
}
