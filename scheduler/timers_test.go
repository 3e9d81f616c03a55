package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// wakeOrder runs every ready fiber once, and returns their order.
func (g *testScheduler) wakeOrder() (order []fiber.ID) {
	for range g.run().len() {
		order = append(order, g.next().ID())
		g.KillCurrent()
	}
	return order
}

func TestEqualDeadlinesFireInTheOrderOfTheirRegistration(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var want []fiber.ID
	for n := range 200 {
		r := fiber.Until(50)
		if n%2 == 1 {
			r = fiber.OnQueue().WithDeadline(50)
		}
		want = append(want, g.spawnBlocked(Options{}, r).ID)
	}
	g.at(50)
	if got := g.wakeOrder(); !slices.Equal(got, want) {
		t.Fatalf("woken in the order %v", got)
	}
}

func TestDeadlinesFireInTheirOrderWhateverTheOrderOfRegistration(t *testing.T) {
	g := newTestScheduler(t, Config{})
	due := map[fiber.ID]fiber.Time{}
	for _, d := range rand.New(rand.NewPCG(3, 4)).Perm(500) {
		deadline := fiber.Time(d/3+1) * 1000
		due[g.spawnBlocked(Options{}, fiber.Until(deadline)).ID] = deadline
	}
	g.at(1 << 30)
	order := g.wakeOrder()
	if len(order) != 500 || !slices.IsSortedFunc(order, func(a, b fiber.ID) int {
		if due[a] != due[b] {
			return int(due[a] - due[b])
		}
		return int(a.Index()) - int(b.Index())
	}) {
		t.Fatalf("%d woken, in the order %v", len(order), order)
	}
}

func TestASleepEndsWithOKAtItsInstantAndNotBefore(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnBlocked(Options{}, fiber.Until(100)).ID
	g.at(99)
	g.is(id, fiber.Blocked)
	g.at(100)
	g.is(id, fiber.Runnable)
	g.next()
	g.claims(fiber.OK)
}

func TestAnInstantThatHasPassedIsDueAtTheNextPoll(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.at(1000)
	for _, when := range []fiber.Time{1000, 999, 0, -7} {
		id := g.spawnBlocked(Options{}, fiber.Until(when)).ID
		g.is(id, fiber.Blocked)
		g.Poll()
		g.is(id, fiber.Runnable)
		g.next()
		g.KillCurrent()
	}
}

func TestATimeoutEndsTheWaitAndWithdrawsIt(t *testing.T) {
	g := newTestScheduler(t, Config{})
	left, right := new(fakeSource), new(fakeSource)
	ticket := g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(10), left, right)
	g.at(10)
	if left.Holds(ticket) || right.Holds(ticket) {
		t.Fatal("the wait is over and still registered")
	}
	g.next()
	if got, r := g.Claim(); got != ticket || r != (fiber.Result{Code: fiber.TimedOut}) {
		t.Fatalf("%v ended with %v", got, r)
	}
	if g.timers.live != 0 || g.reg.exts.live() != 0 {
		t.Fatalf("%d deadlines, %d side records are left", g.timers.live, g.reg.exts.live())
	}
}

func TestATimeoutOfAnOperationAbandonsIt(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	token := g.submit()
	g.blockIn(fiber.OnIO(token).WithDeadline(10))
	if !g.HasIOWaiters() {
		t.Fatal("nobody waits for the operation")
	}
	g.at(10)
	if got := g.Ops().Cancellations(nil); !slices.Equal(got, []fiber.Token{token}) || g.HasIOWaiters() {
		t.Fatalf("to be cancelled: %v", got)
	}
	g.wakesWith(id, fiber.TimedOut)
	if v := g.Ops().Complete(token, ioqueue.Completion{N: 5}); v != ioqueue.Late {
		t.Fatalf("the late completion: %v", v)
	}
}

func TestATimeoutLetsThoseBehindGoOn(t *testing.T) {
	g := newTestScheduler(t, Config{})
	behind := g.spawnBlocked(Options{}, fiber.OnQueue())
	b := &fakeSource{onLeave: []fiber.Wakeup{{Ticket: behind, Result: ok}}}
	gaveUp := g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(10), b)
	g.at(10)
	if got, want := g.wakeOrder(), []fiber.ID{gaveUp.ID, behind.ID}; !slices.Equal(got, want) {
		t.Fatalf("woken in the order %v, not %v", got, want)
	}
}

func TestTheFirstOfSeveralEventsEndsTheWait(t *testing.T) {
	const deadline = 10
	for name, tc := range map[string]struct {
		end  func(g *testScheduler, t fiber.Ticket)
		want fiber.Code
	}{
		"the delivery": {func(g *testScheduler, ticket fiber.Ticket) {
			g.delivers(ticket, fiber.Woken)
			g.at(deadline)
		}, fiber.OK},
		"the wake": {func(g *testScheduler, ticket fiber.Ticket) {
			g.Wake(ticket.ID)
			g.at(deadline)
		}, fiber.OK},
		"the deadline": {func(g *testScheduler, ticket fiber.Ticket) {
			g.at(deadline)
			g.delivers(ticket, fiber.Stale)
		}, fiber.TimedOut},
		"the cancellation": {func(g *testScheduler, ticket fiber.Ticket) {
			g.Cancel(ticket.ID, nil)
			g.at(deadline)
		}, fiber.Cancelled},
		"a command that arrived before the poll": {func(g *testScheduler, ticket fiber.Ticket) {
			g.Inbox().Deliver(ticket, ok)
			g.at(deadline)
		}, fiber.OK},
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			ticket := g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(deadline))
			tc.end(g, ticket)
			if g.run().len() != 1 {
				t.Fatalf("%d fibers are ready", g.run().len())
			}
			g.next()
			g.claims(tc.want)
		})
	}
}

