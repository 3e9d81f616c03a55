package proptest

import "github.com/selvage-dev/selvage/spec"

// holdDrivers is the part of the table for machines whose fibers are held.
func holdDrivers() []brokenDriver {
	return []brokenDriver{
		{"a paused fiber is not held", spec.Hold, instead(spec.NoAnswer, nothing)},
		{"a held fiber returns at once", spec.Hold, afterwards(hold, func(r *Harness, from *spec.State) {
			_ = r.Scheduler.Attachments().Resume(r.names.id[from.Queue()[0]])
		})},
		{"a fiber is held and does not return", spec.Resume, instead(spec.NoAnswer, nothing)},
		{"a fiber is killed instead of resumed", spec.Resume, instead(spec.NoAnswer, func(r *Harness, _ *spec.State, a spec.Action) {
			_ = r.Scheduler.Kill(r.names.id[a.Slot()], nil)
		})},
	}
}
