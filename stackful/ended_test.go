package stackful

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/wait"
)

// waiting is every wait there is; none can end before the fiber that took everything has.
type waiting struct {
	*objects
	blocks []func(*Fiber) error
	ch     *wait.Chan[int]
	m      *wait.Mutex
	over   int // fibers that are told that their wait is
}

func everyWait(s *testRun) *waiting {
	w := &waiting{objects: others(s), ch: wait.NewChan[int](0), m: wait.NewMutex(wait.Poison)}
	var nowhere *wait.Chan[int]
	s.spawn("owner", func(f *Fiber) { s.ok(f.Lock(w.m)); w.take(f); s.ok(f.Sleep(time.Hour)) })
	task := s.spawn("joined", func(f *Fiber) { s.ok(f.Sleep(time.Hour)) })
	w.blocks = append(w.objects.blocks(task, fiber.Never),
		func(f *Fiber) error { return f.Sleep(1 << 60) },
		func(f *Fiber) error { return Send(f, w.ch, 1) },
		func(f *Fiber) error { return Send(f, nowhere, 1) },
		func(f *Fiber) error { _, _, err := Recv(f, w.ch); return err },
		func(f *Fiber) error { _, _, err := Recv(f, nowhere); return err },
		func(f *Fiber) error { _, err := f.Select(wait.NewSelect()); return err },
		func(f *Fiber) error {
			_, err := f.Select(wait.NewSelect(wait.RecvFrom(wait.NewChan[int](0)), wait.SendTo(wait.NewChan[int](0), 1)))
			return err
		},
		func(f *Fiber) error { return f.Lock(w.m) },
		func(f *Fiber) error { _, err := f.Join(task); return err },
		func(f *Fiber) error { _, err := f.Operate(func(fiber.Token) error { return nil }); return err },
		func(f *Fiber) error {
			_, err := f.Scope(scope.Options{}, func(f *Fiber, _ *Scope) (any, error) { return nil, f.Sleep(time.Minute) })
			return err
		},
		func(f *Fiber) error { _, _, err := f.Await(fiber.OnQueue(), nil); return err },
	)
	return w
}

// noneWaits checks that every wait has ended and left nothing behind.
func (w *waiting) noneWaits() {
	w.t.Helper()
	w.objects.noneWaits()
	receivers, senders := w.ch.Waiting()
	w.is("receivers left", receivers, 0)
	w.is("senders left", senders, 0)
	w.is("waiting for the lock", w.m.Waiting(), 0)
	w.is("sent", w.ch.Len(), 0)
	c := w.sched.Ops().Counters()
	w.is("operations awaited", c.Submitted, c.Abandoned)
}

// inNativeCalls runs a test in which a wait is the fiber's own, in a native call that is
// parked, and in one that pumps.
func inNativeCalls(t *testing.T, body func(s *testRun, depth int)) {
	for name, way := range map[string]struct {
		depth   int
		nesting bool
	}{"by itself": {}, "in parked calls": {2, false}, "in calls that pump": {2, true}} {
		t.Run(name, func(t *testing.T) {
			eachWith(t, Config{Nesting: way.nesting}, func(s *testRun) { body(s, way.depth) })
		})
	}
}

// alone has one of all waits begin in a fiber of its own.
func (w *waiting) alone(n, depth int, body func(f *Fiber, block func(*Fiber) error)) *Task {
	return w.spawn("waiter", func(f *Fiber) {
		w.ok(f.Yield()) // until everything is taken
		w.within(f, depth, func() { body(f, w.blocks[n]) })
		w.over++
	})
}

func TestAFiberCancelledBeforeItWaitsDoesNotWait(t *testing.T) {
	inNativeCalls(t, func(s *testRun, depth int) {
		w := everyWait(s)
		for n := range w.blocks {
			w.alone(n, depth, func(f *Fiber, block func(*Fiber) error) {
				s.ok(s.sched.Cancel(f.ID(), errStop))
				s.interrupted(block(f), false, errStop)
				s.is("now", f.Now().String(), "0s")
			})
		}
		s.run()
		w.noneWaits()
		s.is("ended", w.over, len(w.blocks))
	})
}

// Each alone, because a call that pumps waits for those above it.
func TestACancelledOrKilledFiberIsNotAsleepForever(t *testing.T) {
	kinds := len(everyWait(newTestRun(t, Config{})).blocks)
	for name, killed := range map[string]bool{"cancelled": false, "killed": true} {
		t.Run(name, func(t *testing.T) {
			for n := range kinds {
				inNativeCalls(t, func(s *testRun, depth int) { endsOneWait(s, n, depth, killed) })
			}
		})
	}
}

func endsOneWait(s *testRun, n, depth int, killed bool) {
	w := everyWait(s)
	waiter := w.alone(n, depth, func(f *Fiber, block func(*Fiber) error) {
		s.interrupted(block(f), killed, errStop)
		s.is("now", f.Now().String(), "1s")
	})
	s.spawn("user", func(f *Fiber) {
		s.ok(f.Sleep(time.Second))
		end := s.sched.Cancel
		if killed {
			end = s.sched.Kill
		}
		s.ok(end(waiter.ID(), errStop))
	})
	s.run()
	w.noneWaits()
	s.is("ended", w.over, 1)
}

func TestWhoWasStoppedIsToldFromWhomItJoined(t *testing.T) {
	each(t, func(s *testRun) {
		other := s.start("other", func(f *Fiber) (any, error) { return nil, f.Sleep(time.Hour) })
		s.spawn("main", func(f *Fiber) {
			s.ok(f.Yield())
			s.ok(s.sched.Cancel(other.ID(), errStop))
			_, joined := f.Join(other)
			s.interrupted(joined, false, errStop)
			s.is("stopped by the other's end", f.Stopped(errors.Join(nil, joined)), (*Interrupt)(nil))
			s.ok(s.sched.Cancel(f.ID(), joined))
			own := f.Sleep(time.Second)
			s.is("stopped", f.Stopped(errors.Join(joined, fmt.Errorf("asleep: %w", own))), own)
		})
		s.run()
	})
}