func TestALatchedWaitHasNoDeadlineAnyMore(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.delivers(g.Arm(fiber.OnQueue().WithDeadline(10)), fiber.Latched)
	g.Block()
	g.at(10)
	g.next()
	g.claims(fiber.OK)
}

func TestAStaleDeadlineNeverEndsALaterWait(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	for _, early := range []func(){
		func() { g.Disarm() },
		func() { g.Block(); g.Wake(id.ID()); g.mount(id) },
	} {
		for _, r := range []fiber.Reason{fiber.OnQueue().WithDeadline(10), fiber.Until(10)} {
			g.Arm(r)
			early()
		}
	}
	g.blockIn(fiber.OnQueue())
	g.at(10)
	g.is(id.ID(), fiber.Blocked)
	g.Wake(id.ID())
	g.mount(id)
	g.blockIn(fiber.Until(20))
	g.at(19)
	g.is(id.ID(), fiber.Blocked)
}

func TestAStaleDeadlineNeverEndsAWaitOfTheSlotsNextFiber(t *testing.T) {
	g := newTestScheduler(t, Config{})
	dead := g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(10))
	g.Kill(dead.ID, nil)
	successor := g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(20))
	if successor.ID.Index() != dead.ID.Index() {
		t.Fatalf("%v does not live in the slot of %v", successor, dead)
	}
	g.at(10)
	g.is(successor.ID, fiber.Blocked)
	g.at(20)
	g.is(successor.ID, fiber.Runnable)
}

// A wait that ends early leaves its entry in the wheel; what is left is swept before it
// outgrows what is live.
func TestStaleDeadlinesAreSweptAndLiveOnesAreKept(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var live []fiber.ID
	for range 100 {
		live = append(live, g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(1000)).ID)
	}
	restless := g.spawnRunning(Options{})
	for range 10_000 {
		g.Arm(fiber.OnQueue().WithDeadline(999))
		g.Disarm()
		if g.timers.wheel.Len() > 2*g.timers.live+200 {
			t.Fatalf("%d entries for %d live deadlines", g.timers.wheel.Len(), g.timers.live)
		}
	}
	g.blockIn(fiber.OnQueue())
	g.at(999)
	g.is(restless.ID(), fiber.Blocked)
	g.at(1000)
	if got := g.wakeOrder(); !slices.Equal(got, live) {
		t.Fatalf("%d of the %d live deadlines fired", len(got), len(live))
	}
}

func TestNowStandsStillWithinATurn(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnReady(Options{})
	g.at(100)
	if g.Now() != 100 {
		t.Fatalf("now is %v", g.Now())
	}
	g.clock.(*VirtualClock).Advance(200)
	g.next()
	if g.Now() != 100 {
		t.Fatalf("now moved to %v within the turn", g.Now())
	}
	g.KillCurrent()
	g.Poll()
	if g.Now() != 200 {
		t.Fatalf("now is %v in the next turn", g.Now())
	}
}

// backwards is a clock that breaks its promise.
type backwards struct {
	VirtualClock
	times []fiber.Time
}

func (b *backwards) Now() fiber.Time {
	now := b.times[0]
	b.times = b.times[1:]
	return now
}

func TestAClockThatGoesBackwardsDoesNotMoveTheSchedulerBack(t *testing.T) {
	g := newTestScheduler(t, Config{Clock: &backwards{times: []fiber.Time{500, 400, 600}}})
	for _, want := range []fiber.Time{500, 500, 600} {
		g.Poll()
		if got := g.Now(); got != want {
			t.Fatalf("now is %v, not %v", got, want)
		}
	}
}

func TestADeadlineSurvivesASideRecordThatComesLater(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	const when = 7<<32 | 5 // both halves of a header's deadline
	sleeper := g.blockIn(fiber.Until(when))
	g.Attachments().SetName(sleeper.ID, "late")
	if r := g.Inspect().Reason(sleeper.ID); r.Deadline != when {
		t.Fatalf("waits %v", r)
	}
	g.at(when)
	g.next()
	if _, r := g.Claim(); r != ok {
		t.Fatalf("ended with %v", r)
	}
}

func TestADisarmedSleepLeavesNothingBehind(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.Arm(fiber.Until(7<<32 | 5))
	g.Attachments().SetName(g.Inspect().Executing(), "with a side record from now on")
	g.Disarm()
	if _, r := g.Claim(); r != (fiber.Result{}) {
		t.Fatalf("the wait that was taken back ended with %v", r)
	}
}
