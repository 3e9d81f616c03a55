package stackful

import (
	"errors"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

func TestFailuresThatNoFiberJoinsAreReportedAtTheEndOfTheRun(t *testing.T) {
	var told []string
	cfg := Config{Config: scheduler.Config{Grace: time.Second}}
	cfg.Unobserved = func(e *scheduler.UnobservedError) { told = append(told, e.Name+": "+errors.Unwrap(e).Error()) }
	eachWith(t, cfg, func(s *testRun) {
		told = nil
		seen := s.start("seen", func(*Fiber) (any, error) { return nil, errLuck })
		s.spawn("panics", func(*Fiber) { panic("boom") })
		s.start("fails", func(*Fiber) (any, error) { return nil, errLuck })
		stubborn := s.spawn("stubborn", func(f *Fiber) {
			for f.Sleep(time.Minute) == nil || !errors.As(f.Checkpoint(), new(*Interrupt)) {
				_ = f.Sleep(time.Minute)
			}
		})
		polite := s.start("polite", func(f *Fiber) (any, error) { return nil, f.Sleep(time.Minute) })
		victim := s.start("victim", func(f *Fiber) (any, error) { return nil, f.Sleep(time.Minute) })
		parent := s.start("parent", func(f *Fiber) (any, error) { return f.Join(victim) })
		s.spawn("user", func(f *Fiber) {
			_, err := f.Join(seen)
			s.fails("seen", err, errLuck)
			s.ok(s.sched.Cancel(stubborn.ID(), errStop))
			s.ok(s.sched.Cancel(polite.ID(), errStop))
			s.ok(s.sched.Kill(victim.ID(), errStop))
			s.is("told before the end", len(told), 0)
		})
		s.run()
		s.lines, told = told, nil
		s.traced("panics: panic: boom", "fails: no luck",
			"parent: fiber victim: scheduler: fiber killed: the user closed the window",
			"stubborn: "+scheduler.ErrKilled.Error()+": "+scheduler.ErrGraceOver.Error())
		_, err, done := parent.Result()
		s.is("done", done && err != nil, true)
	})
}

func TestAJoinByIDIsGoneWhenTheFiberHasEndedAlsoIfItsSlotIsUsedAgain(t *testing.T) {
	each(t, func(s *testRun) {
		first := s.start("first", func(*Fiber) (any, error) { return 1, nil })
		id, _ := first.ID().Regular()
		s.run()
		_, err := s.sched.Attachments().Cell(id)
		s.fails("ended", err, scheduler.ErrGone)
		second := s.start("second", func(f *Fiber) (any, error) { return 2, f.Sleep(time.Second) })
		s.is("slot", second.ID().Index(), id.Index())
		_, err = s.sched.Attachments().Cell(id)
		s.fails("slot used again", err, scheduler.ErrGone)
		s.spawn("joiner", func(f *Fiber) {
			now, _ := second.ID().Regular()
			cell, err := s.sched.Attachments().Cell(now)
			s.ok(err)
			j, err := wait.JoinOn(cell, f.ID())
			s.ok(err)
			_, err = f.Select(wait.NewSelect(j))
			v, _, failed := j.Try()
			s.trace(f, "%v %v %v", v, err, failed)
		})
		s.run()
		s.traced("joiner: 2 <nil> <nil>")
	})
}

func TestAFiberCanAskForAReportOfPartialDeadlocks(t *testing.T) {
	each(t, func(s *testRun) {
		left, right := wait.NewMutex(wait.Poison), wait.NewMutex(wait.Poison)
		left.SetName("left")
		right.SetName("right")
		var stuck []*Task
		for _, locks := range [][2]*wait.Mutex{{left, right}, {right, left}} {
			stuck = append(stuck, s.spawn("has "+locks[0].Name(), func(f *Fiber) {
				s.ok(f.Lock(locks[0]))
				s.ok(f.Yield())
				_ = f.Lock(locks[1])
			}))
		}
		s.spawn("watchdog", func(f *Fiber) {
			s.is("at first", len(s.Report().Stuck), 0)
			s.ok(f.Sleep(time.Second))
			groups := s.Report().Stuck
			s.is("groups", len(groups), 1)
			s.is("cycle", len(groups[0].Cycle), 2)
			s.says("report", groups[0].String(), `"has left" at stackful/unobserved_test.go:84 waits on mutex "right" (owner f1.1, waiting: 1); could be woken by f1.1 "has right"`)
			for _, task := range stuck {
				s.is("state", s.sched.Inspect().State(task.ID()), fiber.Blocked)
			}
			s.ok(s.sched.Kill(stuck[0].ID(), nil))
			s.ok(f.Sleep(time.Second))
			s.is("after a kill", len(s.Report().Stuck), 0)
		})
		s.run()
	})
}
