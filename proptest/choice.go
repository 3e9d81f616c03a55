package proptest

import "github.com/selvage-dev/selvage/spec"

// weights are how often a kind of action is chosen where several are possible. Uniform
// choice among the actions would be mostly Kill and Cancel, which name every slot, and
// few fibers would live long.
var weights = [...]uint32{
	spec.Spawn: 24, spec.Next: 48, spec.Yield: 8, spec.Exit: 8, spec.ArmQueue: 30, spec.ArmIO: 30,
	spec.Disarm: 4, spec.Block: 60, spec.WakeID: 4, spec.Deliver: 10, spec.IoSubmit: 24, spec.IoDone: 8,
	spec.Cancel: 2, spec.Kill: 2, spec.Acquire: 16, spec.Release: 12, spec.ArmTimer: 10, spec.Expire: 10,
	spec.Mask: 6, spec.Unmask: 6, spec.Interrupted: 4, spec.YieldPinned: 8, spec.Unpin: 40, spec.FailPinned: 20,
	spec.MoveOut: 8, spec.MoveIn: 16, spec.Tie: 2, spec.Untie: 8, spec.ArmOutside: 6,
	spec.Promise: 2, spec.TakeBack: 6, spec.Lend: 10, spec.Recall: 30, spec.EndRun: 40, spec.Hold: 4, spec.Resume: 24,
	spec.Pick: 24,
}

// Choose picks one of the enabled actions by a number: small numbers pick early kinds
// and slots, so that a smaller number is a simpler choice. It is false if none is
// enabled.
func Choose(enabled []spec.Action, number uint32) (spec.Action, bool) {
	var count [len(weights)]uint32
	total := uint32(0)
	for _, a := range enabled {
		if count[a.Kind]++; count[a.Kind] == 1 {
			total += weights[a.Kind]
		}
	}
	if total == 0 {
		return spec.Action{}, false
	}
	at, rest := number%total, number/total
	for kind, n := range count {
		switch {
		case n == 0:
		case at < weights[kind]:
			return nth(enabled, spec.Kind(kind), rest%n), true
		default:
			at -= weights[kind]
		}
	}
	panic("unreachable: the weights of the enabled kinds sum to total")
}

// nth is the n-th action of its kind.
func nth(actions []spec.Action, kind spec.Kind, n uint32) spec.Action {
	for _, a := range actions {
		if a.Kind != kind {
			continue
		}
		if n == 0 {
			return a
		}
		n--
	}
	panic("unreachable: n is below the number of actions of the kind")
}
