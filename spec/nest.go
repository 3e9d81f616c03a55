package spec

import (
	"slices"

	"github.com/selvage-dev/selvage/spec/graph"
)

// Pins is the roots of the chains that lie under pumps, the innermost last: the stack that
// mirrors the native one. It shares memory with s.
func (s *State) Pins() []Slot { return s.pins[:s.pinned] }

// Pin puts the chain of regular fiber f under a pump, the innermost: for who composes a
// state. There is room for MaxPins.
func (s *State) Pin(f Slot) {
	s.pins[s.pinned] = f
	s.pinned++
}

// Pump is the innermost pinned call, the one that is pumped for, and whether it may go on;
// NoSlot if none is pinned.
func (s *State) Pump() (call Slot, goesOn bool) {
	if s.pinned == 0 {
		return NoSlot, false
	}
	call = s.Top(s.pins[s.pinned-1])
	return call, s.Contexts[call].Status == Running
}

// Buried is the innermost pinned call that may go on and lies under another, or NoSlot.
func (s *State) Buried() Slot {
	for i := int(s.pinned) - 2; i >= 0; i-- {
		if call := s.Top(s.pins[i]); s.Contexts[call].Status == Running {
			return call
		}
	}
	return NoSlot
}

// CanProgress is true if something from outside is sure to go on, of whichever fiber: a deadline, a
// grace period, an operation that is awaited, a wait that ends from outside, a promise, a slice
// that a worker runs, a fiber that is held.
func (s *State) CanProgress() bool {
	_, live := s.Earliest()
	return live || s.Grace != NoSlot || s.awaitsAny() || s.awaitsOutside() || s.Promised || s.lendsAny() || s.holdsAny()
}

func (s *State) awaitsAny() bool {
	return slices.ContainsFunc(s.Tokens[:], func(t Token) bool { return t.Waiter != NoSlot })
}

// barred is true if regular fiber f nests and is in a native call: it can leave the CPU
// only by being pinned.
func (s *State) barred(f Slot) bool { return s.Fibers[f].Nests && s.Fibers[f].Depth > 0 }

func (s *State) isPinned(f Slot) bool { return slices.Contains(s.Pins(), f) }

// waits is true if the wait at the top of f's chain, or of f itself, is blocked on.
func (s *State) waits(f Slot) bool { return s.Contexts[s.Top(f)].Status.Blocked() }

// unwinds is true if the fiber runs only to unwind.
func (f *Fiber) unwinds() bool { return f.Doomed || f.Fatal }

// pin leaves the current chain where it is. No fiber is current.
func (s *State) pin() {
	s.Pin(s.Current)
	s.Current = NoSlot
}

// pinCall blocks the executing trampoline x; its callers stay as they are.
func (c Config) pinCall(s *State, x Slot) {
	if c.Bug == ParksNested {
		for _, t := range s.ChainOf(s.Current) {
			s.Contexts[t].Status = BlockedQueue
		}
		s.Contexts[s.Current].Status = BlockedQueue
	}
	s.Contexts[x].Status = BlockedQueue
	if s.Sleeps(x) {
		s.Contexts[x].Status = BlockedTimer
	}
	s.Contexts[x].Latch = Unarmed
	s.pin()
}

func (c Config) doPump(s *State, k Kind) Answer {
	switch k {
	case YieldPinned:
		s.pin()
	case Unpin:
		c.unpin(s)
	case FailPinned:
		return c.failPinned(s)
	}
	return NoAnswer
}

// unpin mounts the innermost pinned chain again.
func (c Config) unpin(s *State) {
	last := s.pinned - 1
	if c.Bug != LosesCurrent {
		s.Current = s.pins[last]
	}
	if c.Bug != KeepsPin {
		s.pins[last] = NoSlot
		s.pinned = last
	}
}

// Verdict is what an idle scheduler, or its innermost pump, is told when nothing can ever go
// on: AnswerDeadlock or AnswerStackInversion. Otherwise it is NoAnswer.
func (c Config) Verdict(s *State) Answer {
	_, goesOn := s.Pump()
	canProgress := s.CanProgress() && !c.overlooks(s)
	switch idle := s.Current == NoSlot && s.ReadyLen == 0 && !goesOn; {
	case !idle || canProgress || !c.anyAlive(s):
		return NoAnswer
	case s.Buried() == NoSlot || c.Bug == CallsItDeadlock:
		return AnswerDeadlock
	case c.Bug == MissesInversion:
		return NoAnswer
	}
	return AnswerStackInversion
}

