package scheduler

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// listens blocks the current fiber in a wait that the waker ends.
func (g *testScheduler) listens(w *Waker, r fiber.Reason) fiber.Ticket {
	g.t.Helper()
	t := g.Arm(r, w.Source())
	if err := w.Park(t); err != nil {
		g.t.Fatal(err)
	}
	if how := g.Block(); how != Parked {
		g.t.Fatalf("%v", how)
	}
	return t
}

func TestAWakerEndsOneWaitAndSaysSo(t *testing.T) {
	g := newTestScheduler(t, Config{})
	w := g.Attachments().NewWaker()
	if w.Wake(ok) {
		t.Fatal("it woke nobody, and says that it did")
	}
	id := g.spawnRunning(Options{})
	g.listens(w, fiber.OnQueue().FromOutside())
	g.idles(Waiting)
	if !w.Wake(fiber.Result{Code: fiber.OK, Value: 7}) || w.Wake(ok) {
		t.Fatal("the first of two wakes is the one")
	}
	g.is(id.ID(), fiber.Blocked) // until the owner polls
	g.idles(Busy)
	g.Poll()
	g.wakesWith(id, fiber.OK)
}

func TestAWakeThatTellsOfAFailureKeepsItsValue(t *testing.T) {
	g := newTestScheduler(t, Config{})
	w := g.Attachments().NewWaker()
	id := g.spawnRunning(Options{})
	g.listens(w, fiber.OnQueue().FromOutside())
	failed := fiber.Result{Code: fiber.Failed, Value: 7}
	w.Wake(failed)
	g.Poll()
	g.mount(id)
	if _, got := g.Claim(); got != failed {
		t.Fatalf("%v arrived, not %v", got, failed)
	}
}

func TestWakesAreDeliveredInTheirOrder(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var wakers []*Waker
	var ids []fiber.RegularID
	for range 20 {
		ids = append(ids, g.spawnRunning(Options{}))
		wakers = append(wakers, g.Attachments().NewWaker())
		g.listens(wakers[len(wakers)-1], fiber.OnQueue().FromOutside())
	}
	order := []int{3, 1, 4, 15, 9, 2, 6, 5, 19, 0}
	for _, i := range order {
		wakers[i].Wake(ok)
	}
	for _, i := range order {
		if got := g.next(); got != ids[i] {
			t.Fatalf("%v runs, %v was woken first", got, ids[i])
		}
		g.KillCurrent()
	}
}

// docs/design.md#defects: stale wake of an older wait of the same fiber.
func TestAWakeForAnEarlierWaitIsNotForALaterOne(t *testing.T) {
	g := newTestScheduler(t, Config{})
	w := g.Attachments().NewWaker()
	id := g.spawnRunning(Options{})
	first := g.listens(w, fiber.OnQueue().FromOutside().WithDeadline(10))
	if !w.Wake(ok) {
		t.Fatal("nobody waits")
	}
	g.Core.Cancel(id.ID(), nil) // before the owner has heard of the wake
	g.wakesWith(id, fiber.Cancelled)
	second := g.Arm(fiber.OnQueue().FromOutside(), w.Source())
	if err := w.Park(second); err != nil {
		t.Fatal(err)
	}
	if w.WakeOnly(first, ok) || !w.Source().Holds(second) || w.Source().Holds(first) {
		t.Fatal("the old ticket is good for the new wait")
	}
	g.Block()
	g.Poll()
	g.is(id.ID(), fiber.Blocked)
	if !w.WakeOnly(second, fiber.Result{Code: 99}) {
		t.Fatal("the new one is not")
	}
	g.wakesWith(id, fiber.Failed)
}

func TestAWakerThatIsWithdrawnFromLosesNoWakeup(t *testing.T) {
	g := newTestScheduler(t, Config{})
	w := g.Attachments().NewWaker()
	g.spawnRunning(Options{})
	ticket := g.listens(w, fiber.OnQueue().FromOutside())
	if got := w.Source().Withdraw(ticket, make([]fiber.Wakeup, 2)); len(got) != 2 || w.Source().Holds(ticket) {
		t.Fatalf("%d of 2 wakeups, held: %v", len(got), w.Source().Holds(ticket))
	}
}

