package spec

import (
	"cmp"
	"slices"

	"github.com/selvage-dev/selvage/spec/graph"
)

// CheckStep holds one step against what the invariants say about steps: what a state
// alone cannot show. It returns the first breach it finds.
func (c Config) CheckStep(from *State, a Action, answer Answer, to *State) Breach {
	return cmp.Or(
		c.stepStatus(from, a, to), c.stepWait(from, a, answer, to), stepQueue(from, a, to), stepExpire(from, a, to),
		stepMask(from, a, answer, to), stepPromise(a, to), stepPump(from, a, answer, to), c.stepVerdict(from, a, answer, to), stepMove(from, a), stepPick(a, to),
		graph.Each(c.Tokens, func(k int) Breach { return stepToken(from.Tokens[k].State, a, to.Tokens[k].State) }),
	)
}

// stepStatus: Wake applies only to Blocked, and every change is in the table.
func (c Config) stepStatus(from *State, a Action, to *State) Breach {
	if a.Kind == WakeID && !from.Contexts[a.A].Status.Blocked() {
		return graph.Breaks(3, "%v of a context that is %v", a, from.Contexts[a.A].Status)
	}
	for x := range c.Slots() {
		old, now := from.Contexts[x].Status, to.Contexts[x].Status
		if now == Runnable && x.IsTrampoline() {
			return graph.Breaks(4, "%v makes trampoline %v Runnable", a, x)
		}
		if old != now && !legal(Transition{a.Kind, x.IsTrampoline(), old, now}) {
			return graph.Breaks(2, "%v takes %v from %v to %v", a, x, old, now)
		}
	}
	return Breach{}
}

// stepWait: a delivery that is not the current wait's changes nothing but the hands of
// its sender; between Arm and Block the context neither leaves nor changes its chain.
func (c Config) stepWait(from *State, a Action, answer Answer, to *State) Breach {
	if a.Kind == Deliver {
		ctx := &from.Contexts[a.A]
		live := ctx.Seq == a.Number() && ctx.Hands[a.B] == Held && !from.Sleeps(a.Slot())
		untouched := *from
		if answer != AnswerWrongSource {
			untouched.Contexts[a.A].Hands[a.B] = NotHeld
		}
		switch took := answer == AnswerWoken || answer == AnswerLatched; {
		case took && !live:
			return graph.Breaks(5, "%v ends a wait that is not its own", a)
		case !took && *to != untouched:
			return graph.Breaks(3, "%v is refused and changes the state", a)
		}
	}
	if x := from.Exec(); x != NoSlot && from.Contexts[x].Latch != Unarmed {
		switch a.Kind {
		case Yield, Exit, Acquire, Release, Lend:
			return graph.Breaks(13, "%v while %v is %v", a, x, from.Contexts[x].Latch)
		}
	}
	return Breach{}
}

// stepQueue: taken from the front, added at the back, no fiber overtakes another.
func stepQueue(from *State, a Action, to *State) Breach {
	old, now := from.Queue(), to.Queue()
	if a.Kind == Expire {
		old = reaped(old, to)
	}
	if a.Kind == Hold && len(old) > 0 && old[0] == a.Slot() {
		old = reaped(old[1:], to)
	}
	if a.Front() {
		if len(now) == 0 || now[0] != a.Slot() {
			return graph.Breaks(9, "%v at the front changes the ready queue from %v to %v", a, old, now)
		}
		now = now[1:]
	}
	if a.Kind == Pick {
		old = reaped(old, to)
	}
	if a.Kind == MoveOut || a.Kind == Pick {
		old = without(old, a.Slot())
	}
	if a.Kind != Next {
		if len(now) < len(old) || !slices.Equal(now[:len(old)], old) {
			return graph.Breaks(9, "%v changes the ready queue from %v to %v", a, old, now)
		}
		return Breach{}
	}
	popped := len(old) - len(now)
	if popped < 1 || !slices.Equal(now, old[popped:]) ||
		to.Current != NoSlot && to.Current != old[popped-1] {
		return graph.Breaks(9, "%v mounts %v, the ready queue goes from %v to %v", a, to.Current, old, now)
	}
	return Breach{}
}

// without is a ready queue without a fiber.
func without(queue []Slot, f Slot) []Slot {
	return slices.DeleteFunc(slices.Clone(queue), func(x Slot) bool { return x == f })
}

// reaped is a ready queue without the heads that have died.
func reaped(queue []Slot, to *State) []Slot {
	for len(queue) > 0 && to.Contexts[queue[0]].Status == Dead {
		queue = queue[1:]
	}
	return queue
}

// stepToken: an operation is submitted, and ends, once. What is in flight at the device
// ends only by its completion.
func stepToken(old TokenState, a Action, now TokenState) Breach {
	ok := old == now
	switch {
	case old == Free && now == InFlight:
		ok = a.Kind == IoSubmit
	case old == InFlight && (now == Done || now == Free):
		ok = a.Kind == IoDone
	case old == Orphan && now == Free:
		ok = a.Kind == IoDone
	case old == InFlight && now == Orphan, old == Done && now == Free:
		ok = a.Kind != IoDone && a.Kind != IoSubmit
	}
	if !ok {
		return graph.Breaks(12, "%v takes a token from %v to %v", a, old, now)
	}
	return Breach{}
}
