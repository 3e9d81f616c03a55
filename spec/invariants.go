package spec

import (
	"cmp"

	"github.com/selvage-dev/selvage/spec/graph"
)

// Check holds s against the state–location table (docs/design.md#transitions) and returns the first
// breach it finds.
func (c Config) Check(s *State) Breach {
	return cmp.Or(
		c.checkReady(s),
		graph.Each(c.Fibers, func(f int) Breach { return c.checkFiber(s, Regular(f)) }),
		graph.Each(c.Trampolines, func(t int) Breach { return c.checkTrampoline(s, Trampoline(t)) }),
		graph.Each(c.Fibers, func(f int) Breach { return c.checkWait(s, Regular(f)) }),
		graph.Each(c.Trampolines, func(t int) Breach { return c.checkWait(s, Trampoline(t)) }),
		graph.Each(c.Tokens, func(k int) Breach { return c.checkToken(s, k) }),
		graph.Each(c.Deadlines, func(d int) Breach { return c.checkDeadline(s, d) }),
		c.checkPins(s),
		c.checkGrace(s),
	)
}

// checkReady: the ready queue has exactly the Runnable regular fibers that are not held, each once.
func (c Config) checkReady(s *State) Breach {
	var times [MaxSlots]int
	for _, x := range s.Queue() {
		if x.IsTrampoline() {
			return graph.Breaks(4, "trampoline %v is in the ready queue", x)
		}
		times[x]++
	}
	for f := range c.Fibers {
		status, held := s.Contexts[f].Status, s.Fibers[f].Held
		if times[f] > 1 || (times[f] == 1) != (status == Runnable && !held) || held && status != Runnable {
			return graph.Breaks(1, "f%d is %v, held: %v, and %d times in the ready queue", f, status, held, times[f])
		}
	}
	return Breach{}
}

// checkFiber: current, pinned or lent ⇔ Running; a chain moves with its root, but for the top of
// a pinned one; a fiber that must unwind does not sleep; nothing is left of the dead.
func (c Config) checkFiber(s *State, f Slot) Breach {
	root, status := &s.Fibers[f], s.Contexts[f].Status
	pinned := s.isPinned(f)
	if places := graph.Count(s.Current == f) + graph.Count(pinned) + graph.Count(root.Lent); places != graph.Count(status == Running) {
		return graph.Breaks(2, "%v is %v and current is %v, pinned are %v", f, status, s.Current, s.Pins())
	}
	for _, t := range s.ChainOf(f) {
		callee := s.Contexts[t].Status
		waits := pinned && t == s.Top(f) && callee.Blocked()
		if callee.Blocked() != status.Blocked() && !waits || callee == Dead {
			return graph.Breaks(2, "%v is %v in the chain of %v, which is %v", t, callee, f, status)
		}
	}
	if (status == BlockedIO || status == BlockedTimer) && root.Depth > 0 {
		return graph.Breaks(2, "%v is %v although it waits for its callee", f, status)
	}
	if s.waits(f) && (root.unwinds() || root.Cancel == CancelPending && !root.masked()) {
		return graph.Breaks(9, "%v waits although it has to unwind", f)
	}
	if root.Held && root.Doomed {
		return graph.Breaks(9, "%v is held although it has to unwind", f)
	}
	if status == Dead && (root.unwinds() || root.Frames || root.Nests || root.ties() || root.Lent || root.Cancel != NotCancelled || root.masked() || root.Depth > 0) {
		return graph.Breaks(10, "dead %v keeps %+v", f, *root)
	}
	return Breach{}
}

// checkTrampoline: never Runnable; on exactly one chain, once, while it lives.
func (c Config) checkTrampoline(s *State, t Slot) Breach {
	status := s.Contexts[t].Status
	switch status {
	case Runnable:
		return graph.Breaks(4, "trampoline %v is Runnable", t)
	case BlockedIO:
		return graph.Breaks(8, "trampoline %v waits for I/O", t)
	}
	times := 0
	for f := range c.Fibers {
		for _, member := range s.ChainOf(Regular(f)) {
			times += graph.Count(member == t)
		}
	}
	if times > 1 || (times == 1) != (status != Dead) {
		return graph.Breaks(4, "trampoline %v is %v and %d times in a chain", t, status, times)
	}
	return Breach{}
}