func TestEveryEndOfTheWaitDisarmsItsWaker(t *testing.T) {
	for name, end := range map[string]func(g *testScheduler, id fiber.ID){
		"deadline": func(g *testScheduler, _ fiber.ID) { g.at(10) },
		"cancel":   func(g *testScheduler, id fiber.ID) { _ = g.Core.Cancel(id, nil) },
		"kill":     func(g *testScheduler, id fiber.ID) { _ = g.Core.Kill(id, nil) },
	} {
		g := newTestScheduler(t, Config{})
		w := g.Attachments().NewWaker()
		id := g.spawnRunning(Options{})
		g.listens(w, fiber.OnQueue().FromOutside().WithDeadline(10))
		end(g, id.ID())
		if w.Wake(ok) {
			t.Errorf("%s: it can still be woken", name)
		}
		g.Inspect().Verify()
	}
}

func TestAWakerServesOneWaitAtATime(t *testing.T) {
	g := newTestScheduler(t, Config{})
	w := g.Attachments().NewWaker()
	g.spawnRunning(Options{})
	g.listens(w, fiber.OnQueue().FromOutside())
	g.spawnRunning(Options{})
	if err := w.Park(g.Arm(fiber.OnQueue().FromOutside())); !errors.Is(err, ErrWakerBusy) {
		t.Fatalf("got %v", err)
	}
}

// Each of many goroutines wakes its fibers as often as it can; a wake is a result that its
// fiber gets, once.
func TestNoWakeFromOtherGoroutinesIsLost(t *testing.T) {
	const producers, fibers, rounds = 4, 5, 300
	s := New[*Waker](Config{})
	got := make(map[*Waker]int)
	var wg sync.WaitGroup
	won := make([]int, producers)
	for p := range producers {
		var mine []*Waker
		for range fibers {
			w := s.Attachments().NewWaker()
			mine = append(mine, w)
			if _, err := s.Spawn(w); err != nil {
				t.Fatal(err)
			}
		}
		sender := s.Inbox().NewSender()
		wg.Go(func() {
			defer sender.Close()
			for left := fibers * rounds; left > 0; {
				for _, w := range mine {
					if left > 0 && w.Wake(ok) {
						won[p]++
						left--
					}
				}
				runtime.Gosched()
			}
		})
	}
	err := s.Run(context.Background(), MachineFunc[*Waker](func(s *Scheduler[*Waker], f *Fiber[*Waker]) fiber.Outcome {
		if _, r := s.Claim(); r.Code == fiber.OK {
			got[f.Data]++
		}
		total := 0
		for _, n := range got {
			total += n
		}
		if total == producers*fibers*rounds {
			s.Steps().KillAll(nil)
		}
		if err := f.Data.Park(s.Arm(fiber.OnQueue().FromOutside(), f.Data.Source())); err != nil {
			t.Error(err)
		}
		return fiber.BlockOn(fiber.OnQueue())
	}))
	wg.Wait()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, n := range got {
		sum += n
	}
	if want := producers * fibers * rounds; sum != want {
		t.Fatalf("%d wakes of %d came", sum, want)
	}
}

// Wake has two steps: it wins, and it hands the waker over. A wait can end, and the next one
// begin, in between.
func TestAWakerIsParkedAgainBehindAWakeThatIsHalfDone(t *testing.T) {
	g := newTestScheduler(t, Config{})
	w := g.Attachments().NewWaker()
	id := g.spawnRunning(Options{})
	first := g.listens(w, fiber.OnQueue().FromOutside())
	if !w.armed.CompareAndSwap(first.Seq, spent) {
		t.Fatal("nobody waits")
	}
	if err := g.Cancel(id.ID(), nil); err != nil {
		t.Fatal(err)
	}
	g.wakesWith(id, fiber.Cancelled)
	again := g.Arm(fiber.OnQueue().FromOutside(), w.Source())
	var half sync.WaitGroup
	half.Go(func() { w.handOver(ok) })
	if err := w.Park(again); err != nil {
		t.Fatal(err)
	}
	half.Wait()
	g.Block()
	if !w.WakeOnly(again, ok) {
		t.Fatal("nobody waits for it")
	}
	g.Poll()
	g.wakesWith(id, fiber.OK)
}
