package scheduler

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// modes are the ways in which a native call waits, by what its fiber is spawned with.
var modes = map[string]struct {
	options Options
	waits   Blocking
}{
	"parking": {Options{Frames: true}, Parked},
	"nesting": {Options{Nests: true}, Pinned},
}

// In every mode, whatever ends the wait: a trampoline never stands in the ready queue
// (I4). Its driver takes it up.
func TestAWakeOfATrampolineNeverEnqueuesIt(t *testing.T) {
	for mode, m := range modes {
		for how, wake := range map[string]func(g *testScheduler, t fiber.Ticket){
			"delivery": func(g *testScheduler, t fiber.Ticket) { g.delivers(t, fiber.Woken) },
			"by ID":    func(g *testScheduler, t fiber.Ticket) { g.Wake(t.ID) },
			"deadline": func(g *testScheduler, _ fiber.Ticket) { g.at(10) },
			"cancel":   func(g *testScheduler, t fiber.Ticket) { _ = g.Cancel(t.ID, nil) },
			"kill":     func(g *testScheduler, t fiber.Ticket) { _ = g.Kill(t.ID, nil) },
			"post": func(g *testScheduler, t fiber.Ticket) {
				_ = g.Inbox().Deliver(t, ok)
				g.Poll()
			},
		} {
			t.Run(mode+"/"+how, func(t *testing.T) {
				g := newTestScheduler(t, Config{})
				root := g.spawnRunning(m.options)
				g.call()
				top := g.call().ID()
				ticket := g.Arm(fiber.OnQueue().WithDeadline(10))
				if got := g.Block(); got != m.waits {
					t.Fatalf("the call is %v, not %v", got, m.waits)
				}
				g.is(top, fiber.Blocked)
				wake(g, ticket)
				g.is(top, fiber.Running)
				queue := slices.Collect(g.Inspect().Ready())
				if m.waits == Pinned {
					g.is(root.ID(), fiber.Running)
					if len(queue) != 0 {
						t.Fatalf("%v are in the ready queue", queue)
					}
					g.Calls().Unpin()
				} else {
					g.is(root.ID(), fiber.Runnable)
					if !slices.Equal(queue, []fiber.RegularID{root}) {
						t.Fatalf("%v are in the ready queue", queue)
					}
					g.mount(root)
				}
				if g.Inspect().Executing() != top || g.Current() != root.ID() {
					t.Fatalf("%v executes above %v", g.Inspect().Executing(), g.Current())
				}
			})
		}
	}
}

// What was delivered between Arm and Block keeps a call from being pinned or parked.
func TestALatchedCallGoesOnAtOnceInEveryMode(t *testing.T) {
	for mode, m := range modes {
		t.Run(mode, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			g.spawnRunning(m.options)
			g.call()
			g.delivers(g.Arm(fiber.OnQueue()), fiber.Latched)
			if how := g.Block(); how != Resumed {
				t.Fatalf("the call is %v", how)
			}
			g.claims(fiber.OK)
		})
	}
}

func TestBlockedCountsNeitherPinnedNorRunningFibers(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{Nests: true})
	g.call()
	g.pin(fiber.OnQueue())
	g.spawnBlocked(Options{}, fiber.OnQueue())
	g.spawnRunning(Options{})
	if g.Inspect().Live() != 3 || g.Inspect().Blocked() != 1 {
		t.Fatalf("%d alive, %d blocked", g.Inspect().Live(), g.Inspect().Blocked())
	}
}

// A pinned call and a parked fiber that wait for each other are stuck, although another
// fiber goes on and the root of the call runs as far as its state tells.
func TestAPartialDeadlockThroughAPinnedCallIsReported(t *testing.T) {
	g := newTestScheduler(t, Config{})
	lower, upper := &fakeSource{name: "lower"}, &fakeSource{name: "upper"}
	root := g.spawnRunning(Options{Nests: true}).ID()
	call := g.call().ID()
	g.pin(fiber.OnQueue(), lower)
	peer := g.spawnBlocked(Options{}, fiber.OnQueue(), upper).ID
	lower.holders, upper.holders = []fiber.ID{peer}, []fiber.ID{root}
	g.spawnBlocked(Options{}, fiber.Until(9))
	stuck := g.Inspect().Report().Stuck
	if len(stuck) != 1 || !slices.Equal(stuck[0].Cycle, []fiber.ID{root, call, peer}) {
		t.Fatalf("stuck: %v", stuck)
	}
	g.delivers(lower.match(), fiber.Woken)
	if stuck := g.Inspect().Report().Stuck; len(stuck) != 0 {
		t.Fatalf("stuck after the call was woken: %v", stuck)
	}
}

