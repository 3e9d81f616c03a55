package channel

import "github.com/selvage-dev/selvage/spec/graph"

// CheckStep holds one step against what the invariants say about steps: what a state
// alone cannot show. It returns the first breach it finds.
func (c Config) CheckStep(from *State, a Action, answer Answer, to *State) graph.Breach {
	for f := range uint8(c.Fibers) {
		if b := stepFiber(from, a, f, to); !b.OK() {
			return b
		}
	}
	if b := stepValues(from, a, answer, to); !b.OK() {
		return b
	}
	ch := &from.Channels[a.Channel]
	switch {
	case answer == AnswerHanded && !serves(from, &ch.Receivers, to),
		answer == AnswerReceived && a.Kind == Recv && ch.Senders.Len() > 0 && !serves(from, &ch.Senders, to):
		return graph.Breaks(11, "%v does not serve whoever has waited longest", a)
	}
	return graph.Breach{}
}

// serves tells whether the step ended the wait of the oldest of a queue, and no other.
func serves(from *State, q *Queue, to *State) bool {
	for f := range from.Fibers {
		ended := from.Fibers[f].Status == Waits && to.Fibers[f].Status == Woken
		if ended != (int(q.All()[0].Fiber) == f) {
			return false
		}
	}
	return true
}

// stepFiber: how a wait has ended stands until it is claimed, and says what was: a close
// is never a success (I11).
func stepFiber(from *State, a Action, fiber uint8, to *State) graph.Breach {
	was, is := &from.Fibers[fiber], &to.Fibers[fiber]
	mine := a.Fiber == fiber && (a.Kind == Claim || a.Kind == Kill)
	switch {
	case was.Status == Woken && !mine && *is != *was:
		return graph.Breaks(11, "%v changes how the wait of f%d has ended", a, fiber)
	case was.Status != Waits || is.Status != Woken:
		return graph.Breach{}
	}
	want := OK
	switch a.Kind {
	case Close:
		want = Closed
	case GiveUp:
		want = Quit
	}
	if is.Code != want {
		return graph.Breaks(11, "%v ends the wait of f%d with code %d, want %d", a, fiber, is.Code, want)
	}
	return graph.Breach{}
}

// stepValues: a value leaves by being received, lost and counted, taken back or dropped,
// and by nothing else (I12). It is received in the order of arrival (I11).
func stepValues(from *State, a Action, answer Answer, to *State) graph.Breach {
	arrives := NoValue
	if answer == AnswerReceived || answer == AnswerLost {
		arrives = arriving(from, a)
	}
	late := arrives != NoValue && to.Places(arrives) > 0
	for v := range Value(maxValues) {
		switch gone := from.Places(v) > 0 && to.Places(v) == 0 && !withdrawn(from, v, to); {
		case gone && late:
			return graph.Breaks(11, "%v takes value %d past value %d", a, v, arrives)
		case gone && v != arrives:
			return graph.Breaks(12, "%v makes value %d disappear", a, v)
		}
	}
	if late {
		return graph.Breaks(12, "%v leaves value %d where it was", a, arrives)
	}
	return graph.Breach{}
}

// withdrawn: the value was offered by a case of a wait that has ended otherwise.
func withdrawn(from *State, v Value, to *State) bool {
	for i := range from.Channels {
		for _, r := range from.Channels[i].Senders.All() {
			f := &to.Fibers[r.Fiber]
			accepted := f.Status == Woken && f.Code == OK && f.Tag == r.Tag
			if r.Value == v && f.Status != Waits && !accepted {
				return true
			}
		}
	}
	return false
}

// arriving is the one value that the action may take away: the oldest of the channel, or
// what was assigned to the fiber.
func arriving(s *State, a Action) Value {
	if a.Kind == Recv {
		ch := &s.Channels[a.Channel]
		if ch.Buffer.Len() > 0 {
			return ch.Buffer.All()[0]
		}
		return ch.Senders.All()[0].Value
	}
	for i := range s.Channels {
		if v := s.Channels[i].Given[a.Fiber]; v != NoValue {
			return v
		}
	}
	return NoValue
}
