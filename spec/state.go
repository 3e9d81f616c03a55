package spec

import (
	"slices"

	"github.com/selvage-dev/selvage/spec/graph"
)

// Context is what a fiber of either pool has.
type Context struct {
	Status Status
	// Latch is not Unarmed only for the executing context (I13).
	Latch Latch
	// Seq is the ticket of the wait that is armed or blocked on; NoNumber when there
	// is none, when it has been used, and for a caller that waits for its callee.
	Seq Number
	// Hands says for every ticket number of the slot whether it is in circulation.
	Hands [MaxTickets]Hand
	// Outside: the wait that is armed or blocked on ends from outside of the scheduler.
	Outside bool
	// Life counts the generations that have begun in the slot, if Config.Lives bounds them.
	Life uint8
}

// Fiber is what only a regular fiber has.
type Fiber struct {
	// Frames: it has native or Go frames that must be unwound, fixed at Spawn.
	Frames bool
	// Doomed: it was killed and runs only to unwind.
	Doomed bool
	// Nests: its native calls are pinned when they wait, fixed at Spawn.
	Nests bool
	// Fatal: a Fatal panic is in force in it, and it runs only to unwind.
	Fatal bool
	// Movable: it was spawned to move, or has moved in. Tied: it owns a lock, or is in a scope.
	Movable, Tied bool
	// Lent: a worker runs its slice.
	Lent bool
	// Held: it is Runnable and not in the ready queue, because the host has paused it.
	Held   bool
	Cancel Cancellation
	// Masks is how often it has masked its cancellation.
	Masks uint8
	// Chain holds the trampolines above it, the lowest first; the rest is NoSlot.
	Chain [MaxTrampolines]Slot
	Depth uint8
}

// Token is one asynchronous operation.
type Token struct {
	State TokenState
	// Owner is the regular fiber that will collect it, NoSlot if Free or Orphan.
	Owner Slot
	// Waiter is the waiter map's entry: the context whose armed or blocked IO wait it
	// is. A regular fiber, always its owner (I8); NoSlot if no fiber awaits it.
	Waiter Slot
	// Flying: the device has the operation and will complete it once. It is the world
	// outside, which the scheduler cannot see; InFlight and Orphan are what it believes.
	Flying bool
}

// State is one state of the whole machine. Unused parts keep the value Init gives
// them, so two states are the same iff they are ==.
type State struct {
	Contexts [MaxSlots]Context
	Fibers   [MaxFibers]Fiber
	Tokens   [MaxTokens]Token
	// Deadlines is those that can be live at once, the earliest first.
	Deadlines [MaxDeadlines]Deadline
	// Grace is the cancelled fiber whose grace period runs, or NoSlot.
	Grace Slot
	// Ready is the FIFO ready queue, its head first. It has one place more than it
	// can need, so that a wrong machine can be seen to queue a fiber twice.
	Ready    [MaxFibers + 1]Slot
	ReadyLen uint8
	Current  Slot
	// Promised: something is to come from outside, for no wait in particular.
	Promised bool
	// Verdict is the first with which a pump of this run has failed a call; NoAnswer if there is none.
	Verdict Answer

	// The roots of the chains under pumps, the innermost last: see Pins. There is room
	// for one too many.
	pins   [MaxPins + 1]Slot
	pinned uint8
}

// Exec is the context that executes: the top of the current fiber's chain, or NoSlot.
func (s *State) Exec() Slot {
	if s.Current == NoSlot {
		return NoSlot
	}
	return s.Top(s.Current)
}

// Top is the top of the chain of regular fiber f: f itself if the chain is empty.
func (s *State) Top(f Slot) Slot {
	root := &s.Fibers[f]
	if root.Depth == 0 {
		return f
	}
	return root.Chain[root.Depth-1]
}

// ChainOf is the chain of trampolines above regular fiber f, the lowest first. It
// shares memory with s.
func (s *State) ChainOf(f Slot) []Slot {
	root := &s.Fibers[f]
	return root.Chain[:root.Depth]
}

// Root is the regular fiber at the bottom of x's chain: x itself if x is regular,
// NoSlot if x is a trampoline in no chain.
func (s *State) Root(x Slot) Slot {
	if !x.IsTrampoline() {
		return x
	}
	for f := range s.Fibers {
		if slices.Contains(s.ChainOf(Slot(f)), x) {
			return Slot(f)
		}
	}
	return NoSlot
}

// Queue is the ready queue, its head first. It shares memory with s.
func (s *State) Queue() []Slot { return s.Ready[:s.ReadyLen] }

// Frameless is true if regular fiber f can die without being mounted: it was spawned
// without frames and has no trampoline above it now.
func (s *State) Frameless(f Slot) bool { return !s.Fibers[f].Frames && s.Fibers[f].Depth == 0 }

// Reapable is true if f, at the head of the ready queue, is to die there instead of being
// mounted: it is doomed and has nothing to unwind.
func (s *State) Reapable(f Slot) bool {
	return !f.IsTrampoline() && s.Fibers[f].Doomed && s.Frameless(f)
}

// Awaited is the token whose completion ends x's wait, and false if that wait is not
// an IO wait or there is none.
func (s *State) Awaited(x Slot) (token int, ok bool) {
	for k := range s.Tokens {
		if s.Tokens[k].Waiter == x && x != NoSlot {
			return k, true
		}
	}
	return 0, false
}

// TokenOf is the token regular fiber f holds, in flight or done, and false if none.
func (s *State) TokenOf(f Slot) (token int, ok bool) {
	for k := range s.Tokens {
		if s.Tokens[k].Owner == f && f != NoSlot {
			return k, true
		}
	}
	return 0, false
}

// Circulating is the number of x's tickets in circulation.
func (s *State) Circulating(x Slot) int {
	n := 0
	for _, h := range s.Contexts[x].Hands {
		n += graph.Count(h != NotHeld)
	}
	return n
}