// overlooks is the mistake of a verdict to which only what is left counts.
func (c Config) overlooks(s *State) bool {
	_, live := s.Earliest()
	io, out, lent, promised, held := s.awaitsAny(), s.awaitsOutside(), s.lendsAny(), s.Promised, s.holdsAny()
	switch c.Bug {
	case CountsOnePool:
		io = false
	case ForgetsOutside:
		out = false
	case ForgetsLent:
		lent = false
	case ForgetsPromise:
		promised = false
	case ForgetsHeld:
		held = false
	default:
		return false
	}
	return !(live || s.Grace != NoSlot || io || out || lent || promised || held)
}

func (c Config) anyAlive(s *State) bool {
	return slices.ContainsFunc(s.Contexts[:c.Fibers], func(x Context) bool { return x.Status != Dead })
}

// failPinned ends the wait that is pumped for with a Fatal panic in its fiber.
func (c Config) failPinned(s *State) Answer {
	answer := c.Verdict(s)
	f := s.pins[s.pinned-1]
	if c.Bug == FailsOutermost {
		f = s.pins[0]
	}
	s.Fibers[f].Fatal = true
	c.keepVerdict(s, answer)
	if s.waits(f) {
		c.wake(s, s.Top(f))
	}
	return answer
}

// checkPins: a pinned fiber is pinned once, nests, and is in a native call, and a pump that has
// nothing to wait for is told, and no other.
func (c Config) checkPins(s *State) Breach {
	for i, f := range s.Pins() {
		if slices.Contains(s.pins[:i], f) || !s.barred(f) || s.Contexts[f].Status != Running {
			return graph.Breaks(2, "%v is pinned as %v, which is %v with %+v", f, s.Pins(), s.Contexts[f].Status, s.Fibers[f])
		}
	}
	for f := range c.Fibers {
		if status := s.Contexts[f].Status; s.barred(Regular(f)) && status != Running {
			return graph.Breaks(2, "f%d nests and is %v in a native call", f, status)
		}
	}
	if lost, told := c.lost(s), c.Can(s, Action{Kind: FailPinned}); lost != told {
		return graph.Breaks(9, "nothing can wake the call pumped for: %v, and it is told: %v; pinned are %v", lost, told, s.Pins())
	}
	return Breach{}
}

// lost is what Verdict finds in the queue and the waiter map, found in the contexts: the
// innermost call sleeps, no fiber is ready, and no fiber waits for a device or for time.
func (c Config) lost(s *State) bool {
	call, _ := s.Pump()
	if s.Current != NoSlot || call == NoSlot || !s.Contexts[call].Status.Blocked() || s.Grace != NoSlot || s.Promised {
		return false
	}
	for x := range s.Contexts {
		in := &s.Contexts[x]
		if in.Status == Runnable || in.Status == BlockedIO || s.hasDeadline(Slot(x)) || in.Outside {
			return false
		}
		if f := Slot(x); !f.IsTrampoline() && in.Status == Running && !s.isPinned(f) {
			return false // a worker runs it
		}
	}
	return true
}

// stepPump: the pins are a stack; a fiber that is taken up is current; a verdict is given on a pump
// that nothing can end, ends it, and says which of the two it is.
func stepPump(from *State, a Action, answer Answer, to *State) Breach {
	old, now := from.Pins(), to.Pins()
	switch grown := a.Kind == YieldPinned || answer == AnswerPinned; {
	case grown && (len(now) != len(old)+1 || !slices.Equal(now[:len(old)], old)),
		a.Kind == Unpin && (len(now) != len(old)-1 || !slices.Equal(now, old[:len(now)])),
		!grown && a.Kind != Unpin && !slices.Equal(now, old):
		return graph.Breaks(2, "%v changes the pins from %v to %v", a, old, now)
	case a.Kind == Unpin && to.Current != old[len(old)-1]:
		return graph.Breaks(2, "%v makes %v current, pinned are %v", a, to.Current, old)
	}
	if a.Kind != FailPinned {
		return Breach{}
	}
	call, _ := from.Pump()
	below := slices.ContainsFunc(old[:len(old)-1], func(f Slot) bool { return !from.waits(f) })
	switch {
	case from.CanProgress() || from.ReadyLen > 0:
		return graph.Breaks(9, "%v although something may still wake %v", a, call)
	case (answer == AnswerStackInversion) != below:
		return graph.Breaks(9, "%v says %v; a call below may go on: %v", a, answer, below)
	case to.Contexts[call].Status != Running || !to.Fibers[to.Root(call)].Fatal:
		return graph.Breaks(9, "%v does not end the wait of %v", a, call)
	}
	return Breach{}
}
