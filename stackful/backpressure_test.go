package stackful

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// manualDevice is a device that does nothing by itself: the test completes what it was handed.
type manualDevice struct {
	s       *testRun
	started []fiber.Token
	given   []fiber.Token // that no fiber waits for any more
}

func (d *manualDevice) Serve(abandoned []fiber.Token) { d.given = append(d.given, abandoned...) }

func (d *manualDevice) start(tok fiber.Token) error {
	d.started = append(d.started, tok)
	return nil
}

// finish completes the oldest operation.
func (d *manualDevice) finish() {
	tok := d.started[0]
	d.started = d.started[1:]
	d.s.sched.Ops().Complete(tok, ioqueue.Completion{N: 1})
}

// withTwoTokens is each with a runtime whose scheduler allows two operations at a time.
func withTwoTokens(t *testing.T, body func(s *testRun, d *manualDevice)) {
	eachWith(t, Config{Config: scheduler.Config{MaxTokens: 2}}, func(s *testRun) {
		d := &manualDevice{s: s}
		s.sched.Ops().AddDevice(d)
		body(s, d)
	})
}

func TestAtTheLimitOfOperationsFibersWaitInOrderOfArrival(t *testing.T) {
	withTwoTokens(t, func(s *testRun, d *manualDevice) {
		for i := range 6 {
			s.spawn(fmt.Sprint("fiber ", i), func(f *Fiber) {
				_, err := f.Operate(func(tok fiber.Token) error { s.trace(f, "begins"); return d.start(tok) })
				s.is("error", err, nil)
			})
		}
		s.spawn("device", func(f *Fiber) {
			for range 6 {
				s.is("at most two at a time", len(d.started) <= 2, true)
				d.finish()
				for range 3 {
					s.is("yield", f.Yield(), nil)
				}
			}
		})
		s.run()
		s.traced("fiber 0: begins", "fiber 1: begins", "fiber 2: begins", "fiber 3: begins", "fiber 4: begins", "fiber 5: begins")
	})
}

func TestAWaitForRoomEndsAtItsDeadlineByCancelAndByKill(t *testing.T) {
	withTwoTokens(t, func(s *testRun, d *manualDevice) {
		why := errors.New("not wanted")
		for range 2 {
			s.spawn("busy", func(f *Fiber) {
				_, err := f.Operate(d.start)
				s.is("busy", err, nil)
			})
		}
		began := func(fiber.Token) error { s.t.Error("an operation began whose fiber had given up"); return nil }
		s.spawn("late", func(f *Fiber) {
			_, err := f.OperateUntil(began, f.Within(time.Second))
			s.is("late", err, ErrTimeout)
		})
		cancelled := s.spawn("cancelled", func(f *Fiber) {
			_, err := f.Operate(began)
			s.is("cancelled", errors.Is(err, why), true)
		})
		killed := s.spawn("killed", func(f *Fiber) {
			_, err := f.Operate(began)
			s.is("killed", errors.Is(err, why), true)
		})
		s.spawn("last", func(f *Fiber) {
			_, err := f.Operate(func(tok fiber.Token) error { s.trace(f, "has room"); return d.start(tok) })
			s.is("last", err, nil)
		})
		s.spawn("host", func(f *Fiber) {
			s.is("sleep", f.Sleep(2*time.Second), nil)
			s.is("cancel", s.sched.Cancel(cancelled.ID(), why), nil)
			s.is("kill", s.sched.Kill(killed.ID(), why), nil)
			d.finish()
			s.is("yield", f.Yield(), nil)
			s.is("yield", f.Yield(), nil)
			d.finish()
			d.finish()
		})
		s.run()
		s.traced("last: has room")
	})
}

// A fiber that dies with a place kept for it leaves it to the next in line (I12).
func TestThePlaceOfAFiberThatDiesGoesToTheNext(t *testing.T) {
	withTwoTokens(t, func(s *testRun, d *manualDevice) {
		for range 2 {
			s.spawn("busy", func(f *Fiber) { _, _ = f.Operate(d.start) })
		}
		doomed := s.spawn("doomed", func(f *Fiber) { _, _ = f.Operate(d.start) })
		s.spawn("next", func(f *Fiber) {
			_, err := f.Operate(func(tok fiber.Token) error { s.trace(f, "has room"); return d.start(tok) })
			s.is("next", err, nil)
		})
		s.spawn("host", func(f *Fiber) {
			d.finish()
			s.is("yield", f.Yield(), nil) // busy takes its result: the place is kept for doomed
			s.is("kill", s.sched.Kill(doomed.ID(), errors.New("gone")), nil)
			for range 3 {
				s.is("yield", f.Yield(), nil)
			}
			d.finish()
			d.finish()
		})
		s.run()
		s.traced("next: has room")
	})
}

// What was given up takes its place until it is acknowledged. A fiber that waits for that is
// not in a deadlock: the outside makes room.
func TestAnAbandonedOperationHoldsItsPlaceUntilItIsAcknowledged(t *testing.T) {
	s := newTestRun(t, Config{Config: scheduler.Config{MaxTokens: 1}})
	d := &manualDevice{s: s}
	s.sched.Ops().AddDevice(d)
	s.spawn("gives up", func(f *Fiber) {
		_, err := f.OperateUntil(d.start, f.Within(time.Second))
		s.is("gives up", err, ErrTimeout)
	})
	s.spawn("waits", func(f *Fiber) {
		_, err := f.Operate(func(tok fiber.Token) error { s.sched.Ops().Complete(tok, ioqueue.Completion{}); return nil })
		s.is("waits", err, nil)
	})
	verdict := scheduler.Verdict{}
	for range 100 { // turns; far more than it takes
		for x := s.sched.ScheduleNext(); x != nil; x = s.sched.ScheduleNext() {
			for s.sched.Finish(s.Resume(s.sched, x)) {
			}
		}
		if s.sched.Poll() {
			continue
		}
		if verdict = s.sched.Steps().IdleVerdictWithReport(); verdict.Until == fiber.Never {
			break
		}
		s.sched.Steps().WaitForInput(t.Context(), verdict.Until)
	}
	s.is("told of it", len(d.given), 1)
	s.is("verdict", verdict.Kind, scheduler.Waiting)
	d.finish() // the acknowledgement
	s.run()
	c := s.sched.Ops().Counters()
	s.is("acknowledged", c.Late, uint64(1))
	s.is("every operation ended", c.Submitted, c.Completed+c.Late)
}

// A fiber that holds the last place with a result it never takes, and waits for another,
// waits for itself: that is a deadlock, and the report says on what.
func TestWaitingForRoomThatOnlyOneselfCouldMakeIsADeadlock(t *testing.T) {
	s := newTestRun(t, Config{Config: scheduler.Config{MaxTokens: 1}})
	s.spawn("hoarder", func(f *Fiber) {
		_, err := s.sched.Ops().Submit()
		s.is("submit", err, nil)
		_, _ = f.Operate(func(fiber.Token) error { return nil })
	})
	s.is("on", s.deadlock().Fibers[0].On[0], "room for an operation (1 have not ended, which is the limit)")
}
