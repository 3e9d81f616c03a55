package scheduler

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func TestAForkedFiberRunsNextAndMayMove(t *testing.T) {
	g := newTestScheduler(t, Config{MaxFibers: 4})
	for range 2 { // in new slots, then in used ones
		parent, old := g.spawnRunning(Options{}), g.spawnReady(Options{})
		older, err1 := g.Fork(1)
		newer, err2 := g.Fork(2)
		if _, err := g.Fork(3); err1 != nil || err2 != nil || !errors.Is(err, ErrTooManyFibers) {
			t.Fatal(err1, err2, err)
		}
		g.KillCurrent()
		if f, _ := g.Fiber(newer); f.Data != 2 {
			t.Fatalf("the payload is %d", f.Data)
		}
		if next := g.next(); next != newer {
			t.Fatalf("%v runs next, not %v", next, newer)
		}
		g.KillCurrent()
		if moved := g.Moves().MoveOutLast(2, nil); len(moved) != 1 || moved[0].Data != 1 {
			t.Fatalf("moved out: %v, of %v and %v", moved, older, old)
		}
		g.mount(old)
		g.KillCurrent()
		g.is(parent.ID(), fiber.Dead)
	}
}

func TestAStoppedSchedulerForksNothing(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.KillCurrent()
	g.Steps().stop(nil)
	if _, err := g.Fork(1); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
}

// However many are put in front, each before the last has run, the loop polls after a batch.
func TestFibersPutInFrontDoNotPutOffThePoll(t *testing.T) {
	g := newTestScheduler(t, Config{})
	for range 40 {
		g.spawnReady(Options{})
	}
	g.Poll()
	ran := 0
	for f := g.ScheduleNext(); f != nil; f = g.ScheduleNext() {
		if ran++; ran > batchSize {
			t.Fatalf("%d fibers have run without a poll", ran)
		}
		_, _ = g.Fork(0)
		if ran%3 == 0 {
			_, _ = g.Fork(0)
		}
		g.KillCurrent()
	}
	if ran != batchSize {
		t.Fatalf("the batchSize was of %d", ran)
	}
}

// More than there is room for in front of the batch.
func TestABatchHasRoomForSoManyInFrontAndThenEnds(t *testing.T) {
	g := newTestScheduler(t, Config{})
	for range 20 {
		g.spawnReady(Options{})
	}
	g.next()
	for i := range 2 * lead {
		_, _ = g.Fork(i)
	}
	g.YieldCurrent()
	for i := 2*lead - 1; i >= 0; i-- {
		id := g.next()
		if f, _ := g.Fiber(id); f.Data != i {
			t.Fatalf("%d runs when it is the turn of %d", f.Data, i)
		}
		g.KillCurrent()
	}
	g.Inspect().Verify()
}
