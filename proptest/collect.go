package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/spec"
)

// collect takes what an operation ended with. To the model the token is free as soon
// as the wait has ended; the real one ends when its completion is collected.
func (r *Harness) collect(owner spec.Slot, tok fiber.Token, want ioqueue.Completion) error {
	if r.host.Lazy && !r.names.movable[owner] { // who moves has no operation
		r.ledger.uncollected[owner] = completed{tok, want}
		return nil
	}
	return r.take(completed{tok, want})
}

func (r *Harness) take(p completed) error {
	if got, ok := r.Scheduler.Ops().Completion(p.token); !ok || got != p.done {
		return errorf("token %d ended with %v (%v), not with %v", p.token, got, ok, p.done)
	}
	return nil
}

// claim has the current fiber collect how its last wait ended, and what came with it.
// A lazy host claims every other time only, so that some results are never claimed. The checked build
// refuses that as a mistake of the host.
func (r *Harness) claim(m *spec.State) error {
	x := m.Exec()
	if x == spec.NoSlot || m.Contexts[x].Latch != spec.Unarmed {
		return nil
	}
	if p := r.ledger.uncollected[m.Current]; p.token != 0 {
		r.ledger.uncollected[m.Current] = completed{}
		if err := r.take(p); err != nil {
			return err
		}
	}
	if r.host.Lazy && !invariants.On && r.odd() {
		return nil
	}
	w := &r.ledger.wait[x]
	t, result := r.Scheduler.Claim()
	w.owed = false
	if result.Code != w.result.Code || !w.ticket.IsZero() && t != w.ticket ||
		result.Code != fiber.Pending && result != w.result {
		return errorf("%v claims %v of %v; it waited with %v, which ended with %v", x, result, t, w.ticket, w.result)
	}
	return nil
}

// matchCancellations: exactly the orphans are to be cancelled, each once.
func (r *Harness) matchCancellations(m *spec.State) error {
	if !r.host.Shell {
		return nil
	}
	device := &r.outside.device
	device.told = r.Scheduler.Ops().Cancellations(device.told)
	defer func() { device.told = device.told[:0] }()
	for _, tok := range device.told {
		k := r.orphan(m, tok)
		if k < 0 || r.ledger.asked[k] {
			return errorf("wants token %d cancelled, which is no orphan or has been cancelled", tok)
		}
		r.ledger.asked[k] = true
	}
	for k := range r.bounds.Tokens {
		if m.Tokens[k].State == spec.Orphan && !r.ledger.asked[k] {
			return errorf("does not want the orphan %d (token %d) cancelled", k, r.names.token[k])
		}
	}
	return nil
}

func (r *Harness) orphan(m *spec.State, tok fiber.Token) int {
	for k := range r.bounds.Tokens {
		if m.Tokens[k].State == spec.Orphan && r.names.token[k] == tok {
			return k
		}
	}
	return -1
}
