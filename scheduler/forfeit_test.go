package scheduler

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/rule"
)

// lossFixture is a testScheduler that records which results were lost, and the source they came
// from.
type lossFixture struct {
	*testScheduler
	box  *fakeSource
	lost []fiber.Ticket
}

func newLossFixture(t *testing.T) *lossFixture {
	l := &lossFixture{box: &fakeSource{name: "box"}}
	l.testScheduler = newTestScheduler(t, Config{Lost: func(t fiber.Ticket) { l.lost = append(l.lost, t) }})
	return l
}

// assign parks the current fiber in the source, gives it something, and returns the
// ticket under which that lies in the source now.
func (l *lossFixture) assign() fiber.Ticket {
	l.t.Helper()
	l.blockIn(fiber.OnQueue(), l.box)
	t := l.box.match()
	l.delivers(t, fiber.Woken)
	return t
}

// wantLost checks that exactly these results were given back to the source and reported.
func (l *lossFixture) wantLost(want ...fiber.Ticket) {
	l.t.Helper()
	if !slices.Equal(l.lost, want) || !slices.Equal(l.box.forfeited, want) || l.Inspect().Counts().Lost != uint64(len(want)) {
		l.t.Fatalf("lost %v, forfeited %v, counted %d; want %v", l.lost, l.box.forfeited, l.Inspect().Counts().Lost, want)
	}
	l.Inspect().Verify()
}

func TestAResultIsLostWhenItsFiberDiesBeforeItRuns(t *testing.T) {
	l := newLossFixture(t)
	l.spawnRunning(Options{})
	ticket := l.assign()
	l.Kill(ticket.ID, nil)
	l.wantLost()
	l.Poll()
	l.wantLost(ticket)
}

func TestAResultIsLostWhenItsFiberExitsWithoutClaimingIt(t *testing.T) {
	l := newLossFixture(t)
	id := l.spawnRunning(Options{Name: "with a side record", Frames: true})
	ticket := l.assign()
	l.mount(id)
	l.KillCurrent()
	l.wantLost(ticket)
}

func TestAClaimedResultIsNotLost(t *testing.T) {
	l := newLossFixture(t)
	id := l.spawnRunning(Options{})
	l.assign()
	l.wakesWith(id, fiber.OK)
	l.KillCurrent()
	l.wantLost()
}

func TestALatchedResultThatDisarmReturnedIsNotLost(t *testing.T) {
	l := newLossFixture(t)
	l.spawnRunning(Options{})
	ticket := l.Arm(fiber.OnQueue(), l.box)
	l.box.park(ticket)
	l.delivers(l.box.match(), fiber.Latched)
	if r, got := l.Disarm(); !got || r != ok {
		t.Fatalf("Disarm: %v, %v", r, got)
	}
	l.KillCurrent()
	l.wantLost()
}

func TestALatchedResultIsLostWithAFiberThatWasKilledInItsSlice(t *testing.T) {
	l := newLossFixture(t)
	id := l.spawnRunning(Options{})
	ticket := l.Arm(fiber.OnQueue(), l.box)
	l.box.park(ticket)
	l.delivers(l.box.match(), fiber.Latched)
	l.Kill(id.ID(), nil)
	l.Finish(fiber.BlockOn(fiber.OnQueue()))
	l.is(id.ID(), fiber.Dead)
	l.wantLost(ticket)
}

func TestALatchedResultIsLostWithAFiberThatWasKilledAfterItsBlock(t *testing.T) {
	l := newLossFixture(t)
	l.spawnRunning(Options{})
	ticket := l.Arm(fiber.OnQueue(), l.box)
	l.box.park(ticket)
	l.delivers(l.box.match(), fiber.Latched)
	l.Block()
	l.Kill(ticket.ID, nil)
	l.Poll()
	l.wantLost(ticket)
}

func TestAResultOfANativeCallIsLostWhenTheCallEndsWithoutClaimingIt(t *testing.T) {
	l := newLossFixture(t)
	root := l.spawnRunning(Options{})
	call := l.call()
	ticket := l.assign()
	l.Kill(root.ID(), nil)
	l.mount(root)
	l.ReleaseTrampoline(call)
	l.wantLost(ticket)
	l.KillCurrent()
	l.wantLost(ticket)
}

func TestNothingIsLostWhereNothingWasAssigned(t *testing.T) {
	for name, o := range map[string]Options{"plain": {}, "with a side record": {Name: "n"}} {
		t.Run(name, func(t *testing.T) {
			l := newLossFixture(t)
			byTicket := l.spawnBlocked(o, fiber.OnQueue())
			l.delivers(byTicket, fiber.Woken)
			l.Kill(byTicket.ID, nil)
			byID := l.spawnBlocked(o, fiber.OnQueue())
			l.Wake(byID.ID)
			l.Kill(byID.ID, nil)
			l.Kill(l.spawnBlocked(o, fiber.OnQueue(), l.box).ID, nil)
			l.Poll()
			l.wantLost()
		})
	}
}

