package replay

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// breach is how a record breaks a rule. The run is as it was before.
type breach struct {
	rule  fiber.Rule
	found string
}

func (b *breach) Error() string { return b.rule.String() + ": " + b.found }

func breaks(r fiber.Rule, format string, args ...any) error {
	return &breach{r, fmt.Sprintf(format, args...)}
}

// unmodelled is what a record is that the specification does not know.
type unmodelled string

func (u unmodelled) Error() string { return string(u) }

const (
	aborted  = unmodelled("a pump that is cut short by a Go panic of the host")
	fatal    = unmodelled("a Fatal panic that the host has raised")
	outside  = unmodelled("a wait from outside that has a deadline too, or an operation")
	attached = unmodelled("an operation whose completion a cell takes")
)

// steps is what each op does. The checker has found the fields in order.
var steps = map[string]func(*run, *record) error{
	"spawn": (*run).spawn, "schedule": (*run).schedule, "reap": (*run).reap,
	"yield": root1(spec.Yield), "exit": root1(spec.Exit), "mask": root1(spec.Mask), "unmask": root1(spec.Unmask),
	"arm": (*run).arm, "disarm": exec1(spec.Disarm), "block": (*run).block, "release": exec1(spec.Release),
	"acquire": (*run).acquire, "interrupted": (*run).interrupted,
	"wake": (*run).wake, "deliver": (*run).deliver, "cancel": (*run).cancel, "kill": (*run).kill,
	"submit": (*run).submit, "complete": (*run).complete, "deadline": (*run).deadline,
	"attach":       func(*run, *record) error { return attached },
	"abort-pump":   func(*run, *record) error { return aborted },
	"lend":         (*run).lend,
	"hold":         (*run).hold,
	"resume":       (*run).resume,
	"move":         (*run).move,
	"panic":        func(*run, *record) error { return fatal },
	"yield-pinned": exec1(spec.YieldPinned), "unpin": (*run).unpin, "fail-pinned": (*run).failPinned,
}

// perform has the specification do the step, or says why it does not. What it changes is taken over
// if the record agrees with it.
func (r *run) perform(w *window, a spec.Action, rec *record, agrees func(spec.Answer) error) error {
	answer, ok := w.do(a)
	if !ok {
		return r.whyNot(a.Kind)
	}
	if err := agrees(answer); err != nil {
		return err
	}
	w.close(a, rec)
	return nil
}

// always is for a record with nothing to compare.
func always(spec.Answer) error { return nil }

// told is for a record that has the answer.
func (rec *record) told(answer spec.Answer) error { return says(rec, words[answer]) }

// byCurrent is for a record that names the current fiber.
func (r *run) byCurrent(rec *record) error { return isNamed(rec, r.current.id, "the current fiber") }

// byExecuting is for a record that names the executing context.
func (r *run) byExecuting(rec *record) error { return isNamed(rec, r.executing().id, "what executes") }

// root1 is a step of the current fiber that has no answer.
func root1(k spec.Kind) func(*run, *record) error {
	return func(r *run, rec *record) error {
		w := r.open()
		if r.current != nil {
			w.putGrace(r.current)
		}
		return r.perform(w, spec.Action{Kind: k}, rec, func(spec.Answer) error { return r.byCurrent(rec) })
	}
}

// exec1 is a step of the executing context that has no answer.
func exec1(k spec.Kind) func(*run, *record) error {
	return func(r *run, rec *record) error {
		return r.perform(r.open(), spec.Action{Kind: k}, rec, func(spec.Answer) error { return r.byExecuting(rec) })
	}
}

func isNamed(rec *record, who fiber.ID, what string) error {
	if rec.id != who {
		return breaks(i2, "%v is not %s, which is %v", rec.id, what, who)
	}
	return nil
}

func (r *run) spawn(rec *record) error {
	if rec.id.IsTrampoline() {
		return breaks(i4, "%v is the name of a trampoline, which is never spawned", rec.id)
	}
	f, err := r.newRoot(rec.id)
	if err != nil {
		return err
	}
	w := r.open()
	a := spec.Action{Kind: spec.Spawn, A: uint8(w.put(f))}
	switch {
	case rec.Nests:
		a.B = 2
	case rec.Frames:
		a.B = 1
	case rec.Movable:
		a.B = 3
	}
	if rec.Front {
		a.B += 4
		w.hintReady()
	}
	return r.perform(w, a, rec, func(spec.Answer) error {
		w.s.Fibers[a.A].Frames, w.s.Fibers[a.A].Movable = rec.Frames, rec.Movable // also of one that nests
		r.inhabit(f, rec.id)
		return nil
	})
}

// inhabit: the fiber lives in the slot from now on.
func (r *run) inhabit(f *root, id fiber.ID) {
	if int(id.Index()) == len(r.fibers) {
		r.fibers = append(r.fibers, f)
	}
	f.id = id
}

// newRoot is the slot that a new fiber of this name has.
func (r *run) newRoot(id fiber.ID) (*root, error) {
	slot := int(id.Index())
	if slot < len(r.fibers) {
		return r.fibers[slot], isNext(id, r.fibers[slot].id)
	}
	return new(root), isFirst(id, len(r.fibers))
}

// isNext: the generations of a slot are counted, so that no name is used twice.
func isNext(id, last fiber.ID) error {
	if id.Generation() != last.Generation()+1 {
		return breaks(i5, "%v is not the next fiber of its slot, where the last was %v", id, last)
	}
	return nil
}

func isFirst(id fiber.ID, slots int) error {
	if int(id.Index()) != slots || id.Generation() != 1 {
		return breaks(i5, "%v is not the first fiber of the next new slot, which is number %d", id, slots)
	}
	return nil
}

// schedule and reap are what spec.Next does to the head of the ready queue. With Free that is the
// fiber that the line names: the window shows no other, so Next and Pick are the same there.
func (r *run) schedule(rec *record) error { return r.next(rec, spec.Running) }
func (r *run) reap(rec *record) error     { return r.next(rec, spec.Dead) }

func (r *run) next(rec *record, becomes spec.Status) error {
	w, head := r.open(), r.inTurn(rec.id)
	if head != nil {
		w.s.Ready[0] = w.put(head)
		w.s.ReadyLen = 1
		w.putGrace(head)
	}
	return r.perform(w, spec.Action{Kind: spec.Next}, rec, func(spec.Answer) error {
		if rec.id != head.id {
			return breaks(i9, "%v is not the head of the ready queue, which is %v", rec.id, head.id)
		}
		if now := w.s.Contexts[w.put(head)].Status; now != becomes {
			return breaks(i1, "%v is at the head of the ready queue and to be %v, not %v", head.id, now, becomes)
		}
		return nil
	})
}

// inTurn is the head of the ready queue; with Free, the member with that name, because a trace does
// not have the order of the queue then: a fiber that was chosen and not mounted has returned to the
// front. It is nil if there is none.
func (r *run) inTurn(id fiber.ID) *root {
	if !r.bounds.Free {
		return r.ready.first()
	}
	if c, f := r.alive(id); f != nil && c == &f.context && f.status == spec.Runnable && !f.held {
		return f
	}
	return nil
}
