package spec

import "github.com/selvage-dev/selvage/spec/graph"

// masked is true if a cancel of the fiber is put off.
func (f *Fiber) masked() bool { return f.Masks > 0 }

// doMask is the part of do that a fiber plays in its own cancellation.
func (c Config) doMask(s *State, k Kind) Answer {
	root := &s.Fibers[s.Current]
	switch k {
	case Mask:
		root.Masks++
	case Unmask:
		root.Masks--
	case Interrupted:
		return c.interrupted(root)
	}
	return NoAnswer
}

// interrupted reports a kill or a Fatal panic at every call, a cancel once.
func (c Config) interrupted(root *Fiber) Answer {
	switch {
	case root.unwinds():
		return AnswerKilled
	case root.Cancel == CancelPending && !root.masked():
		if c.Bug != TellsTwice {
			root.Cancel = CancelTaken
		}
		return AnswerCancelled
	}
	return NoAnswer
}

// stepMask: a fiber that has masked its cancellation is left alone by a cancel, so that the
// waits of its deferred calls work; and a cancel that was told is told no more.
func stepMask(from *State, a Action, answer Answer, to *State) Breach {
	if a.Kind == Cancel {
		f := from.Root(a.Slot())
		if from.Fibers[f].masked() && from.Contexts[f].Status != to.Contexts[f].Status {
			return graph.Breaks(6, "%v ends the wait of %v, which has masked it", a, f)
		}
	}
	if answer == AnswerCancelled && to.Fibers[from.Current].Cancel != CancelTaken {
		return graph.Breaks(6, "%v tells of a cancel, which will be told again", a)
	}
	return Breach{}
}
