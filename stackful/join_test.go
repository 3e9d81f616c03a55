package stackful

import (
	"errors"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

var errLuck = errors.New("no luck")

func TestEveryJoinerGetsTheResultHoweverLateAndHoweverOften(t *testing.T) {
	each(t, func(s *testRun) {
		worker := s.start("worker", func(f *Fiber) (any, error) { return 42, f.Sleep(time.Second) })
		for _, name := range []string{"a", "b"} {
			s.spawn(name, func(f *Fiber) {
				for range 2 {
					v, err := f.Join(worker)
					s.trace(f, "%v %v at %v", v, err, f.Now())
				}
			})
		}
		s.run()
		s.traced("a: 42 <nil> at 1s", "a: 42 <nil> at 1s", "b: 42 <nil> at 1s", "b: 42 <nil> at 1s")
	})
}

func TestTheFailureOfAFiberNamesItToThoseWhoJoin(t *testing.T) {
	each(t, func(s *testRun) {
		named := s.start("loader", func(*Fiber) (any, error) { return "half", errLuck })
		nameless := s.start("", func(*Fiber) (any, error) { return nil, errLuck })
		s.spawn("judge", func(f *Fiber) {
			v, err := f.Join(named)
			s.is("value beside an error", v, nil)
			s.fails("error", err, errLuck)
			s.trace(f, "%v", err)
			_, err = f.Join(nameless)
			s.trace(f, "%v", err)
		})
		s.run()
		s.traced("judge: fiber loader: no luck", "judge: fiber f1.1: no luck")
	})
}

func TestAJoinOfAKilledFiberWaitsUntilItHasUnwound(t *testing.T) {
	each(t, func(s *testRun) {
		victim := s.spawn("victim", func(f *Fiber) {
			defer s.trace(f, "unwound")
			_ = f.forever(f.Within(time.Hour))
		})
		s.spawn("user", func(f *Fiber) {
			s.ok(f.Yield())
			s.ok(s.sched.Kill(victim.ID(), errStop))
			_, _, done := victim.Result()
			s.is("done", done, false)
			_, err := f.Join(victim)
			s.fails("end", err, scheduler.ErrKilled)
			s.trace(f, "%v", err)
		})
		s.run()
		s.traced("victim: unwound", "user: fiber victim: scheduler: fiber killed: the user closed the window")
	})
}

func TestAFiberCannotJoinItself(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("ouroboros", func(f *Fiber) {
			_, err := f.Join(f.Task())
			s.fails("join", err, wait.ErrSelfJoin)
		})
		s.run()
	})
}

func TestFibersThatJoinEachOtherAreADeadlockWithACycle(t *testing.T) {
	each(t, func(s *testRun) {
		var a, b *Task
		a = s.spawn("a", func(f *Fiber) { _, _ = f.Join(b) })
		b = s.spawn("b", func(f *Fiber) { _, _ = f.Join(a) })
		s.is("cycle", len(s.deadlock().Cycle), 2)
	})
}

func TestAResultStaysWhenItsSlotIsUsedAgain(t *testing.T) {
	each(t, func(s *testRun) {
		var tasks []*Task
		for i := range 20 {
			tasks = append(tasks, s.start("one", func(*Fiber) (any, error) { return i, nil }))
			s.run()
		}
		s.is("slot", tasks[19].ID().Index(), tasks[0].ID().Index())
		for i, task := range tasks {
			v, err, done := task.Result()
			s.ok(err)
			s.is("done", done, true)
			s.is("result", v, i)
		}
		s.spawn("reader", func(f *Fiber) {
			v, err := f.Join(tasks[3])
			s.trace(f, "%v %v", v, err)
		})
		s.run()
		s.traced("reader: 3 <nil>")
	})
}

func TestASelectCanJoin(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](0)
		worker := s.start("worker", func(f *Fiber) (any, error) { return 42, f.Sleep(time.Second) })
		s.spawn("judge", func(f *Fiber) {
			j, err := wait.JoinOn(worker.Cell(), f.ID())
			s.ok(err)
			i, err := f.Select(wait.NewSelect(wait.RecvFrom(ch), j))
			v, done, failed := j.Try()
			s.trace(f, "%d %v: %v %v %v", i, err, v, done, failed)
		})
		s.run()
		s.traced("judge: 1 <nil>: 42 true <nil>")
	})
}

func TestACancelledJoinLeavesTheFiberAlone(t *testing.T) {
	each(t, func(s *testRun) {
		worker := s.start("worker", func(f *Fiber) (any, error) { return 42, f.Sleep(time.Second) })
		joiner := s.spawn("joiner", func(f *Fiber) {
			_, err := f.Join(worker)
			s.interrupted(err, false, errStop)
			v, err := f.Join(worker)
			s.trace(f, "%v %v", v, err)
		})
		s.spawn("user", func(f *Fiber) { s.ok(f.Yield()); s.ok(s.sched.Cancel(joiner.ID(), errStop)) })
		s.run()
		s.traced("joiner: 42 <nil>")
	})
}

func TestATaskKnowsItsNameAndItsFiber(t *testing.T) {
	each(t, func(s *testRun) {
		var seen *Task
		task := s.spawn("worker", func(f *Fiber) {
			seen = f.Task()
			s.is("its ID", f.ID(), seen.ID())
			s.is("its runtime", f.Runtime(), s.Runtime)
		})
		s.run()
		s.is("task", seen, task)
		s.is("name", task.Name(), "worker")
		s.is("state", s.sched.Inspect().State(task.ID()), fiber.Dead)
	})
}

func TestAtTheLimitOfFibersTheNextIsRefused(t *testing.T) {
	eachWith(t, Config{Config: scheduler.Config{MaxFibers: 3}}, func(s *testRun) {
		s.spawn("parent", func(f *Fiber) {
			for range 2 {
				_, err := s.Go("child", func(f *Fiber) (any, error) { return nil, f.Yield() })
				s.ok(err)
			}
			_, err := s.Go("one too many", func(*Fiber) (any, error) { return nil, nil })
			s.fails("spawn", err, scheduler.ErrTooManyFibers)
			s.ok(f.Sleep(1))
			_, err = s.Go("later", func(*Fiber) (any, error) { return nil, nil })
			s.ok(err)
		})
		s.run()
		s.is("spawned", s.sched.Inspect().Counts().Spawned, uint64(4))
	})
}
