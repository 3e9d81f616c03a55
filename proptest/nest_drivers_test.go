package proptest

import (
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// runDrivers is the part of the table for machines whose runs end.
func runDrivers() []brokenDriver {
	return []brokenDriver{
		{"a run ends as if no call had failed", spec.EndRun, instead(spec.NoAnswer, nothing)},
		{"a run goes on after its end", spec.EndRun, func(r *Harness, _ *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
			return resultOf(r.Scheduler.Steps().IdleVerdict().Err()), nil
		}},
	}
}

// nestDrivers is the part of the table for machines whose native calls nest.
func nestDrivers() []brokenDriver {
	return []brokenDriver{
		{"a call that nests parks", spec.Spawn, instead(spec.NoAnswer, func(r *Harness, _ *spec.State, a spec.Action) {
			id, _ := r.Scheduler.SpawnWith(a.Slot(), scheduler.Options{Frames: true})
			r.names.id[a.Slot()] = id.ID()
		})},
		{"a turn is not given", spec.YieldPinned, instead(spec.NoAnswer, nothing)},
		{"a pump leaves its call where it is", spec.Unpin, instead(spec.NoAnswer, nothing)},
		{"a pump ends the call it takes up", spec.Unpin, instead(spec.NoAnswer, func(r *Harness, _ *spec.State, _ spec.Action) {
			r.Scheduler.Calls().Unpin()
			id, _ := r.Scheduler.Inspect().Executing().Trampoline()
			r.Scheduler.ReleaseTrampoline(id)
		})},
		{"a pump swallows the end of a peer", spec.Exit, instead(spec.NoAnswer, func(r *Harness, from *spec.State, _ spec.Action) {
			if len(from.Pins()) > 0 {
				r.Scheduler.YieldCurrent()
				return
			}
			r.Scheduler.KillCurrent()
		})},
		{"a stuck pump goes on waiting", spec.FailPinned, func(r *Harness, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
			return r.bounds.Verdict(from), nil
		}},
		{"a call failed by a verdict is woken as by a peer", spec.FailPinned, func(r *Harness, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
			call, _ := from.Pump()
			r.Scheduler.Wake(r.names.id[call])
			return r.bounds.Verdict(from), nil
		}},
	}
}
