package scheduler

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Of more than a small queue holds, each is in it once and in its order.
func TestMoreFibersMoveInThanASmallQueueHolds(t *testing.T) {
	home, remote := two(t)
	const many = 5 * minRing
	for i := range many {
		_, _ = home.SpawnWith(i, Options{Movable: true})
	}
	moved := home.Moves().MoveOutLast(many, nil)
	for _, m := range slices.Backward(moved) {
		if _, err := remote.Moves().MoveIn(m); err != nil {
			t.Fatal(err)
		}
		remote.Inspect().Verify()
	}
	for i := range many {
		f, _ := remote.Fiber(remote.next())
		if f.Data != i {
			t.Fatalf("%d runs in place of %d", f.Data, i)
		}
		remote.KillCurrent()
	}
}

// The room in front of a batch is bounded; the number of fibers put in front is not.
func TestAnyNumberInFrontRunsTheLastFirst(t *testing.T) {
	for _, behind := range []int{1, 2, 5} {
		g := newTestScheduler(t, Config{})
		for range behind + 1 {
			g.spawnReady(Options{})
		}
		g.next() // the rest of the batch is under way
		var want []fiber.RegularID
		for range 3 * lead {
			want = append(want, g.spawnReady(Options{Front: true}))
			g.Inspect().Verify()
		}
		g.KillCurrent()
		slices.Reverse(want)
		for i, id := range want {
			if got := g.next(); got != id {
				t.Fatalf("%v runs as number %d, not %v", got, i, id)
			}
			g.KillCurrent()
		}
	}
}

// Fibers that wake each other one at a time need no Poll in between, as long as a batch has room.
func TestAFiberWokenByTheLastOfABatchJoinsIt(t *testing.T) {
	g := newTestScheduler(t, Config{})
	ticket := g.spawnBlocked(Options{}, fiber.OnQueue())
	g.spawnRunning(Options{})
	g.delivers(ticket, fiber.Woken)
	g.KillCurrent()
	if g.ScheduleNext() == nil || g.Current() != ticket.ID {
		t.Errorf("%v runs, not %v", g.Current(), ticket.ID)
	}
}

func TestAnUnusedSlotHasNoFiber(t *testing.T) {
	g := newTestScheduler(t, Config{})
	nobody := func(raw fiber.Raw) {
		t.Helper()
		if id, err := g.Inspect().Lookup(raw); id != 0 || !errors.Is(err, ErrGone) {
			t.Errorf("%v is %v, %v", raw, id, err)
		}
	}
	for slot := range uint32(2*chunkSize + 1) {
		for _, ahead := range []uint32{0, 1, chunkSize} {
			nobody(fiber.NewRegularID(slot+ahead, 1).ID().Raw())
			nobody(fiber.NewTrampolineID(slot+ahead, 1).ID().Raw())
		}
		id := g.spawnReady(Options{})
		if got, err := g.Inspect().Lookup(id.ID().Raw()); got != id.ID() || err != nil {
			t.Errorf("%v is %v, %v", id, got, err)
		}
	}
}

// The clock may stand anywhere before the first turn.
func TestTheTimeIsTheClocksFromTheBeginning(t *testing.T) {
	clock := NewVirtualClock()
	clock.Advance(500)
	if now := newTestScheduler(t, Config{Clock: clock}).Now(); now != 500 {
		t.Errorf("it is %v", now)
	}
}

func TestTheFailureOfAnAbandonedFiberIsNotReported(t *testing.T) {
	home := newFailureRecorder(t, Config{Number: 1})
	cell := new(ioqueue.Cell)
	m, err := home.Moves().MoveOut(home.spawnReady(Options{Movable: true, Cell: cell}))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(home.Inspect().Dump(), "\nabsent ") {
		t.Errorf("it is not seen that the fiber is elsewhere:\n%s", home.Inspect().Dump())
	}
	m.Abandon(errBoom)
	home.Poll()
	home.Steps().ReportUnobserved()
	home.wantFailures()
	if strings.Contains(home.Inspect().Dump(), "absent") {
		t.Errorf("nobody is elsewhere any more:\n%s", home.Inspect().Dump())
	}
	if !cell.Completed() {
		t.Error("a join of it never ends")
	}
}

