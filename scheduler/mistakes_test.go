package scheduler

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

const (
	emptyChan  = "chan (0 of 0 buffered, receivers waiting: 0, senders waiting: 0)"
	senderWait = "chan (0 of 0 buffered, receivers waiting: 0, senders waiting: 1)"
	alone      = "deadlock: the only fiber is blocked and nothing can wake it\n"
	anyPeer    = "; could be woken by any peer\n"
	nowhere    = "; registered with no object: a wake-up was not applied, or Park was not called\n"
	forgotten  = "the host may have forgotten to apply a wake-up or to park a wait; run with -tags invariants\n"

	unapplied = ", which has decided to wake it: a wake-up was not applied; Apply each Wakeup that a call of an object returns (TrySend, TryRecv, Unlock and others), in the slice that made the call"
	unparked  = ", which does not hold its ticket: Park was not called; park the ticket in the object between Arm and Block"
	unclaimed = "): Claim it when the fiber runs again, once for each wait, and collect the value that the object has assigned to the ticket"
)

func breaks(call, rule string) string {
	return fmt.Sprintf("scheduler: %s breaks rule %s (docs/invariants.md#%s): ", call, rule, strings.ToLower(rule))
}

// hostMistakes are the same small host with one mistake each. A mistake is refused in the slice that
// makes it, in the checked build or always; its fiber ends then, and a run continues with the others.
// The run without the refusal ends as plainEnd says.
var hostMistakes = []struct {
	wrong, programs    string
	always             bool
	refused, guilty    string
	endAfter, plainEnd string
}{
	{wrong: "apply", programs: "receiver recv | sender yield send yield",
		refused:  breaks("YieldCurrent", "I9") + `f0.1 "receiver" at toy.vm:2 waits on ` + emptyChan + unapplied + "\n\texecuting: f1.1 \"sender\" at toy.vm:4, running",
		guilty:   "sender",
		endAfter: alone + `  f0.1 "receiver" at toy.vm:2 waits on ` + emptyChan + nowhere,
		plainEnd: alone + `  f0.1 "receiver" at toy.vm:2 waits on ` + emptyChan + nowhere + forgotten},
	{wrong: "apply", programs: "sender send | receiver yield recv end",
		refused:  breaks("Exit", "I9") + `f0.1 "sender" at toy.vm:2 waits on ` + emptyChan + unapplied + "\n\texecuting: f1.1 \"receiver\" at toy.vm:4, running",
		guilty:   "receiver",
		endAfter: alone + `  f0.1 "sender" at toy.vm:2 waits on ` + emptyChan + nowhere,
		plainEnd: alone + `  f0.1 "sender" at toy.vm:2 waits on ` + emptyChan + nowhere + forgotten},
	{wrong: "apply", programs: "receiver recv | sender yield send sleep",
		refused:  breaks("Block", "I9") + `f0.1 "receiver" at toy.vm:2 waits on ` + emptyChan + unapplied + "\n\texecuting: f1.1 \"sender\" at toy.vm:4, running",
		guilty:   "sender",
		endAfter: alone + `  f0.1 "receiver" at toy.vm:2 waits on ` + emptyChan + nowhere,
		plainEnd: alone + `  f0.1 "receiver" at toy.vm:2 waits on ` + emptyChan + nowhere + forgotten},
	{wrong: "park", programs: "receiver recv | sender yield yield send",
		refused:  breaks("Block", "I9") + `f0.1 "receiver" at toy.vm:2 has armed a wait on ` + emptyChan + unparked + "\n\texecuting: f0.1 \"receiver\" at toy.vm:2, running",
		guilty:   "receiver",
		endAfter: alone + `  f1.1 "sender" at toy.vm:4 waits on ` + senderWait + anyPeer,
		plainEnd: "deadlock: all 2 fibers are blocked and nothing can wake them\n" +
			`  f0.1 "receiver" at toy.vm:2 waits on ` + senderWait + nowhere +
			`  f1.1 "sender" at toy.vm:4 waits on ` + senderWait + anyPeer + forgotten},
	{wrong: "park", programs: "receiver select",
		refused:  breaks("Block", "I9") + `f0.1 "receiver" at toy.vm:2 has armed a wait on ` + emptyChan + unparked + "\n\texecuting: f0.1 \"receiver\" at toy.vm:2, running",
		guilty:   "receiver",
		plainEnd: alone + `  f0.1 "receiver" at toy.vm:2 waits on ` + emptyChan + ", " + emptyChan + nowhere + forgotten},
	{wrong: "park in it", programs: "receiver recv",
		refused:  breaks("Block", "I9") + `f0.1 "receiver" at toy.vm:2 has armed a wait on ` + emptyChan + unparked + "\n\texecuting: f0.1 \"receiver\" at toy.vm:2, running",
		guilty:   "receiver",
		plainEnd: alone + `  f0.1 "receiver" at toy.vm:2 waits on ` + emptyChan + nowhere + forgotten},
	{wrong: "claim", programs: "receiver recv recv | sender yield send yield send",
		refused:  breaks("Arm", "I12") + `f0.1 "receiver" at toy.vm:3 has not claimed how its wait on ` + emptyChan + " ended (ok" + unclaimed + "\n\texecuting: f0.1 \"receiver\" at toy.vm:3, running",
		guilty:   "receiver",
		endAfter: alone + `  f1.1 "sender" at toy.vm:5 waits on ` + senderWait + anyPeer},
	{wrong: "claim", programs: "receiver recv | sender yield send",
		refused: breaks("Finish", "I12") + `f0.1 "receiver" at toy.vm:2 has not claimed how its wait on ` + emptyChan + " ended (ok" + unclaimed + "\n\texecuting: f0.1 \"receiver\" at toy.vm:2, running",
		guilty:  "receiver"},
	{wrong: "a panic", programs: "guest fail", always: true,
		refused: breaks("Exit", "PANIC-PHASE") + `f0.1 "guest" at toy.vm:2 ends with Panic and no panic is in force: raise one by Unwind().BeginPanic and NextDefer, or set an error by SetResult` + "\n\texecuting: f0.1 \"guest\" at toy.vm:2, running",
		guilty:  "guest"},
	{wrong: "NextDefer", programs: "guest fail", always: true,
		refused: breaks("Exit", "PANIC-PHASE") + `f0.1 "guest" at toy.vm:2 ends with Panic while its panic machine is unwinding: run the deferred calls that Unwind().Panics().NextDefer gives until it gives none, then return Panic` + "\n\texecuting: f0.1 \"guest\" at toy.vm:2, running",
		guilty:  "guest"},
}

