package spec

import (
	"errors"
	"testing"
)

// breaks is the invariant that each bug must be seen to break first.
var breaks = map[Bug]uint8{
	QueuesTwice: 1, KeepsCurrent: 2, WakesAnything: 3, QueuesTrampoline: 4, IgnoresWait: 5, IgnoresLife: 5,
	TrampolineDoesIO: 8, KeepsRegistration: 10, LosesToken: 12, CallsArmed: 13, DropsLatch: 9, DropsEarly: 12,
	TakesNewest: 9, SleepsThroughCancel: 9, SleepsThroughKill: 9, BlocksOverLatch: 9, WakesHalfChain: 2,
	YieldsArmed: 13, KeepsDeadline: 10, DeliversToTimer: 5, ExpiresInSilence: 9, TakesLatest: 9,
	MasksKill: 9, IgnoresMask: 6, TellsTwice: 6, KeepsGrace: 10, EndlessGrace: 9,
	LosesCurrent: 2, SwallowsEnd: 2, MissesInversion: 9, CountsOnePool: 9, KeepsPin: 2, CallsItDeadlock: 9,
	FailsOutermost: 9, QueuesPinned: 2, YieldsNested: 2, ParksNested: 2, Wraps: 5,
	MovesTied: 12, MovesUser: 12, MovesDoomed: 9, MovesCancelled: 9, MovesCaller: 4, KeepsMoved: 5, QueuesMoved: 1,
	BringsInFront: 9, ForgetsOutside: 9, KeepsOutside: 10, LendsArmed: 13, KeepsLender: 2, ForgetsLent: 9,
	KillsLent: 2, LosesRecalled: 2, JumpsLast: 9, ForgetsPromise: 9, KeepsPromise: 9,
	ForgetsVerdict: 9, KeepsVerdict: 9,
	QueuesHeld: 1, HoldsDoomed: 9, HoldsThroughKill: 9, LosesResumed: 1, ResumesInFront: 9, MovesHeld: 1, ForgetsHeld: 9,
	KeepsPicked: 1, PicksHead: 9,
}

func TestEveryBugBreaksItsInvariant(t *testing.T) {
	c := Config{Fibers: 2, Trampolines: 2, Tokens: 1, Tickets: 2}
	for _, bug := range Bugs() {
		c.Bug = bug
		if bug == KeepsDeadline { // the first that need a clock
			c = Config{Fibers: 2, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 2, Bug: bug}
		}
		if bug == MasksKill { // and a mask
			c = Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Masks: 1, Bug: bug}
		}
		if bug == KeepsGrace { // and a grace period
			c = Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 1, Grace: true, Bug: bug}
		}
		if bug == LosesCurrent { // and calls that nest
			c = Config{Fibers: 2, Trampolines: 2, Tokens: 1, Tickets: 1, Pins: 2, AllNest: true, Bug: bug}
		}
		if bug == Wraps { // and slots that have an end
			c = Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Lives: 2, Bug: bug}
		}
		if bug == MovesTied { // and fibers that move
			c = Config{Fibers: 2, Trampolines: 1, Tokens: 1, Tickets: 1, Moves: true, Bug: bug}
		}
		if bug == ForgetsOutside { // and waits and slices that the scheduler does not see
			c = Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Bug: bug}
		}
		if bug == LendsArmed {
			c = Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Lends: true, Bug: bug}
		}
		if bug == JumpsLast {
			c = Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Fronts: true, Bug: bug}
		}
		if bug == ForgetsPromise {
			c = Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Bug: bug}
		}
		if bug == ForgetsVerdict { // and runs that end
			c = Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Runs: true, Bug: bug}
		}
		if bug == QueuesHeld { // and fibers that are held
			c = Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Moves: true, Holds: true, Bug: bug}
		}
		if bug == KeepsPicked { // and a free choice
			c = Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Free: true, Bug: bug}
		}
		_, err := c.Explore(100_000, nil)
		var v *Violation
		if !errors.As(err, &v) {
			t.Errorf("%v (%d) is not found: %v", bug, bug, err)
			continue
		}
		if v.Breach.Rule != breaks[bug] {
			t.Errorf("%v (%d) breaks %v, want I%d", bug, bug, v.Breach, breaks[bug])
		}
		t.Logf("%-22v %v", bug, v)
	}
}