// What ended a run comes before what happens while it unwinds, but the end of the main
// fiber is nothing beside the end of the context.
func TestWhatARunIsEndingForIsWhatEndedIt(t *testing.T) {
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(errBoom)
	panicked := &PanicError{Value: 1}
	for _, c := range []struct {
		ctx      context.Context
		over     error
		stopping bool
		want     error
	}{
		{t.Context(), nil, false, nil}, {gone, nil, false, nil}, {gone, panicked, false, nil},
		{gone, nil, true, errBoom}, {gone, ErrMainReturned, true, errBoom}, {gone, panicked, true, panicked},
		{t.Context(), ErrMainReturned, true, ErrMainReturned}, {t.Context(), panicked, true, panicked},
	} {
		s := New[int](Config{})
		l := s.Steps().Begin(c.ctx)
		s.ended, s.stopping = c.over, c.stopping
		if got := l.StopCause(); got != c.want {
			t.Errorf("over %v, stopping %v: %v, not %v", c.over, c.stopping, got, c.want)
		}
	}
}

// Every way into a wait knows the last number.
func TestNoWayIntoAWaitRepeatsANumber(t *testing.T) {
	for name, way := range map[string]func(g *testScheduler, b *fakeSource, tok fiber.Token){
		"Arm":           func(g *testScheduler, b *fakeSource, _ fiber.Token) { g.Arm(fiber.OnQueue(), b) },
		"ArmOn":         func(g *testScheduler, b *fakeSource, _ fiber.Token) { g.ArmOn(b) },
		"BlockOn":       func(g *testScheduler, b *fakeSource, _ fiber.Token) { g.BlockOn(b) },
		"ArmForQueue":   func(g *testScheduler, _ *fakeSource, _ fiber.Token) { g.ArmForQueue() },
		"BlockForQueue": func(g *testScheduler, _ *fakeSource, _ fiber.Token) { g.BlockForQueue() },
		"BlockForIO":    func(g *testScheduler, _ *fakeSource, tok fiber.Token) { g.BlockForIO(tok) },
	} {
		for _, bare := range []bool{false, true} {
			g := newTestScheduler(t, Config{})
			b := new(fakeSource)
			id := g.spawnRunning(Options{})
			w, _ := g.BlockOn(b)
			b.park(w)
			g.Apply(fiber.Wakeup{Ticket: b.match(), Result: ok, From: b.Slot()})
			g.wakesWith(id, fiber.OK) // and has kept it
			var tok fiber.Token
			if !bare || name == "BlockForIO" {
				tok = g.submit()
			}
			g.seq = g.lastSeq
			if e := refusal(func() { way(g, b, tok) }); e == nil || e.Rule.String() != "I5" {
				t.Errorf("%s: %v", name, e)
			}
		}
	}
}

// The history names every member of a chain that parks and that is carried again.
func TestTheHistoryNamesEveryMemberOfAChain(t *testing.T) {
	g := newTestScheduler(t, Config{})
	root := g.spawnRunning(Options{}).ID().Raw()
	low, mid, top := g.call().ID().Raw(), g.call().ID().Raw(), g.call().ID().Raw()
	ticket := g.blockIn(fiber.OnQueue())
	park := func(id fiber.Raw) Event { return Event{op.Block, id, fiber.Running, fiber.Blocked} }
	carry := func(id fiber.Raw) Event { return Event{op.Wake, id, fiber.Blocked, fiber.Running} }
	g.delivers(ticket, fiber.Woken)
	recent := g.Inspect().Recent()
	want := []Event{
		{op.Block, top, fiber.Running, fiber.Blocked}, park(mid), park(low), park(root),
		carry(top), carry(mid), carry(low), {op.Wake, root, fiber.Blocked, fiber.Runnable},
	}
	if got := recent[len(recent)-len(want):]; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

func TestAFiberThatOwnsASourceItHasNotKeptIsFound(t *testing.T) {
	findAll(t, []damage{
		{"a fiber that has kept nothing owns it", "I12", set(readyOne, holds)},
		{"a fiber owns what it has kept, which is no lock", "I12", func(s *auditFixture) {
			*s.reg.soleSlot(readyOne(s)) = s.box.Slot()
			s.reg.sources.at(s.box.Slot()).refs++
			readyOne(s).set(kept | holds)
		}},
	})
}
