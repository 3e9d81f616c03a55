package scheduler

import (
	"context"
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// testExternalSource is an ExternalSource: fibers wait for what it brings, and it wants to be served at an instant.
type testExternalSource struct {
	awaited bool
	at      fiber.Time
	served  int
	came    bool
	dozed   int
}

func (p *testExternalSource) Serve([]fiber.Token)                    { p.served++ }
func (p *testExternalSource) Pending() bool                          { return p.awaited }
func (p *testExternalSource) SleepUntil(until fiber.Time) fiber.Time { return min(until, p.at) }
func (p *testExternalSource) Ready() bool                            { return p.came }
func (p *testExternalSource) PrepareSleep()                          { p.dozed++ }

func wantVerdict(g *testScheduler, want VerdictKind) {
	g.t.Helper()
	if v := g.Steps().IdleVerdictWithReport(); v.Kind != want {
		g.t.Fatalf("the verdict is %v, want %v", v.Kind, want)
	}
}

func TestAWaitForAnExternalSourceIsNoDeadlock(t *testing.T) {
	g := newTestScheduler(t, Config{})
	p := &testExternalSource{at: fiber.Never}
	g.Ops().AddDevice(p)
	g.spawnBlocked(Options{}, fiber.OnQueue())
	wantVerdict(g, Deadlock)
	p.awaited = true
	wantVerdict(g, Waiting)
	if stuck := g.Inspect().Report().Stuck; len(stuck) != 0 {
		t.Fatalf("a fiber that an external source may wake is reported stuck: %v", stuck)
	}
	p.awaited = false
	if stuck := g.Inspect().Report().Stuck; len(stuck) != 1 {
		t.Fatalf("nobody can wake the fiber, and the report has %d groups", len(stuck))
	}
}

func TestAPendingExternalSourceKeepsAnEmptySchedulerWaiting(t *testing.T) {
	g := newTestScheduler(t, Config{})
	p := &testExternalSource{at: fiber.Never, awaited: true}
	g.Ops().AddDevice(p)
	g.Poll()
	wantVerdict(g, Waiting)
	p.awaited = false
	wantVerdict(g, Done)
}

func TestAnExternalSourceIsServedAtTheInstantItAskedFor(t *testing.T) {
	clock := NewVirtualClock()
	g := newTestScheduler(t, Config{Clock: clock})
	p := &testExternalSource{at: 700, awaited: true}
	g.Ops().AddDevice(p)
	g.Poll()
	g.Steps().WaitForInput(context.Background(), fiber.Never)
	if now := clock.Now(); now != 700 {
		t.Fatalf("the loop slept until %v", now)
	}
	p.at = 9000
	g.Steps().WaitForInput(context.Background(), 800)
	if now := clock.Now(); now != 800 {
		t.Fatalf("the loop slept until %v, past its own deadline", now)
	}
}

// spinCountClock is a SpinClock that looks once, and counts how often the owner slept.
type spinCountClock struct {
	*VirtualClock
	slept int
	until fiber.Time // how long it was last asked to look
}

func (c *spinCountClock) Spin(until fiber.Time, came func() bool) bool {
	c.until = until
	return came()
}

func (c *spinCountClock) Wait(ctx context.Context, until fiber.Time, wakeCh <-chan struct{}) {
	c.slept++
	c.VirtualClock.Wait(ctx, until, wakeCh)
}

func TestAnExternalSourceIsPolledUntilTheLoopSleeps(t *testing.T) {
	clock := &spinCountClock{VirtualClock: NewVirtualClock()}
	g := newTestScheduler(t, Config{Clock: clock})
	p := &testExternalSource{at: fiber.Never, awaited: true, came: true}
	g.Ops().AddDevice(p)
	g.Steps().WaitForInput(context.Background(), 100)
	if clock.slept != 0 || p.dozed != 0 {
		t.Fatalf("something had come, and the loop slept %d times; the external source was told %d times", clock.slept, p.dozed)
	}
	p.came = false
	g.Steps().WaitForInput(context.Background(), 100)
	if clock.slept != 1 || p.dozed != 1 {
		t.Fatalf("nothing had come, and the loop slept %d times; the external source was told %d times", clock.slept, p.dozed)
	}
}

func TestWhatComesWhileTheLoopIsAwakeNeedsNoVerdict(t *testing.T) {
	clock := &spinCountClock{VirtualClock: NewVirtualClock()}
	g := newTestScheduler(t, Config{Clock: clock})
	p := &testExternalSource{at: fiber.Never, came: true}
	g.Ops().AddDevice(p)
	g.spawnBlocked(Options{}, fiber.OnQueue())
	l := g.Steps().Begin(context.Background())
	defer l.Close()
	if over, err := l.Sleep(); over || err != nil {
		t.Fatalf("something had come, and the run was over with %v", err)
	}
	p.came = false
	if over, err := l.Sleep(); !over || err == nil {
		t.Fatal("nobody can wake the fiber, and the run goes on")
	}
	if clock.slept != 0 {
		t.Fatal("it slept")
	}
}

func TestTheLoopStaysAwakeUntilTheNextDeadlineAtMost(t *testing.T) {
	clock := &spinCountClock{VirtualClock: NewVirtualClock()}
	g := newTestScheduler(t, Config{Clock: clock})
	g.spawnBlocked(Options{}, fiber.Until(70))
	l := g.Steps().Begin(context.Background())
	defer l.Close()
	if over, _ := l.Sleep(); over || clock.until != 70 || clock.slept != 1 {
		t.Fatalf("it watched until %v, and slept %d times", clock.until, clock.slept)
	}
}

func TestARousedSchedulerServesItsDevicesBeforeItSleeps(t *testing.T) {
	g := newTestScheduler(t, Config{})
	p := &testExternalSource{at: fiber.Never, awaited: true}
	g.Ops().AddDevice(p)
	g.Poll()
	before := p.served
	g.Inbox().Notify()
	wantVerdict(g, Busy)
	g.Steps().WaitForInput(context.Background(), fiber.Never) // returns: it would never return otherwise
	g.Poll()
	if p.served != before+1 {
		t.Fatalf("served %d times more", p.served-before)
	}
	wantVerdict(g, Waiting)
}

// A ExternalSource keeps a run from being a deadlock, and has the last word on how long it sleeps.
func ExampleExternalSource() {
	s := New[int](Config{})
	s.Ops().AddDevice(&testExternalSource{awaited: true, at: 250})
	s.Poll()
	v := s.Steps().IdleVerdictWithReport()
	s.Steps().WaitForInput(context.Background(), v.Until)
	s.Poll()
	fmt.Println(v.Kind, s.Now())
	// Output: waiting 250ns
}

// last is an ExternalSource that posts as the scheduler asks it, and never again after that.
type last struct {
	testExternalSource
	inbox *Inbox
}

func (l *last) Pending() bool {
	l.inbox.Notify()
	return false
}

func TestInputThatArrivesAsItsSourceClosesIsNotMissed(t *testing.T) {
	for _, live := range []int{0, 1} {
		g := newTestScheduler(t, Config{})
		g.Ops().AddDevice(&last{testExternalSource: testExternalSource{at: fiber.Never}, inbox: g.Inbox()})
		for range live {
			g.spawnBlocked(Options{}, fiber.OnQueue())
		}
		wantVerdict(g, Busy)
	}
}
