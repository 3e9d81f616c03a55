package replay

import "github.com/selvage-dev/selvage/spec"

// move: a fiber leaves for another scheduler, or comes from one.
func (r *run) move(rec *record) error {
	switch rec.Says {
	case "in":
		return r.moveIn(rec)
	case "out":
		return r.moveOut(rec)
	}
	return breaks(i12, "a fiber moves out or in, not %q", rec.Says)
}

// moveOut: what ties a fiber to its scheduler and is in no trace, a lock or a scope, is not
// looked at.
func (r *run) moveOut(rec *record) error {
	if rec.Masks != 0 {
		return breaks(i6, "what a fiber has masked is told where it moves in")
	}
	if rec.id.IsTrampoline() {
		return nameOfCall(rec)
	}
	w := r.open()
	a := spec.Action{Kind: spec.MoveOut, A: uint8(w.subject(rec))}
	if w.s.Contexts[a.A].Status == spec.Runnable {
		w.s.Ready[0], w.s.ReadyLen = a.Slot(), 1
	}
	if _, f := r.alive(rec.id); f != nil && len(f.tokens) > 0 {
		w.putToken(f.tokens[0])
	}
	return r.perform(w, a, rec, always)
}

func (r *run) moveIn(rec *record) error {
	if rec.id.IsTrampoline() {
		return nameOfCall(rec)
	}
	f, err := r.newRoot(rec.id)
	if err != nil {
		return err
	}
	w := r.open()
	a := spec.Action{Kind: spec.MoveIn, A: uint8(w.put(f)), B: uint8(min(rec.Masks, 1))}
	err = r.perform(w, a, rec, func(spec.Answer) error {
		r.inhabit(f, rec.id)
		return nil
	})
	if err == nil {
		f.masks = int(rec.Masks)
	}
	return err
}

// lend: a worker begins or ends a slice of a fiber.
func (r *run) lend(rec *record) error {
	switch rec.Says {
	case "lent":
		return root1(spec.Lend)(r, rec)
	case "recalled":
		return r.recall(rec)
	}
	return breaks(i2, "a fiber is lent or recalled, not %q", rec.Says)
}

func (r *run) recall(rec *record) error {
	if rec.id.IsTrampoline() {
		return nameOfCall(rec)
	}
	w := r.open()
	return r.perform(w, spec.Action{Kind: spec.Recall, A: uint8(w.subject(rec))}, rec, always)
}

func nameOfCall(rec *record) error {
	return breaks(i4, "%v is the name of a trampoline, which goes where its root goes", rec.id)
}