// The result that a native call was assigned and did not collect goes to the next waiter.
func TestWhatAReleasedCallDidNotCollectIsHandedOn(t *testing.T) {
	g, b := newTestScheduler(t, Config{}), new(fakeSource)
	root := g.spawnRunning(Options{})
	call := g.call()
	g.blockIn(fiber.OnQueue(), b)
	g.Apply(fiber.Wakeup{Ticket: b.match(), Result: ok})
	next := g.spawnBlocked(Options{}, fiber.OnQueue(), b)
	b.onForfeit = []fiber.Wakeup{{Ticket: next, Result: ok}}
	g.mount(root)
	g.ReleaseTrampoline(call)
	g.is(next.ID, fiber.Runnable)
}

// A fiber has the frames it was spawned with before, between and after its native calls: it is
// not dead before they have unwound.
func TestAFiberWithFramesKeepsThemAfterItsCalls(t *testing.T) {
	for range 2 {
		g := newTestScheduler(t, Config{})
		id := g.spawnRunning(Options{Frames: true})
		for range 2 {
			g.ReleaseTrampoline(g.call())
		}
		if err := g.Kill(id.ID(), nil); err != nil {
			t.Fatal(err)
		}
		if !g.Finish(fiber.Outcome{Kind: fiber.FrameChanged}) || g.Current() != id.ID() {
			t.Error("it died with its frames")
		}
		g.KillCurrent()
	}
}

// A pinned call that was woken waits for nothing any more, as the report shows.
func TestAReportDoesNotTellWhatAWokenCallHasWaitedFor(t *testing.T) {
	g, b := newTestScheduler(t, Config{}), &fakeSource{name: "b"}
	g.spawnRunning(Options{Nests: true})
	call := g.call()
	g.pin(fiber.OnQueue(), b)
	g.delivers(b.match(), fiber.Woken)
	for _, f := range g.Inspect().Report().Fibers {
		if f.ID == call.ID() && (len(f.On) > 0 || !f.Pinned) {
			t.Errorf("%+v", f)
		}
	}
}

func TestUnpinIsNotForSources(t *testing.T) {
	g, b := newTestScheduler(t, Config{}), new(fakeSource)
	g.spawnRunning(Options{Nests: true})
	call := g.call()
	g.pin(fiber.OnQueue())
	asleep := g.spawnBlocked(Options{}, fiber.OnQueue(), b)
	g.Wake(call.ID())
	var e *ContractError
	b.call = func() { e = refusal(g.Calls().Unpin) }
	g.Deliver(asleep, ok)
	overlaps(t, e, op.Pump, op.Deliver)
	g.Calls().Unpin()
}

func TestAFatalPanicRefusesTheNextCallAndEveryPoll(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{Nests: true})
	call := g.call()
	g.pin(fiber.OnQueue())
	verdict := g.Calls().FailPinned()
	g.Calls().Unpin()
	for range 2 {
		if _, err := g.AcquireTrampoline(); err == nil || g.Unwind().UnwindCause().Error() != err.Error() {
			t.Fatalf("another call: %v, unwind cause %v", err, g.Unwind().UnwindCause())
		}
		if code, why := g.TakeInterrupt(); code != fiber.Killed || why == nil {
			t.Fatalf("polled: %v, %v", code, why)
		}
		if g.Inspect().Executing() == call.ID() {
			g.ReleaseTrampoline(call)
		}
	}
	if _, err := g.KillCurrent(); err == nil || err.(*PanicError).Value != verdict {
		t.Fatalf("the fiber ended with %v", err)
	}
}

// A Fatal panic is raised again at every host call: what is in force in a call that a verdict failed is
// so in its callers, and none of them begins a wait or an operation whose result would not be collected.
func TestAFatalPanicEndsEveryWaitBeforeItBegins(t *testing.T) {
	box := &fakeSource{name: "never"}
	for how, wait := range map[string]func(g *testScheduler) Blocking{
		"Arm and Block": func(g *testScheduler) Blocking { g.Arm(fiber.OnQueue()); return g.Block() },
		"BlockForQueue": func(g *testScheduler) Blocking { _, how := g.BlockForQueue(); return how },
		"BlockOn":       func(g *testScheduler) Blocking { _, how := g.BlockOn(box); return how },
		"cancelled too": func(g *testScheduler) Blocking {
			_ = g.Cancel(g.Current(), nil)
			_, how := g.BlockForQueue()
			return how
		},
	} {
		t.Run(how, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			g.spawnRunning(Options{Nests: true})
			call := g.call()
			g.pin(fiber.OnQueue())
			verdict := g.Calls().FailPinned()
			g.Calls().Unpin()
			for range 2 {
				if how := wait(g); how != Interrupted {
					t.Fatalf("%v is %v", g.Inspect().Executing(), how)
				}
				g.claims(fiber.Killed)
				var panicked *PanicError
				if _, err := g.Ops().Submit(); !errors.As(err, &panicked) || panicked.Value != verdict {
					t.Fatalf("submits: %v", err)
				}
				if g.Inspect().Executing() == call.ID() {
					g.ReleaseTrampoline(call)
				}
			}
		})
	}
}
