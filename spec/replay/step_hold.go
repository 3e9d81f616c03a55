package replay

import "github.com/selvage-dev/selvage/spec"

// hold: the head of the ready queue, or any member if the choice is free, is taken aside. Why it is paused is in no trace.
func (r *run) hold(rec *record) error {
	head := r.inTurn(rec.id)
	if head == nil {
		return r.whyNot(spec.Hold)
	}
	w := r.open()
	w.s.Ready[0], w.s.ReadyLen = w.put(head), 1
	return r.perform(w, spec.Action{Kind: spec.Hold, A: uint8(w.s.Ready[0])}, rec, func(spec.Answer) error {
		return isNamed(rec, head.id, "the head of the ready queue")
	})
}

// resume: a held fiber returns to the ready queue.
func (r *run) resume(rec *record) error {
	if rec.id.IsTrampoline() {
		return nameOfCall(rec)
	}
	w := r.open()
	return r.perform(w, spec.Action{Kind: spec.Resume, A: uint8(w.subject(rec))}, rec, always)
}
