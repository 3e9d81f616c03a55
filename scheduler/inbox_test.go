package scheduler

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

func TestCommandsAreCarriedOutInTheOrderOfTheirArrival(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var order []int
	for n := range 5 {
		g.Inbox().Do(func() { order = append(order, n) })
	}
	if order != nil {
		t.Fatal("a command was carried out before the poll")
	}
	g.Poll()
	if !slices.Equal(order, []int{0, 1, 2, 3, 4}) {
		t.Fatalf("order %v", order)
	}
}

func TestEveryCommandDoesWhatTheOwnersCallWouldDo(t *testing.T) {
	g := newTestScheduler(t, Config{})
	box := g.Inbox()
	woken := g.spawnBlocked(Options{}, fiber.OnQueue())
	cancelled := g.spawnBlocked(Options{}, fiber.OnQueue())
	killed := g.spawnBlocked(Options{}, fiber.OnQueue())
	io := g.spawnRunning(Options{})
	tok := g.submit()
	g.blockIn(fiber.OnIO(tok))
	for _, err := range []error{
		box.Deliver(woken, fiber.Result{Code: fiber.Closed, Value: 9}), box.Cancel(cancelled.ID, errWhy),
		box.Kill(killed.ID, errWhy), box.Complete(tok, ioqueue.Completion{N: 7}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	g.Poll()
	g.is(killed.ID, fiber.Dead)
	if g.Unwind().Cause(cancelled.ID) != errWhy {
		t.Fatalf("cause %v", g.Unwind().Cause(cancelled.ID))
	}
	g.next()
	if _, r := g.Claim(); r != (fiber.Result{Code: fiber.Closed, Value: 9}) {
		t.Fatalf("%v", r)
	}
	g.YieldCurrent()
	g.next()
	g.claims(fiber.Cancelled)
	g.YieldCurrent()
	g.mount(io)
	g.claims(fiber.OK)
	if done, got := g.Ops().Completion(tok); !got || done.N != 7 {
		t.Fatalf("%+v, %v", done, got)
	}
}

func TestNothingFromOutsidePanics(t *testing.T) {
	g := newTestScheduler(t, Config{})
	ticket := g.spawnBlocked(Options{}, fiber.OnQueue())
	box := g.Inbox()
	for _, code := range []fiber.Code{fiber.Pending, fiber.Killed, 250} {
		box.Deliver(fiber.Ticket{ID: 77, Seq: 3}, fiber.Result{Code: code})
	}
	box.Complete(1<<40, ioqueue.Completion{})
	box.Cancel(1<<63, nil)
	box.Kill(0, nil)
	before := g.Inspect().State(ticket.ID)
	g.Poll()
	g.is(ticket.ID, before)
	box.Deliver(ticket, fiber.Result{Code: fiber.Cancelled, Value: 4}) // not the sender's to say
	g.Poll()
	g.next()
	if _, r := g.Claim(); r.Code != fiber.Failed {
		t.Fatalf("%v", r)
	}
}

func TestACommandMayUseTheSchedulerAndPostMore(t *testing.T) {
	g := newTestScheduler(t, Config{})
	box := g.Inbox()
	var order []string
	note := func(what string) func() { return func() { order = append(order, what) } }
	for range 3 { // the memory of earlier batches is used again
		for range 4 {
			box.Do(note("warm"))
		}
		g.Poll()
	}
	order = nil
	box.Do(func() {
		note("outer")()
		g.spawnReady(Options{})
		box.Do(func() {
			note("inner")()
			box.Do(note("last"))
			box.Do(note("very last"))
		})
		box.Do(note("beside inner"))
		g.Poll()
	})
	box.Do(note("beside outer"))
	for range 3 {
		g.Poll()
	}
	want := []string{"outer", "beside outer", "inner", "beside inner", "last", "very last"}
	if !slices.Equal(order, want) {
		t.Fatalf("order %v, not %v", order, want)
	}
}

// spec/inbox.pml, BUG=8: a drain inside a drain took what was posted last first.
func TestACommandThatPollsLetsNoYoungerCommandPassAnOlderOne(t *testing.T) {
	g := newTestScheduler(t, Config{})
	box := g.Inbox()
	var order []int
	note := func(n int) func() { return func() { order = append(order, n) } }
	box.Do(func() {
		note(1)()
		box.Do(note(4))
		g.Poll()
	})
	box.Do(func() {
		note(2)()
		box.Do(note(5))
		g.Poll()
	})
	box.Do(note(3))
	for range 3 {
		g.Poll()
	}
	if want := []int{1, 2, 3, 4, 5}; !slices.Equal(order, want) {
		t.Fatalf("posted in the order %v, carried out as %v", want, order)
	}
}

func TestAClosedSchedulerTakesNoCommands(t *testing.T) {
	g := newTestScheduler(t, Config{})
	carried := 0
	box := g.Inbox()
	box.Do(func() { carried++ })
	g.Close()
	for _, err := range []error{
		box.Do(func() { carried++ }), box.Kill(0, nil), box.Cancel(0, nil),
		box.Deliver(fiber.Ticket{}, ok), box.Complete(0, ioqueue.Completion{}),
	} {
		if err != ErrStopped {
			t.Fatalf("%v", err)
		}
	}
	g.Poll()
	if carried != 1 {
		t.Fatalf("%d commands carried out; one was posted before the close", carried)
	}
	h, err := g.Start(0, Options{})
	if err != ErrStopped {
		t.Fatalf("Start: %v", err)
	}
	if _, err := h.Result(context.Background()); err != ErrStopped {
		t.Fatalf("the handle of what has not started: %v", err)
	}
	if _, err := execute(context.Background(), g.Scheduler, 0, Options{}); !errors.Is(err, ErrStopped) {
		t.Fatalf("Execute: %v", err)
	}
}

func TestManyGoroutinesPostAndNothingIsLost(t *testing.T) {
	const posters, each = 8, 500
	g := newTestScheduler(t, Config{})
	var posting sync.WaitGroup
	got := make([][]int, posters)
	for p := range posters {
		posting.Go(func() {
			for n := range each {
				if err := g.Inbox().Do(func() { got[p] = append(got[p], n) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all := make(chan struct{})
	go func() { posting.Wait(); close(all) }()
	for open := true; open || g.Steps().IdleVerdictWithReport().Kind == Busy; {
		g.Poll()
		select {
		case <-all:
			open = false
		default:
		}
	}
	for p := range got {
		if len(got[p]) != each || !slices.IsSorted(got[p]) {
			t.Fatalf("of poster %d, %d commands came, in order: %v", p, len(got[p]), slices.IsSorted(got[p]))
		}
	}
}
