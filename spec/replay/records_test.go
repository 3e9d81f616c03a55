package replay

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// sayAll has the run do the records that stand for the action.
func sayAll(r *run, c spec.Config, from *spec.State, a spec.Action, answer spec.Answer, to *spec.State) error {
	for _, rec := range recordsOf(r, c, from, a, answer, to) {
		if err := steps[rec.Op](r, &rec); err != nil {
			return err
		}
	}
	return nil
}

// recordsOf is the action as a trace has it. What a Next and an Expire of the
// specification reap is a record of its own.
func recordsOf(r *run, c spec.Config, from *spec.State, a spec.Action, answer spec.Answer, to *spec.State) []record {
	who := nameOf(r, from, a.Slot())
	rec := record{Op: opOf(a.Kind), id: nameOf(r, from, from.Exec()), Says: words[answer]}
	if answer == spec.AnswerRefused {
		rec.Says = ""
	}
	switch a.Kind {
	case spec.Spawn:
		rec.id, rec.Frames = nextOf(r, a), a.Frames()
		rec.Nests, rec.Movable, rec.Front = a.Nests(), a.Movable(), a.Front()
	case spec.MoveIn:
		rec.id, rec.Says, rec.Masks = nextOf(r, a), "in", uint16(a.B)
	case spec.MoveOut:
		rec.id, rec.Says = who, "out"
	case spec.Lend:
		rec.id, rec.Says = nameOf(r, from, from.Current), "lent"
	case spec.Recall:
		rec.id, rec.Says = who, "recalled"
	case spec.Resume:
		rec.id = who
	case spec.Hold:
		rec.id = who
		return append([]record{rec}, reaps(r, from, to)...)
	case spec.Tie, spec.Untie, spec.Promise, spec.TakeBack:
		return nil
	case spec.Acquire:
		slot := a.Slot().Index()
		rec.id = fiber.NewTrampolineID(uint32(slot), r.calls[slot].id.Generation()+1).ID()
	case spec.Next:
		return append(reaps(r, from, to), record{Op: "schedule", id: nameOf(r, from, to.Current)})[:reapedOrMounted(from, to)]
	case spec.Pick:
		rec.id = who
		return append(reaps(r, from, to), rec)
	case spec.Expire:
		return append([]record{due(r, from)}, reaps(r, from, to)...)
	case spec.Yield, spec.Exit, spec.Mask, spec.Unmask, spec.Interrupted:
		rec.id = nameOf(r, from, from.Current)
	case spec.Unpin, spec.FailPinned:
		rec.id = pumped(r, from, a.Kind)
	case spec.ArmQueue, spec.ArmIO, spec.ArmTimer, spec.ArmOutside:
		arming(&rec, from, to, a)
	case spec.WakeID:
		rec.Op, rec.id = "wake", who
	case spec.Cancel, spec.Kill:
		rec.id = who
		if to.Grace != from.Grace && to.Grace != spec.NoSlot {
			rec.By = instant(graceEnds)
		}
	case spec.Deliver:
		rec.id, rec.Wait = who, waitOf(a.Slot(), a.Number())
		if from.Contexts[a.A].Hands[a.B] == spec.HeldOld {
			rec.id -= 1 << 32
		}
	case spec.IoSubmit:
		rec.id, rec.Token = nameOf(r, from, from.Current), uint64(a.A)+1
	case spec.IoDone:
		rec.Op, rec.Token = "complete", uint64(a.A)+1
	}
	return []record{rec}
}

// nextOf is the next fiber of a slot.
func nextOf(r *run, a spec.Action) fiber.ID {
	return fiber.NewRegularID(uint32(a.A), r.fibers[a.A].id.Generation()+1).ID()
}

// reapedOrMounted is how many of the records of a Next there are: the last, of the fiber that is
// mounted, only if there is one.
func reapedOrMounted(from, to *spec.State) int {
	n := len(gone(from, to))
	if to.Current != spec.NoSlot || n == 0 {
		n++
	}
	return n
}

// gone are the heads of the ready queue that the step reaps.
func gone(from, to *spec.State) []spec.Slot {
	var heads []spec.Slot
	for _, f := range from.Queue() {
		if to.Fibers[f].Held {
			continue // the head that a Hold has taken
		}
		if to.Contexts[f].Status != spec.Dead {
			return heads
		}
		heads = append(heads, f)
	}
	for f := range from.Fibers { // a held one that the end of its grace period has put behind them
		if from.Fibers[f].Held && to.Contexts[f].Status == spec.Dead {
			heads = append(heads, spec.Slot(f))
		}
	}
	return heads
}

func reaps(r *run, from, to *spec.State) []record {
	var all []record
	for _, f := range gone(from, to) {
		all = append(all, record{Op: "reap", id: nameOf(r, from, f)})
	}
	return all
}

// pumped is the fiber that a pump takes up, or that whose wait a verdict ends.
func pumped(r *run, s *spec.State, k spec.Kind) fiber.ID {
	call, _ := s.Pump()
	if k == spec.Unpin && call != spec.NoSlot {
		call = s.Root(call)
	}
	return nameOf(r, s, call)
}

func due(r *run, s *spec.State) record {
	if s.GraceIsNext() {
		return record{Op: "deadline", id: nameOf(r, s, s.Grace), Grace: true}
	}
	if d, live := s.Earliest(); live {
		return record{Op: "deadline", id: nameOf(r, s, s.Deadlines[d].Holder)}
	}
	return record{Op: "deadline"}
}

func arming(rec *record, from, to *spec.State, a spec.Action) {
	rec.Op, rec.On = "arm", map[spec.Kind]string{spec.ArmQueue: "queue", spec.ArmIO: "io", spec.ArmTimer: "timer", spec.ArmOutside: "queue"}[a.Kind]
	rec.External = a.Kind == spec.ArmOutside
	rec.Wait = 1000
	if d, has := a.Deadline(); has {
		rec.By = instant(deadlines100(d))
	}
	if a.Kind == spec.ArmIO {
		rec.Token = 99 // of no fiber
		if k, holds := from.TokenOf(from.Current); holds {
			rec.Token = uint64(k) + 1
		}
	}
	if x := from.Exec(); x != spec.NoSlot {
		rec.Says = latchedIf(from.Contexts[x].Latch == spec.Unarmed && to.Contexts[x].Latch == spec.Latched)
		if n := to.Contexts[x].Seq; n != spec.NoNumber {
			rec.Wait += uint64(n)
		}
	}
}

// The names of things: deadlines 0, 1, … of the specification are the instants 0, 100, …,
// with the end of a grace period between the first two. The fiber in each slot is its
// 7th, so that there is an earlier life.
const graceEnds = 50

func deadlines100(d int) fiber.Time { return fiber.Time(100 * d) }

func instant(t fiber.Time) *fiber.Time { return &t }

func waitOf(x spec.Slot, n spec.Number) uint64 { return uint64(x)*10 + uint64(n) + 1 }

func nameOf(r *run, s *spec.State, x spec.Slot) fiber.ID {
	switch {
	case x == spec.NoSlot || int(x) >= spec.MaxSlots:
		return 0
	case x.IsTrampoline():
		return r.calls[min(x.Index(), len(r.calls)-1)].id
	}
	return r.fibers[min(int(x), len(r.fibers)-1)].id
}
