package replay

import (
	"cmp"

	"github.com/selvage-dev/selvage/spec"
)

// pump is the root of the innermost chain under a pump, or nil.
func (r *run) pump() *root {
	if n := len(r.pins); n > 0 {
		return r.pins[n-1]
	}
	return nil
}

func (r *run) unpin(rec *record) error {
	w, f := r.open(), r.pump()
	if f != nil && r.current == nil {
		w.put(f)
	}
	return r.perform(w, spec.Action{Kind: spec.Unpin}, rec, func(spec.Answer) error {
		return isNamed(rec, f.id, "the root of the innermost call under a pump")
	})
}

// failPinned is a verdict on the innermost call under a pump. It counts everything that
// might still go on, so the window hints at what it does not show.
func (r *run) failPinned(rec *record) error {
	w, f := r.open(), r.pump()
	if f != nil && r.current == nil {
		w.put(f)
		if below := r.buried(); below != nil {
			w.put(below)
		}
		w.hint()
	}
	return r.perform(w, spec.Action{Kind: spec.FailPinned}, rec, func(answer spec.Answer) error {
		return cmp.Or(isNamed(rec, f.top().id, "the innermost call under a pump"), rec.told(answer))
	})
}

// buried is the innermost root but the pump's whose call may go on, or nil.
func (r *run) buried() *root {
	for i := len(r.pins) - 2; i >= 0; i-- {
		if f := r.pins[i]; f != r.pump() && f.top().status == spec.Running {
			return f
		}
	}
	return nil
}

// hintReady shows that the ready queue is not empty, if so.
func (w *window) hintReady() {
	if w.run.ready.len() > 0 {
		w.s.Ready[0], w.s.ReadyLen = deadSlot, 1
	}
}

// hint shows that there is a fiber in the ready queue, a deadline, an operation that is
// awaited, a wait from outside, a slice that a worker runs, or a fiber that is held, if there is.
func (w *window) hint() {
	w.hintReady()
	if last := len(w.s.Deadlines) - 1; w.run.timers.earliest() != nil && w.counts.deadlines == 0 {
		w.s.Deadlines[last] = spec.Deadline{Holder: deadSlot}
	}
	if last := len(w.s.Tokens) - 1; w.run.awaited > 0 {
		w.s.Tokens[last].Waiter = deadSlot
	}
	w.s.Contexts[deadSlot].Outside = w.run.outside > 0
	w.s.Fibers[deadSlot].Lent, w.s.Fibers[deadSlot].Held = w.run.lent > 0, w.run.held > 0
}