// Two states that no machine reaches, one for each half of the checks: they must be
// seen, or the silence of the explorations above means nothing.
func TestTheChecksAreAwake(t *testing.T) {
	s := small.Init()
	s.Contexts[0].Status = Runnable
	if b := small.Check(&s); b.Rule != 1 {
		t.Errorf("a Runnable fiber outside the ready queue: %v", b)
	}
	before := small.Apply(small.Init(), Action{Kind: Spawn})
	after := before
	after.Contexts[0].Status = Running
	if b := small.CheckStep(&before, Action{Kind: Cancel}, NoAnswer, &after); b.Rule != 2 {
		t.Errorf("Cancel makes a Runnable fiber Running: %v", b)
	}
}

// Every field of every small reachable state matters to some check or to the key: a
// single wrong value is never taken for the state it was made from.
func TestACorruptedStateNeverPassesForTheOriginal(t *testing.T) {
	corrupted(t, Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 1, Masks: 1, Pins: 1}, corruptions)
	corrupted(t, Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Runs: true}, runCorruptions)
	corrupted(t, Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Moves: true, Outside: true, Lends: true, Holds: true}, outwardCorruptions)
}

func corrupted(t *testing.T, c Config, corruptions []func(*State)) {
	t.Helper()
	g := explore(t, c)
	seen, reachable := 0, 0
	for i := range g.States {
		for _, corrupt := range corruptions {
			s := g.States[i]
			corrupt(&s)
			if s == g.States[i] {
				continue
			}
			if c.Key(&s) == c.Key(&g.States[i]) {
				t.Fatalf("corrupting %s does not show in its key", c.Key(&s))
			}
			_, known := g.Find(s)
			switch broken := !c.Check(&s).OK(); {
			case broken && known:
				t.Fatalf("reachable state %s fails its check", c.Key(&s))
			case broken:
				seen++
			case known:
				reachable++
			}
		}
	}
	t.Logf("%d corruptions break an invariant, %d give another reachable state", seen, reachable)
	if seen == 0 || reachable == 0 {
		t.Error("one of the two never happened: the corruptions are not what they should be")
	}
}

var corruptions = []func(*State){
	func(s *State) { s.Contexts[0].Status = (s.Contexts[0].Status + 1) % 6 },
	func(s *State) { s.Contexts[0].Latch = (s.Contexts[0].Latch + 1) % 3 },
	func(s *State) { s.Contexts[0].Seq = NoNumber },
	func(s *State) { s.Contexts[0].Hands[0] = (s.Contexts[0].Hands[0] + 1) % 3 },
	func(s *State) { s.Contexts[MaxFibers].Status = (s.Contexts[MaxFibers].Status + 1) % 6 },
	func(s *State) { s.Contexts[MaxFibers].Latch = Latched },
	func(s *State) { s.Fibers[0].Doomed = !s.Fibers[0].Doomed },
	func(s *State) { s.Fibers[0].Frames = !s.Fibers[0].Frames },
	func(s *State) { s.Fibers[0].Cancel = (s.Fibers[0].Cancel + 1) % 3 },
	func(s *State) { s.Tokens[0].State = (s.Tokens[0].State + 1) % 4 },
	func(s *State) { s.Tokens[0].Owner = NoSlot },
	func(s *State) { s.Tokens[0].Waiter = 0 },
	func(s *State) { s.Tokens[0].Flying = !s.Tokens[0].Flying },
	func(s *State) { s.Current = NoSlot },
	func(s *State) { s.Fibers[0].Nests = !s.Fibers[0].Nests },
	func(s *State) { s.Fibers[0].Fatal = !s.Fibers[0].Fatal },
	func(s *State) { s.pins[0], s.pinned = 0, 1 },
	func(s *State) { s.pins[0], s.pinned = NoSlot, 0 },
	func(s *State) { s.Fibers[0].Masks ^= 1 },
	func(s *State) { s.Deadlines[0].Holder = 0 },
	func(s *State) { s.Deadlines[0].Holder = NoSlot },
	func(s *State) { s.Deadlines[0].Alone = !s.Deadlines[0].Alone },
}

// runCorruptions are of what the end of a run tells.
var runCorruptions = []func(*State){
	func(s *State) { s.Verdict = AnswerDeadlock },
	func(s *State) { s.Verdict = NoAnswer },
	func(s *State) { s.pins[0], s.pinned = 0, 1 },
}

// outwardCorruptions are of what ties a fiber to a scheduler, or takes it out of one.
var outwardCorruptions = []func(*State){
	func(s *State) { s.Fibers[0].Movable = !s.Fibers[0].Movable },
	func(s *State) { s.Fibers[0].Tied = !s.Fibers[0].Tied },
	func(s *State) { s.Fibers[0].Lent = !s.Fibers[0].Lent },
	func(s *State) { s.Contexts[0].Outside = !s.Contexts[0].Outside },
	func(s *State) { s.Fibers[0].Held = !s.Fibers[0].Held },
}
