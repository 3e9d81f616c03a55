package replay

import (
	"cmp"

	"github.com/selvage-dev/selvage/spec"
)

func (r *run) arm(rec *record) error {
	w := r.open()
	a := spec.Action{Kind: spec.ArmQueue}
	switch rec.On {
	case "queue":
		if rec.External {
			a.Kind = spec.ArmOutside
		}
	case "io":
		a.Kind = spec.ArmIO
		if t := r.tokens[rec.Token]; t != nil && t.owner == r.current && r.current != nil {
			w.putToken(t)
		}
	case "timer":
		a.Kind = spec.ArmTimer
	default:
		return breaks(i13, "no fiber waits on %q: it is queue, io or timer", rec.On)
	}
	if rec.External && (rec.On != "queue" || rec.By != nil) {
		return outside
	}
	if (rec.On == "io") != (rec.Token != 0) || rec.On == "timer" && rec.By == nil {
		return breaks(i13, "a wait for io has a token and no other has; one for the time has a deadline")
	}
	if rec.By != nil {
		a.A = 1
	}
	return r.perform(w, a, rec, func(spec.Answer) error {
		if err := r.byExecuting(rec); err != nil {
			return err
		}
		if rec.Wait <= r.waits {
			return breaks(i5, "wait %d is not later than %d: a ticket is used twice", rec.Wait, r.waits)
		}
		x := w.slotOf(r.executing(), r.current)
		if err := says(rec, latchedIf(w.s.Contexts[x].Latch == spec.Latched)); err != nil {
			return err
		}
		r.waits = rec.Wait
		return nil
	})
}

// latchedIf is the answer to the arming of a wait that has ended already.
func latchedIf(done bool) string {
	if done {
		return "latched"
	}
	return ""
}

func (r *run) block(rec *record) error {
	return r.perform(r.open(), spec.Action{Kind: spec.Block}, rec, func(answer spec.Answer) error {
		return cmp.Or(r.byExecuting(rec), rec.told(answer))
	})
}

func (r *run) interrupted(rec *record) error {
	return r.perform(r.open(), spec.Action{Kind: spec.Interrupted}, rec, func(answer spec.Answer) error {
		return cmp.Or(r.byCurrent(rec), rec.told(answer))
	})
}

func (r *run) wake(rec *record) error {
	w := r.open()
	return r.perform(w, spec.Action{Kind: spec.WakeID, A: uint8(w.subject(rec))}, rec, always)
}

// deliver uses a ticket. Which code holds it, and how often, is no matter of the scheduler's:
// it may come at any time, and more than once.
func (r *run) deliver(rec *record) error {
	if rec.Home != nil && *rec.Home != r.number {
		return says(rec, "wrong-source")
	}
	w := r.open()
	x, n := w.subject(rec), uint8(0)
	hands := &w.s.Contexts[x].Hands
	switch c, _ := r.alive(rec.id); {
	case c == nil:
		n, hands[1] = 1, spec.HeldOld
	case c.wait != rec.Wait:
		n, hands[1] = 1, spec.Held
	}
	return r.perform(w, spec.Action{Kind: spec.Deliver, A: uint8(x), B: n}, rec, rec.told)
}

// deadline: the earliest of all has come; if the choice is free, any of those at that instant.
func (r *run) deadline(rec *record) error {
	w, due := r.open(), r.timers.earliest()
	if r.bounds.Free {
		due = r.timers.alike(due, func(d *timer) bool { return d.grace == rec.Grace && d.fiber() == rec.id })
	}
	who := rec.id
	if due != nil {
		if who = due.fiber(); due.grace {
			w.counts.deadlines = 1 // those of waits are later
			// Before a held fiber, which returns to the queue then: that it is reaped is a line of its own.
			w.s.Ready[0], w.s.ReadyLen = deadSlot, 1
		}
		if r.current == nil {
			w.put(due.root)
			w.putGrace(due.root)
		}
	}
	return r.perform(w, spec.Action{Kind: spec.Expire}, rec, func(spec.Answer) error {
		if rec.id != who || rec.Grace != due.grace {
			return breaks(i9, "the deadline of %v comes first, at %v (of a grace period: %v)", who, due.at, due.grace)
		}
		return nil
	})
}
