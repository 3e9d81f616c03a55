package spec

import (
	"cmp"

	"github.com/selvage-dev/selvage/spec/graph"
)

// canEndRun: no fiber is alive, and nothing is to come from outside.
func (c Config) canEndRun(s *State) bool {
	return s.Current == NoSlot && !c.anyAlive(s) && !s.Promised
}

// keepVerdict keeps the first verdict of the run that has failed a pinned call.
func (c Config) keepVerdict(s *State, told Answer) {
	if c.Runs && c.Bug != ForgetsVerdict {
		s.Verdict = cmp.Or(s.Verdict, told)
	}
}

// endRun gives the result of the run: NoAnswer, or the first verdict. The next run has none.
func (c Config) endRun(s *State) Answer {
	result := s.Verdict
	if c.Bug != KeepsVerdict {
		s.Verdict = NoAnswer
	}
	return result
}

// stepVerdict: the first verdict of a run is its result, and not that of the next run.
func (c Config) stepVerdict(from *State, a Action, answer Answer, to *State) Breach {
	want := from.Verdict
	switch {
	case !c.Runs:
		return Breach{}
	case a.Kind == FailPinned:
		want = cmp.Or(want, answer)
	case a.Kind == EndRun:
		want = NoAnswer
	}
	if to.Verdict != want {
		return graph.Breaks(9, "%v tells %v, and the run is to end with %v, not %v", a, answer, to.Verdict, want)
	}
	return Breach{}
}