func TestAMistakeOfTheHostIsReportedAndTheOthersGoOn(t *testing.T) {
	for _, row := range hostMistakes {
		t.Run(row.wrong+" in "+row.programs, func(t *testing.T) {
			programs := append(strings.Split(row.programs, "|"), "bystander sleep goes-on")
			m := newToyVM(t, row.wrong, programs...)
			refusals, end := m.runs(t)
			require.Contains(t, m.notes, "bystander: goes on")
			if !row.always && !invariants.On {
				require.Empty(t, refusals)
				require.Equal(t, row.plainEnd, end)
				return
			}
			require.Equal(t, []string{row.refused}, refusals)
			require.Contains(t, m.notes, row.guilty+": the host, resuming the fiber: panic: its slice did not return: Resume panicked, or called runtime.Goexit")
			require.Equal(t, row.endAfter, end)
		})
	}
}

// A host without a mistake runs each of these programs unharmed.
func TestAHostWithoutAMistakeIsNotRefused(t *testing.T) {
	for _, row := range hostMistakes {
		t.Run(row.programs, func(t *testing.T) {
			m := newToyVM(t, "nothing", strings.Split(row.programs, "|")...)
			refusals, end := m.runs(t)
			require.Empty(t, refusals)
			require.NotContains(t, end, "registered with no object")
			fails := strings.Contains(row.programs, "fail")
			require.Equal(t, fails, slices.Contains(m.notes, "guest: toy.vm:2: panic: division by zero"))
		})
	}
}

// inCheckedBuild refuses as the checked build does. The other does what is asked for.
func (g *testScheduler) inCheckedBuild(rule string, call Op, do func()) {
	g.t.Helper()
	if !invariants.On {
		do()
		return
	}
	g.refuses(rule, call, do)
}

// BlockOn's caller parks after the block, and before its next call.
func TestBlockOnLeavesTimeToPark(t *testing.T) {
	for name, kept := range map[string]bool{"an object of the first time": false, "the object of the last wait": true} {
		t.Run(name, func(t *testing.T) {
			g, b := newTestScheduler(t, Config{}), new(fakeSource)
			id := g.spawnRunning(Options{})
			if kept {
				g.blockOn(b)
				g.serve(b)
				g.wakesWith(id, fiber.OK)
			}
			ticket, _ := g.BlockOn(b)
			b.park(ticket)
			other := g.spawnRunning(Options{})
			w := fiber.Wakeup{Ticket: b.match(), Result: ok, From: b.Slot()}
			if invariants.On {
				e := g.refuses("I9", op.Yield, g.YieldCurrent)
				require.Contains(t, e.Fix, "a wake-up was not applied")
				require.Equal(t, other.ID(), e.Fiber())
			}
			g.Apply(w)
			g.KillCurrent()
			g.wakesWith(id, fiber.OK)
			_, how := g.BlockOn(b)
			require.Equal(t, Parked, how)
			g.inCheckedBuild("I9", op.Poll, func() { g.Poll() })
			require.False(t, g.Poll()) // it is reported once
		})
	}
}