// checkWait: only the executing context has a wait prepared; a context has a current
// ticket exactly while it waits for something other than its callee, and that ticket
// is in circulation and was armed in this life.
func (c Config) checkWait(s *State, x Slot) Breach {
	ctx := &s.Contexts[x]
	if c.Lives > 0 && (int(ctx.Life) > c.Lives || ctx.Life == 0 && ctx.Status != Dead) {
		return graph.Breaks(5, "%v is %v in generation %d of %d", x, ctx.Status, ctx.Life, c.Lives)
	}
	if ctx.Latch != Unarmed && (x != s.Exec() || ctx.Status != Running) {
		return graph.Breaks(13, "%v is %v and %v, executing is %v", x, ctx.Status, ctx.Latch, s.Exec())
	}
	root := s.Root(x)
	waits := ctx.Latch == Armed || ctx.Status.Blocked() && root != NoSlot && s.Top(root) == x
	switch {
	case ctx.Outside && ctx.Seq == NoNumber:
		return graph.Breaks(10, "%v is %v and its ended wait counts as one from outside", x, ctx.Status)
	case waits && ctx.Seq == NoNumber, ctx.Status == BlockedTimer && !s.Sleeps(x):
		return graph.Breaks(9, "%v is %v and nothing can end its wait", x, ctx.Status)
	case !waits && ctx.Seq != NoNumber:
		return graph.Breaks(10, "%v is %v and its ended wait %v is registered", x, ctx.Status, ctx.Seq)
	case waits && ctx.Hands[ctx.Seq] == NotHeld:
		return graph.Breaks(9, "%v is %v and its ticket %v is lost", x, ctx.Status, ctx.Seq)
	case waits && ctx.Hands[ctx.Seq] == HeldOld:
		return graph.Breaks(5, "%v waits on ticket %v of an earlier life", x, ctx.Seq)
	}
	for n, h := range ctx.Hands {
		if ctx.Status == Dead && h == Held {
			return graph.Breaks(5, "ticket %d of dead %v passes for one of its next life", n, x)
		}
	}
	return Breach{}
}

// checkToken: a token in flight or done has one living owner, others have none; the
// waiter map names only its owner, and only while that one waits for it.
func (c Config) checkToken(s *State, k int) Breach {
	t := s.Tokens[k]
	owned := t.State == InFlight || t.State == Done
	if owned != (t.Owner != NoSlot) {
		return graph.Breaks(12, "token %d is %v and owned by %v", k, t.State, t.Owner)
	}
	if owned && s.Contexts[t.Owner].Status == Dead {
		return graph.Breaks(12, "token %d is %v and its owner %v is dead", k, t.State, t.Owner)
	}
	if first, _ := s.TokenOf(t.Owner); owned && first != k {
		return graph.Breaks(12, "%v owns tokens %d and %d", t.Owner, first, k)
	}
	if t.Flying != (t.State == InFlight || t.State == Orphan) {
		return graph.Breaks(12, "token %d is %v, at the device: %v", k, t.State, t.Flying)
	}
	if t.Waiter == NoSlot {
		return c.checkNoWaiter(s, t.Owner)
	}
	if t.Waiter.IsTrampoline() {
		return graph.Breaks(8, "trampoline %v is in the waiter map", t.Waiter)
	}
	w := &s.Contexts[t.Waiter]
	if t.State != InFlight || t.Owner != t.Waiter || w.Latch != Armed && w.Status != BlockedIO {
		return graph.Breaks(10, "token %d (%v, of %v) is awaited by %v, which is %v", k, t.State, t.Owner, t.Waiter, w.Status)
	}
	return Breach{}
}

func (c Config) checkNoWaiter(s *State, owner Slot) Breach {
	if owner != NoSlot && s.Contexts[owner].Status == BlockedIO {
		return graph.Breaks(10, "%v is blocked on I/O and not in the waiter map", owner)
	}
	return Breach{}
}
