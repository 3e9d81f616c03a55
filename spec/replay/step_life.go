package replay

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// subject is the slot of the context that the record names. A fiber that is dead, or
// never was, is shown by an empty slot.
func (w *window) subject(rec *record) spec.Slot {
	c, f := w.run.alive(rec.id)
	switch {
	case c != nil:
		return w.slotOf(c, f)
	case rec.id.IsTrampoline():
		return newCall
	}
	return deadSlot
}

func (r *run) cancel(rec *record) error {
	w := r.open()
	a := spec.Action{Kind: spec.Cancel, A: uint8(w.subject(rec))}
	if rec.Says != "" {
		return w.goneFor(a, rec)
	}
	return r.perform(w, a, rec, func(spec.Answer) error {
		switch begins := w.s.Grace != spec.NoSlot && w.roots[w.s.Grace].grace == nil; {
		case begins && rec.By == nil:
			return breaks(i9, "a grace period begins and the line does not say when it ends")
		case !begins && rec.By != nil:
			return breaks(i10, "no grace period begins: there is none, or the fiber was cancelled before")
		}
		return nil
	})
}

func (r *run) kill(rec *record) error {
	w := r.open()
	a := spec.Action{Kind: spec.Kill, A: uint8(w.subject(rec))}
	if rec.Says != "" {
		return w.goneFor(a, rec)
	}
	if _, f := r.alive(rec.id); f != nil {
		w.putGrace(f)
	}
	return r.perform(w, a, rec, always)
}

// goneFor: an order that comes too late is refused, and one that is refused came too late.
func (w *window) goneFor(a spec.Action, rec *record) error {
	if err := says(rec, "gone"); err != nil {
		return err
	}
	if !w.refuses(a) {
		return breaks(i3, "%v is alive", rec.id)
	}
	return nil
}

func (r *run) acquire(rec *record) error {
	if !rec.id.IsTrampoline() {
		return breaks(i4, "%v is not the name of a trampoline", rec.id)
	}
	t, err := r.newCall(rec.id)
	if err != nil {
		return err
	}
	w := r.open()
	w.calls[newCall.Index()] = t
	w.s.Contexts[newCall].Status = t.status
	return r.perform(w, spec.Action{Kind: spec.Acquire, A: uint8(newCall)}, rec, func(spec.Answer) error {
		if int(rec.id.Index()) == len(r.calls) {
			r.calls = append(r.calls, t)
		}
		t.id = rec.id
		return nil
	})
}

func (r *run) newCall(id fiber.ID) (*call, error) {
	slot := int(id.Index())
	if slot < len(r.calls) {
		return r.calls[slot], isNext(id, r.calls[slot].id)
	}
	return new(call), isFirst(id, len(r.calls))
}

// submit: an operation of the current fiber, which may have others. The specification
// knows one of a fiber at a time, so the others are not shown.
func (r *run) submit(rec *record) error {
	if r.tokens[rec.Token] != nil {
		return breaks(i12, "token %d has been given out and has not ended", rec.Token)
	}
	w := r.open()
	w.s.Tokens, w.counts.tokens = r.blank.Tokens, 0
	t := &token{name: rec.Token}
	w.tokens[0], w.counts.tokens = t, 1
	return r.perform(w, spec.Action{Kind: spec.IoSubmit}, rec, func(spec.Answer) error {
		if err := r.byCurrent(rec); err != nil {
			return err
		}
		r.tokens[rec.Token] = t
		return nil
	})
}

// complete: an operation has ended, or an end is reported a second time.
func (r *run) complete(rec *record) error {
	if rec.Says == "attached" {
		return attached
	}
	t := r.tokens[rec.Token]
	if t == nil || !t.flying {
		if rec.Says != "duplicate" && rec.Says != "unknown" {
			return breaks(i12, "token %d has ended before, or was never given out: its end is \"duplicate\" or \"unknown\"", rec.Token)
		}
		return nil
	}
	w := r.open()
	return r.perform(w, spec.Action{Kind: spec.IoDone, A: uint8(w.putToken(t))}, rec, rec.told)
}
