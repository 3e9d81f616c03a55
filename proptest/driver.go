package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// call performs one kind of action on the real scheduler and tells the answer in the
// words of the model. It is also used for actions that are to be refused; then to is
// from, and it names what there is to name.
type call func(r *Harness, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error)

// calls is the driver: what each kind of action is on the real scheduler.
type calls [kinds]call

// kinds is how many kinds of action there are.
const kinds = spec.Pick + 1

// theCalls is the right driver. Mutants replace entries of it.
func theCalls() *calls {
	return &calls{
		spec.Spawn: spawn, spec.Next: next, spec.Yield: plain((*real).YieldCurrent), spec.Exit: exit,
		spec.ArmQueue: armQueue, spec.ArmIO: armIO, spec.Disarm: disarm, spec.Block: block,
		spec.WakeID: wakeID, spec.Deliver: deliver, spec.IoSubmit: ioSubmit, spec.IoDone: ioDone,
		spec.Cancel: cancel, spec.Kill: kill, spec.Acquire: acquire, spec.Release: release,
		spec.ArmTimer: armTimer, spec.Expire: expire,
		spec.Mask:        plain(func(s *real) { s.Unwind().Mask() }),
		spec.Unmask:      plain(func(s *real) { s.Unwind().Unmask() }),
		spec.YieldPinned: plain(func(s *real) { s.Calls().YieldPinned() }),
		spec.Unpin:       plain(func(s *real) { s.Calls().Unpin() }),
		spec.Interrupted: interrupted, spec.FailPinned: failPinned,
		spec.MoveOut: moveOut, spec.MoveIn: moveIn, spec.Tie: tie, spec.Untie: untie,
		spec.ArmOutside: armOutside, spec.Promise: promise, spec.TakeBack: takeBack,
		spec.Lend: lend, spec.Recall: recall, spec.EndRun: endRun,
		spec.Hold: hold, spec.Resume: resume, spec.Pick: pick,
	}
}

// real is the scheduler that is driven.
type real = scheduler.Scheduler[spec.Slot]

// plain is a call without operands and results.
func plain(do func(*real)) call {
	return func(r *Harness, _ *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
		do(r.Scheduler)
		return spec.NoAnswer, nil
	}
}

// The scheduler has cheap and general forms of some transitions; odd steps use one,
// even steps the other.
func (r *Harness) odd() bool { return r.step%2 == 1 }

func spawn(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	var id fiber.RegularID
	var err error
	switch {
	case a.Movable() && a.Front() && r.odd():
		id, err = r.Scheduler.Fork(a.Slot())
	case a.B > 0 || r.odd():
		id, err = r.Scheduler.SpawnWith(a.Slot(), options(a))
	default:
		id, err = r.Scheduler.Spawn(a.Slot())
	}
	if err == nil {
		r.names.id[a.Slot()], r.names.movable[a.Slot()] = id.ID(), a.Movable()
	}
	return spec.NoAnswer, err
}

// options is what a Spawn asks for.
func options(a spec.Action) scheduler.Options {
	return scheduler.Options{Frames: a.Frames(), Nests: a.Nests(), Movable: a.Movable(), Front: a.Front()}
}

// next is the model's Next: a host's loop up to its next slice. That no fiber is ready
// is an answer of Poll, not a mistake.
func next(r *Harness, from *spec.State, _ spec.Action, to *spec.State) (spec.Answer, error) {
	f := r.Scheduler.ScheduleNext()
	ready := f != nil || r.Scheduler.Poll()
	if f == nil && ready {
		f = r.Scheduler.ScheduleNext()
	}
	switch {
	case f != nil && f.Data != to.Current:
		return spec.NoAnswer, errorf("mounts %v, not %v", f.Data, to.Current)
	case f == nil && (ready || r.Scheduler.ScheduleNext() != nil):
		return spec.NoAnswer, errorf("Poll: %v, and ScheduleNext says otherwise", ready)
	case f == nil && from.ReadyLen == 0:
		return spec.AnswerRefused, nil
	}
	return spec.NoAnswer, nil
}

func exit(r *Harness, _ *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	if r.odd() {
		r.Scheduler.KillCurrent()
	} else {
		r.Scheduler.Exit(r.step, nil)
	}
	return spec.NoAnswer, nil
}

func wakeID(r *Harness, from *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	if r.host.Objects && r.waitsOnObjects(from, a.Slot()) {
		return r.wakeByObject(from, a.Slot())
	}
	r.Scheduler.Wake(r.names.dead(a.Slot()))
	return spec.NoAnswer, nil
}

func deliver(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	return r.delivered(r.Scheduler.Deliver(r.names.used(a.Slot(), a.Number()), r.result()))
}

// delivered is the verdict on a delivery in the words of the model.
func (r *Harness) delivered(d fiber.Delivery) (spec.Answer, error) {
	for answer, delivery := range deliveries {
		if delivery == d {
			return answer, nil
		}
	}
	return spec.NoAnswer, errorf("delivery verdict %v", d)
}

func ioSubmit(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	tok, err := r.Scheduler.Ops().Submit()
	if err == nil {
		r.names.token[a.Token()] = tok
	}
	return spec.NoAnswer, err
}

func ioDone(r *Harness, from *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	tok, owner := r.names.over(a.Token()), from.Tokens[a.Token()].Owner
	switch v := r.Scheduler.Ops().Complete(tok, r.completion()); v {
	case ioqueue.Early:
		return spec.AnswerEarly, nil
	case ioqueue.Late:
		return spec.AnswerLate, nil
	case ioqueue.Duplicate, ioqueue.Unknown:
		return spec.AnswerRefused, nil
	case ioqueue.Deliver:
		if r.Scheduler.Inspect().State(r.names.context(owner)) == fiber.Running {
			return spec.AnswerLatched, r.collect(owner, tok, r.completion())
		}
		return spec.AnswerWoken, r.collect(owner, tok, r.completion())
	default:
		return spec.NoAnswer, errorf("completion verdict %v", v)
	}
}

func cancel(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	r.names.grace = r.clock.Now().After(gracePeriod)
	return spec.NoAnswer, r.Scheduler.Cancel(r.names.dead(a.Slot()), cause(r.step))
}

func kill(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	return spec.NoAnswer, r.Scheduler.Kill(r.names.dead(a.Slot()), nil)
}

func acquire(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	id, err := r.Scheduler.AcquireTrampoline()
	if err == nil {
		r.names.id[a.Slot()] = id.ID()
	}
	return spec.NoAnswer, err
}

// release names what executes, also where that is a regular fiber and no trampoline.
func release(r *Harness, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	id, _ := r.names.context(from.Exec()).Trampoline()
	r.Scheduler.ReleaseTrampoline(id)
	return spec.NoAnswer, nil
}
