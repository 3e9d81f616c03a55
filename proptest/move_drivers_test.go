package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// moveDrivers is the part of the table for machines whose fibers move.
func moveDrivers() []brokenDriver {
	return []brokenDriver{
		{"who moves out is killed", spec.MoveOut, instead(spec.NoAnswer, func(r *Rig, _ *spec.State, a spec.Action) {
			_ = r.Scheduler.Kill(r.names.id[a.Slot()], nil)
		})},
		{"who moves out comes back at once", spec.MoveOut, func(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
			if answer, err := moveOut(r, from, a, to); err != nil {
				return answer, err
			}
			return moveIn(r, from, spec.Action{Kind: spec.MoveIn, A: a.A, B: from.Fibers[a.A].Masks}, to)
		}},
		{"who moves in is another, and new", spec.MoveIn, func(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
			return spawn(r, from, spec.Action{Kind: spec.Spawn, A: a.A}, to)
		}},
		{"who moves in has lost its masks", spec.MoveIn, func(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
			return moveIn(r, from, spec.Action{Kind: spec.MoveIn, A: a.A}, to)
		}},
	}
}

// lendDrivers is the part of the table for machines with waits from outside and workers.
func lendDrivers() []brokenDriver {
	return []brokenDriver{
		{"a wait from outside is a plain one", spec.ArmOutside, func(r *Rig, from *spec.State, _ spec.Action, to *spec.State) (spec.Answer, error) {
			return spec.NoAnswer, r.publish(r.Scheduler.Arm(fiber.OnQueue()), from, to)
		}},
		{"who is lent yields instead", spec.Lend, instead(spec.NoAnswer, func(r *Rig, _ *spec.State, _ spec.Action) { r.Scheduler.YieldCurrent() })},
		{"who is taken back ends", spec.Recall, afterwards(recall, func(r *Rig, _ *spec.State) { r.Scheduler.KillCurrent() })},
		{"who is taken back is lent again", spec.Recall, afterwards(recall, func(r *Rig, _ *spec.State) { r.Scheduler.Moves().Lend() })},
	}
}

// promiseDrivers is the part of the table for machines to which something is promised.
func promiseDrivers() []brokenDriver {
	return []brokenDriver{
		{"what is promised is taken back at once", spec.Promise, afterwards(promise, func(r *Rig, from *spec.State) {
			_, _ = takeBack(r, from, spec.Action{}, from)
		})},
		{"nothing is taken back", spec.TakeBack, instead(spec.NoAnswer, nothing)},
		{"one more Sender is open than is taken back", spec.Promise, afterwards(promise, func(r *Rig, _ *spec.State) {
			r.Scheduler.Inbox().NewSender()
		})},
	}
}

// jumpDrivers is the part of the table for machines that spawn at the front.
func jumpDrivers() []brokenDriver {
	return []brokenDriver{
		{"who is to go to the front goes to the back", spec.Spawn, func(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
			a.B = 1
			return spawn(r, from, a, to)
		}},
	}
}
