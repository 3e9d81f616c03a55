package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// brokenDriver is a host that does something else than the model's action. To the
// comparison it is the same as a scheduler that does: it must be found.
type brokenDriver struct {
	name  string
	kind  spec.Kind
	wrong call
}

// instead is a call that tells the caller what the right one would.
func instead(answer spec.Answer, do func(r *Rig, from *spec.State, a spec.Action)) call {
	return func(r *Rig, from *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
		do(r, from, a)
		return answer, nil
	}
}

// afterwards does the right thing and then something more.
func afterwards(right call, more func(r *Rig, from *spec.State)) call {
	return func(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
		answer, err := right(r, from, a, to)
		if err == nil {
			more(r, from)
		}
		return answer, err
	}
}

func nothing(*Rig, *spec.State, spec.Action) {}

// brokenDrivers is the table.
func brokenDrivers() []brokenDriver {
	return []brokenDriver{
		{"a spawned fiber forgets its frames", spec.Spawn, instead(spec.NoAnswer, func(r *Rig, _ *spec.State, a spec.Action) {
			id, _ := r.Scheduler.Spawn(a.Slot())
			r.names.id[a.Slot()] = id.ID()
		})},
		{"a spawned fiber goes to the front", spec.Spawn, instead(spec.NoAnswer, func(r *Rig, _ *spec.State, a spec.Action) {
			id, _ := r.Scheduler.SpawnWith(a.Slot(), scheduler.Options{Frames: a.Frames(), Front: true})
			r.names.id[a.Slot()] = id.ID()
		})},
		{"the head of the queue is let go by once", spec.Next, func(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
			if _, err := next(r, from, a, to); err == nil && from.ReadyLen > 1 && to.Current != spec.NoSlot {
				r.Scheduler.YieldCurrent()
			}
			return next(r, from, a, to)
		}},
		{"a yield is ignored", spec.Yield, instead(spec.NoAnswer, nothing)},
		{"an exit is a yield", spec.Exit, instead(spec.NoAnswer, func(r *Rig, _ *spec.State, _ spec.Action) { r.Scheduler.YieldCurrent() })},
		{"the ticket of the last wait is published again", spec.ArmQueue, func(r *Rig, from *spec.State, _ spec.Action, to *spec.State) (spec.Answer, error) {
			old := r.ledger.wait[from.Exec()].ticket
			t := r.Scheduler.ArmForQueue()
			if !old.IsZero() && old.ID == t.ID {
				t = old
			}
			return spec.NoAnswer, r.publish(t, from, to)
		}},
		{"a wait for a token is a wait for a peer", spec.ArmIO, armQueue},
		{"a wait is not taken back", spec.Disarm, instead(spec.NoAnswer, nothing)},
		{"a block gives up instead", spec.Block, instead(spec.AnswerParked, func(r *Rig, _ *spec.State, _ spec.Action) {
			r.Scheduler.Disarm()
			r.Scheduler.YieldCurrent()
		})},
		{"a wake by ID cancels", spec.WakeID, instead(spec.NoAnswer, func(r *Rig, _ *spec.State, a spec.Action) {
			_ = r.Scheduler.Cancel(r.names.id[a.Slot()], nil)
		})},
		{"a delivery forgets which wait it is for", spec.Deliver, func(r *Rig, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
			t := r.ledger.wait[a.Slot()].ticket
			if d := r.Scheduler.Deliver(t, r.result()); d == fiber.Woken {
				return spec.AnswerWoken, nil
			}
			return spec.AnswerStale, nil
		}},
		{"a delivery wakes its fiber again", spec.Deliver, afterwards(deliver, func(r *Rig, from *spec.State) {
			for x := range r.bounds.Fibers {
				if id := r.names.id[x]; r.Scheduler.Inspect().State(id) == fiber.Blocked && from.Contexts[x].Status == spec.BlockedQueue {
					r.Scheduler.Wake(id)
				}
			}
		})},
		{"a submission is done twice", spec.IoSubmit, afterwards(ioSubmit, func(r *Rig, _ *spec.State) {
			_, _ = r.Scheduler.Ops().Submit() // which may well be refused
		})},
		{"a completion nobody waits for is dropped", spec.IoDone, func(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
			if from.Tokens[a.Token()].State == spec.InFlight && from.Tokens[a.Token()].Waiter == spec.NoSlot {
				return spec.AnswerEarly, nil
			}
			return ioDone(r, from, a, to)
		}},
		{"a completion comes with another value", spec.IoDone, func(r *Rig, from *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
			tok := r.names.token[a.Token()]
			if v := r.Scheduler.Ops().Complete(tok, ioqueue.Completion{N: -1}); v == ioqueue.Late {
				return spec.AnswerLate, nil
			}
			return spec.AnswerEarly, nil
		}},
		{"a cancel only reaches who runs", spec.Cancel, instead(spec.NoAnswer, func(r *Rig, _ *spec.State, a spec.Action) {
			if id := r.names.id[a.Slot()]; r.Scheduler.Inspect().State(id) == fiber.Running {
				_ = r.Scheduler.Cancel(id, cause(r.step))
			}
		})},
		{"a kill is a cancel", spec.Kill, instead(spec.NoAnswer, func(r *Rig, _ *spec.State, a spec.Action) {
			_ = r.Scheduler.Cancel(r.names.id[a.Slot()], scheduler.ErrKilled)
		})},
		{"a native call is two", spec.Acquire, afterwards(acquire, func(r *Rig, _ *spec.State) {
			_, _ = r.Scheduler.AcquireTrampoline() // which may well be refused
		})},
		{"a native call does not return", spec.Release, instead(spec.NoAnswer, nothing)},
	}
}

// timedDrivers is the part of the table for machines with deadlines.
func timedDrivers() []brokenDriver {
	return []brokenDriver{
		{"a deadline is forgotten", spec.ArmQueue, func(r *Rig, from *spec.State, _ spec.Action, to *spec.State) (spec.Answer, error) {
			return spec.NoAnswer, r.publish(r.Scheduler.Arm(fiber.OnQueue()), from, to)
		}},
		{"a wait for an instant is a wait for a peer up to then", spec.ArmTimer, func(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
			return spec.NoAnswer, r.publish(r.Scheduler.Arm(fiber.OnQueue().WithDeadline(r.deadline(a))), from, to)
		}},
		{"time stands still", spec.Expire, instead(spec.NoAnswer, nothing)},
	}
}

// graceDrivers is the part of the table for machines with a grace period.
func graceDrivers() []brokenDriver {
	return []brokenDriver{
		{"a cancel has no end", spec.Cancel, instead(spec.NoAnswer, func(r *Rig, _ *spec.State, a spec.Action) {
			r.names.grace = r.clock.Now().After(2 * gracePeriod)
			_ = r.Scheduler.Cancel(r.names.dead(a.Slot()), cause(r.step))
		})},
	}
}

// maskDrivers is the part of the table for machines that mask cancellation.
func maskDrivers() []brokenDriver {
	return []brokenDriver{
		{"a mask is forgotten", spec.Mask, instead(spec.NoAnswer, nothing)},
		{"a mask stays", spec.Unmask, instead(spec.NoAnswer, nothing)},
		{"a poll does not ask", spec.Interrupted, instead(spec.NoAnswer, nothing)},
	}
}