func TestAWaitOfANativeCallIsHeldToo(t *testing.T) {
	g, b := newTestScheduler(t, Config{}), &fakeSource{name: "box"}
	g.spawnRunning(Options{Frames: true})
	g.call()
	ticket := g.Arm(fiber.OnQueue(), b)
	g.inCheckedBuild("I9", op.Block, func() { g.Block() })
	b.park(ticket)
	if invariants.On {
		g.Block()
	}
	g.spawnRunning(Options{})
	w := fiber.Wakeup{Ticket: b.match(), Result: ok, From: b.Slot()}
	g.inCheckedBuild("I9", op.Yield, g.YieldCurrent)
	require.Contains(t, g.Inspect().Report().String(), "t0.1 waits on box"+nowhere)
	require.Equal(t, fiber.Woken, g.Apply(w))
	require.NotContains(t, g.Inspect().Report().String(), "registered with no object")
}

// A wake-up from another goroutine is on its way before the owner has it.
func TestAWakeUpOnItsWayFromAnotherGoroutineIsNoMistake(t *testing.T) {
	g := newTestScheduler(t, Config{})
	w := g.Attachments().NewWaker()
	waiter := g.spawnRunning(Options{})
	g.listens(w, fiber.OnQueue())
	g.spawnRunning(Options{})
	require.True(t, w.Wake(ok))
	require.NotContains(t, g.Inspect().Report().String(), "registered with no object")
	g.YieldCurrent()
	g.wakesWith(waiter, fiber.OK)
}

// A Go panic between the decision and its application is the mistake that is reported, not what it
// has left behind.
func TestAGoPanicIsNotHiddenBehindTheWakeUpThatItLeavesBehind(t *testing.T) {
	g, b := newTestScheduler(t, Config{}), new(fakeSource)
	g.spawnBlocked(Options{}, fiber.OnQueue(), b)
	g.spawnReady(Options{})
	explode := MachineFunc[int](func(*Scheduler[int], *Fiber[int]) fiber.Outcome {
		b.match()
		panic("boom")
	})
	require.PanicsWithValue(t, "boom", func() { _ = g.Run(t.Context(), explode) })
	require.ErrorContains(t, g.Run(t.Context(), explode), "registered with no object")
}

// What a fiber that unwinds has not claimed is forfeited; a cancelled one may end without.
func TestAFiberThatUnwindsNeedNotClaim(t *testing.T) {
	for name, o := range map[string]Options{"killed": {Frames: true}, "cancelled": {}} {
		t.Run(name, func(t *testing.T) {
			g, b := newTestScheduler(t, Config{}), new(fakeSource)
			id := g.spawnRunning(o)
			g.blockOn(b)
			g.serve(b)
			if o.Frames {
				require.NoError(t, g.Kill(id.ID(), nil))
				g.mount(id)
				g.Arm(fiber.OnQueue())
				g.Disarm()
			} else {
				require.NoError(t, g.Cancel(id.ID(), nil))
				g.mount(id)
				g.TakeInterrupt()
			}
			g.Finish(done)
			g.is(id.ID(), fiber.Dead)
		})
	}
}

// A result that Disarm returns is taken.
func TestAResultThatDisarmReturnsIsClaimed(t *testing.T) {
	g, b := newTestScheduler(t, Config{}), new(fakeSource)
	g.spawnRunning(Options{})
	b.park(g.Arm(fiber.OnQueue().WithDeadline(5), b))
	g.serve(b)
	_, came := g.Disarm()
	require.True(t, came)
	g.Arm(fiber.OnQueue())
	g.Disarm()
}

// A Site hook that breaks the contract gets one error, not one for each error's view.
func TestASiteHookThatBreaksTheContractEndsInOneError(t *testing.T) {
	var g *testScheduler
	g = newTestScheduler(t, Config{Site: func(fiber.RegularID) string {
		return refusal(func() { g.Wake(0) }).Op.String()
	}})
	g.spawnRunning(Options{})
	require.Contains(t, refusal(func() { g.Wake(0) }).Error(), "executing: f0.1 at Wake, running")
}
