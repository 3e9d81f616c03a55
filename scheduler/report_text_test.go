package scheduler

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// layout is what a snapshot shows as it is in memory: side records, and the words of flags.
var layout = regexp.MustCompile(`\n    \{.*\}| word 0x[0-9a-f]+`)

// A snapshot is all there is: that of a scheduler in which every line of the
// state–location table is occupied, and in which a native call and a fiber have ended.
func TestASnapshotIsTheWholeState(t *testing.T) {
	s := newAuditFixture(t)
	s.ReleaseTrampoline(s.call())
	if got := layout.ReplaceAllString(s.Inspect().Dump(), ""); got != sceneText {
		t.Errorf("the snapshot is\n%s", got)
	}
	s.Moves().Recall(fiber.RegularID(s.noOneRuns(s.lent)))
	if text := s.Inspect().Dump(); strings.Contains(text, "lent\n") {
		t.Errorf("nobody is lent any more:\n%s", text)
	}
}

// noOneRuns yields the current fiber, and is the ID of another.
func (s *auditFixture) noOneRuns(slot uint32) fiber.ID {
	s.YieldCurrent()
	return s.id(slot)
}

// The last transitions that led to a mistake, and no more than a person reads.
func TestAComplaintLooksBackOnTwelveTransitions(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var all []string
	for n := range 20 {
		g.spawnReady(Options{})
		all = append(all, fmt.Sprintf("Spawn(f%d dead→runnable)", n))
		e := refusal(g.YieldCurrent)
		_, recent, _ := strings.Cut(e.Error(), "recent: ")
		if want := strings.Join(all[max(0, n-11):], " "); recent != want {
			t.Fatalf("after %d: %q, not %q", n+1, recent, want)
		}
	}
}

// An error that a host makes itself has no scheduler to look at.
func TestAnErrorWithoutAFiberNamesNone(t *testing.T) {
	e := &ContractError{Rule: rule.I1, Op: op.Spawn, Fix: "do not"}
	if e.Fiber() != 0 || e.State() != fiber.Dead || len(e.Recent()) != 0 || e.Error() != "scheduler: Spawn breaks rule I1 (docs/invariants.md#i1): do not" {
		t.Errorf("%v, %v, %v: %v", e.Fiber(), e.State(), e.Recent(), e)
	}
}

// An operation in the middle of another cannot read the state: the error names the operations only.
func TestAnOverlapTellsOfNoState(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var e *ContractError
	b := &fakeSource{call: func() { e = refusal(func() { _, _ = g.Spawn(0) }) }}
	g.delivers(g.spawnBlocked(Options{}, fiber.OnQueue(), b), fiber.Woken)
	if e.Fiber() != 0 || e.State() != fiber.Dead || len(e.Recent()) != 0 {
		t.Errorf("%v, %v, %v", e.Fiber(), e.State(), e.Recent())
	}
}

// An observer that missed something would replay another run.
func TestAnObserverThatWouldMissSomethingIsAViolation(t *testing.T) {
	for behind, misses := range map[uint64]bool{historyLen: false, historyLen + 1: true} {
		g := newTestScheduler(t, Config{Observer: func(Transition) {}})
		for range behind {
			g.spawnReady(Options{})
		}
		g.observer.reported = 0
		e := violation(func() { g.Poll() })
		want := fmt.Sprintf("%d transitions of one batch were not observed, the history has %d", behind, historyLen)
		if (e != nil) != misses || misses && e.Found != want {
			t.Errorf("%d behind: %v", behind, e)
		}
	}
}