func TestEverySourceOfASelectReceivesTheForfeit(t *testing.T) {
	l := newLossFixture(t)
	other := &fakeSource{name: "other"}
	l.spawnRunning(Options{})
	ticket := l.blockIn(fiber.OnQueue(), l.box, other, l.box)
	l.delivers(ticket, fiber.Woken)
	if other.Holds(ticket) {
		t.Fatal("the sibling of the select is still registered")
	}
	l.Kill(ticket.ID, nil)
	l.Poll()
	if !slices.Equal(other.asked, []fiber.Ticket{ticket}) || l.Inspect().Counts().Lost != 1 {
		t.Fatalf("asked for %v, %d lost", other.asked, l.Inspect().Counts().Lost)
	}
}

// A source may pass on what it gets back; that wakes another fiber.
func TestWhatIsForfeitedCanWakeTheNextInLine(t *testing.T) {
	g := newTestScheduler(t, Config{})
	successor := g.spawnBlocked(Options{}, fiber.OnQueue())
	lock := &passing{to: fiber.Wakeup{Ticket: successor, Result: ok}}
	g.spawnRunning(Options{})
	ticket := g.blockIn(fiber.OnQueue(), lock)
	g.delivers(ticket, fiber.Woken)
	g.Kill(ticket.ID, nil)
	g.Poll()
	g.is(successor.ID, fiber.Runnable)
	g.next()
	g.claims(fiber.OK)
}

// passing is a lock that goes to its successor when its assigned owner dies.
type passing struct {
	lineSource
	to fiber.Wakeup
}

func (p *passing) Forfeit(_ fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	return append(dst, p.to), true
}

// chooser is a custom source that is also an owner hook, and does not name itself in its wake-ups. When
// its owner dies, it chooses its first waiter as many times as it says.
type chooser struct {
	fakeSource
	times int
}

func (b *chooser) OwnerDied(_ fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	t := b.match()
	for range b.times {
		dst = append(dst, fiber.Wakeup{Ticket: t, Result: ok})
	}
	return dst
}

// waitForEither has a fiber wait for two sources, kills their owner, and returns the ticket.
func (g *testScheduler) waitForEither(first, second *chooser) fiber.Ticket {
	g.t.Helper()
	owner := g.spawnRunning(Options{})
	g.Attachments().Own(first)
	g.Attachments().Own(second)
	g.BlockForQueue()
	g.spawnRunning(Options{})
	t := g.Arm(fiber.OnQueue(), first, second)
	first.park(t)
	second.park(t)
	g.Block()
	g.Kill(owner.ID(), nil)
	return t
}

func TestOfTwoSourcesThatChooseOneWaiterTheSecondForfeits(t *testing.T) {
	var lost []fiber.Ticket
	g := newTestScheduler(t, Config{Lost: func(t fiber.Ticket) { lost = append(lost, t) }})
	successor := g.spawnBlocked(Options{}, fiber.OnQueue())
	first, second := &chooser{times: 1}, &chooser{times: 1}
	first.onForfeit = []fiber.Wakeup{{Ticket: successor, Result: ok}}
	ticket := g.waitForEither(first, second)
	require.Equal(t, []fiber.Ticket{ticket}, first.forfeited)
	require.Empty(t, second.asked)
	require.Equal(t, []fiber.Ticket{ticket}, lost)
	require.Zero(t, g.Inspect().Counts().RefusedWakes)
	g.is(successor.ID, fiber.Runnable)

	g.Kill(ticket.ID, nil) // the second has assigned itself, and is not claimed
	g.Poll()
	require.Equal(t, []fiber.Ticket{ticket}, first.asked)
	require.Equal(t, []fiber.Ticket{ticket}, second.forfeited)
	g.Inspect().Verify()
}

func TestASourceThatDecidesTwiceKeepsWhatTheFiberHasFromIt(t *testing.T) {
	g := newTestScheduler(t, Config{})
	first, second := &chooser{times: 1}, &chooser{times: 2}
	defer func() {
		if e, broken := recover().(*InvariantError); broken != invariants.On || broken && e.Rule != rule.HookReturns {
			t.Errorf("%v", e)
		}
		require.Empty(t, second.forfeited)
	}()
	g.waitForEither(first, second)
	require.Equal(t, uint64(1), g.Inspect().Counts().RefusedWakes)
}