// The names in a report are those of every fiber in it, also of fibers that a group waits for.
func TestAReportNamesHoldersInAndOutsideOfItsGroups(t *testing.T) {
	g := newTestScheduler(t, Config{})
	left, right, out := &fakeSource{name: "left"}, &fakeSource{name: "right"}, &fakeSource{name: "out"}
	a := g.spawnBlocked(Options{Name: "a"}, fiber.OnQueue(), left).ID
	b := g.spawnBlocked(Options{Name: "b"}, fiber.OnQueue(), right).ID
	left.holders, right.holders = []fiber.ID{b}, []fiber.ID{a}
	g.spawnBlocked(Options{Name: "c"}, fiber.OnQueue().WithDeadline(50), out)
	out.holders = []fiber.ID{a, g.spawnReady(Options{Name: "awake"}).ID()}
	want := []string{
		`  f2.1 "c" waits on out; could be woken by f0.1 "a", f3.1 "awake"`,
		"partial deadlock: 2 fibers can only be woken by each other",
		`  f0.1 "a" waits on left; could be woken by f1.1 "b"`,
		`  f1.1 "b" waits on right; could be woken by f0.1 "a"`,
		"cycle: f0.1 → f1.1 → f0.1", "",
	}
	if got := strings.Split(g.Inspect().Report().String(), "\n"); !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

const sceneText = `now 0s, current f13.1, executing f13.1, 11 waits armed
ready f10 f11 f14 f15 f16 (batch of 0), to be woken [], orders []
pinned f0.1
pinned f1.1
1 lent
none dead seq 0 ref 0 value 0
f0.1 running seq 0 ref 1 value 0
f1.1 running seq 0 ref 3 value 0
f2.1 dead seq 3 ref 0 value 0
f3.1 blocked seq 4 ref 1 value 0
    registered with source 1: true
f4.1 blocked seq 5 ref 900 value 0
f5.1 blocked seq 6 ref 5 value 0
    registered with source 1: true
    registered with source 2: false
f6.1 blocked seq 7 ref 1 value 0
f7.1 blocked seq 8 ref 3 value 0
    registered with source 3: true
f8.1 blocked seq 9 ref 0 value 0
f9.1 blocked seq 0 ref 6 value 0
f10.1 runnable seq 0 ref 8 value 0
f11.1 runnable seq 11 ref 1 value 0
    registered with source 1: false
f12.1 running seq 0 ref 0 value 0
f13.1 running seq 0 ref 4 value 0
f14.1 runnable seq 0 ref 0 value 0
f15.1 runnable seq 0 ref 0 value 0
f16.1 runnable seq 0 ref 9 value 0
t0.1 running seq 0 ref 0 value 0
    caller 0, root f0
t1.1 blocked seq 1 ref 2 value 0
    registered with source 1: true
    caller 1, root f0
t2.1 running seq 2 ref 0 value 0
    caller 0, root f1
t3.1 blocked seq 0 ref 0 value 0
    caller 0, root f9
t4.1 blocked seq 10 ref 7 value 0
    registered with source 1: true
    caller 4, root f9
t5.1 running seq 0 ref 0 value 0
    caller 0, root f10
t6.1 dead seq 0 ref 0 value 0
    caller 0, root f0
source 1: box, at 1, 5 waits
source 2: *scheduler.plainSource, at 2, 1 waits
source 3: alarm, at 3, 2 waits
timers 5 live; io 1 awaited, 1 outstanding, {Submitted:1 Refused:0 Completed:0 Late:0 Abandoned:0 Dropped:0 Duplicate:0 Unknown:0}; external 1
free f3 t[6]; 6 calls; sides []; sources 0; 1 alarms [0 0 1]; {Spawned:17 Ended:1 Killed:1 Lost:0 Retired:0 MovedIn:0 MovedOut:0 RefusedWakes:0}; 0 failures unobserved; 47 transitions
`

func TestASnapshotTellsWhatIsThereAndNothingElse(t *testing.T) {
	g := newTestScheduler(t, Config{})
	if got := g.Inspect().Dump(); !strings.Contains(got, "\nnone dead") || strings.Contains(got, "lent") {
		t.Errorf("no fiber is there, and\n%s", got)
	}
	g.spawnRunning(Options{})
	g.Moves().Lend()
	if got := g.Inspect().Dump(); !strings.Contains(got, "\n1 lent\n") {
		t.Errorf("one is lent, and\n%s", got)
	}
}
