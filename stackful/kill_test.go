package stackful

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

func TestAKilledFiberIsRefusedEveryCallButThoseThatGiveBack(t *testing.T) {
	each(t, func(s *testRun) {
		ch, m, mine := wait.NewChan[int](9), wait.NewMutex(wait.Poison), wait.NewMutex(wait.Poison)
		rw, sem, cond, once := wait.NewRWMutex(wait.Poison), wait.NewSemaphore(2), wait.NewCond(mine), new(wait.Once)
		var group Group
		done := s.spawn("done", func(*Fiber) {})
		s.run()
		victim := s.spawn("victim", func(f *Fiber) {
			s.ok(f.Lock(mine))
			s.ok(f.RLock(rw))
			s.ok(f.Acquire(sem, 1))
			s.ok(s.sched.Kill(f.ID(), errStop))
			for i, call := range []func() error{
				f.Yield, f.Checkpoint,
				func() error { return f.Sleep(0) },
				func() error { return Send(f, ch, 1) },
				func() error { _, err := TrySend(f, ch, 1); return err },
				func() error { _, _, err := Recv(f, ch); return err },
				func() error { _, _, err := TryRecv(f, ch); return err },
				func() error { return f.Lock(m) },
				func() error { _, err := f.TryLock(m); return err },
				func() error { _, err := f.Join(done); return err },
				func() error { _, err := f.Select(wait.NewSelect(wait.SendTo(ch, 1))); return err },
				func() error { _, _, err := f.TrySelect(wait.NewSelect(wait.SendTo(ch, 1))); return err },
				func() error { _, _, err := f.Await(fiber.OnQueue(), nil); return err },
				func() error { return f.Acquire(sem, 1) },
				func() error { return f.Wait(cond) },
				func() error { return f.Do(once, func() error { t.Error("ran"); return nil }) },
				func() error { _, err := group.Wait(f, wait.All); return err },
				func() error { _, err := group.Go(f, "child", nil); return err },
				func() error { _, err := s.Go("child", nil); return err },
			} {
				err := call()
				s.interrupted(err, true, errStop)
				if !errors.Is(err, scheduler.ErrKilled) {
					t.Errorf("call %d: %v is not ErrKilled", i, err)
				}
			}
			s.ok(f.Signal(cond))
			s.ok(f.Broadcast(cond))
			s.ok(f.Unlock(mine))
			s.ok(f.RUnlock(rw))
			s.ok(f.Release(sem, 1))
			s.ok(Close(f, ch))
		})
		s.run()
		_, err, _ := victim.Result()
		s.fails("its end", err, errStop)
		s.is("sent", ch.Len(), 0)
		s.is("owner", m.Owner(), fiber.ID(0))
		s.ok(mine.Err())
	})
}

func TestAKillBeatsACancelAndItsFirstCauseStays(t *testing.T) {
	each(t, func(s *testRun) {
		victim := s.spawn("victim", func(f *Fiber) { s.interrupted(f.Sleep(time.Hour), true, errStop) })
		s.spawn("user", func(f *Fiber) {
			s.ok(f.Yield())
			s.ok(s.sched.Kill(victim.ID(), errStop))
			s.ok(s.sched.Kill(victim.ID(), errors.New("later")))
			s.ok(s.sched.Cancel(victim.ID(), errors.New("later still")))
			s.is("state", s.sched.Inspect().State(victim.ID()), fiber.Runnable)
		})
		s.run()
		_, err, _ := victim.Result()
		s.fails("its end", err, errStop)
	})
}

func TestAFiberKilledBeforeItsFirstSliceNeverRuns(t *testing.T) {
	each(t, func(s *testRun) {
		victim := s.spawn("victim", func(*Fiber) { t.Error("ran") })
		s.ok(s.sched.Kill(victim.ID(), errStop))
		s.run()
		_, err, done := victim.Result()
		s.is("done", done, true)
		s.fails("its end", err, errStop)
	})
}

// killedWithAValue kills a receiver between the assignment of a value and its run.
func killedWithAValue(s *testRun, receive func(f *Fiber, ch *wait.Chan[int]) error) {
	var lost []int
	ch := wait.NewChan[int](0)
	ch.OnLost(func(v int) { lost = append(lost, v) })
	victim := s.spawn("victim", func(f *Fiber) {
		s.interrupted(receive(f, ch), true, errStop)
	})
	s.spawn("sender", func(f *Fiber) {
		s.ok(Send(f, ch, 42))
		s.ok(s.sched.Kill(victim.ID(), errStop))
	})
	s.run()
	if !slices.Equal(lost, []int{42}) {
		s.t.Errorf("the hook got %v", lost)
	}
	s.is("counted", s.sched.Inspect().Counts().Lost, uint64(1))
}

func TestTheValueOfAKilledReceiverGoesToTheHook(t *testing.T) {
	receivers := map[string]func(f *Fiber, ch *wait.Chan[int]) error{
		"receive": func(f *Fiber, ch *wait.Chan[int]) error { _, _, err := Recv(f, ch); return err },
		"bounded": func(f *Fiber, ch *wait.Chan[int]) error { _, _, err := RecvUntil(f, ch, f.Within(1)); return err },
		"select": func(f *Fiber, ch *wait.Chan[int]) error {
			_, err := f.Select(wait.NewSelect(wait.RecvFrom(wait.NewChan[int](0)), wait.RecvFrom(ch), wait.RecvFrom(ch)))
			return err
		},
		"native call": func(f *Fiber, ch *wait.Chan[int]) error {
			call, err := f.rt.sched.AcquireTrampoline()
			if err != nil {
				return err
			}
			_, _, err = Recv(f, ch)
			f.rt.sched.ReleaseTrampoline(call)
			return err
		},
	}
	for name, receive := range receivers {
		t.Run(name, func(t *testing.T) { each(t, func(s *testRun) { killedWithAValue(s, receive) }) })
	}
}

func TestAKillBetweenAMeetingAndTheSendersRunLosesNothing(t *testing.T) {
	each(t, func(s *testRun) {
		ch, lost := wait.NewChan[int](0), 0
		ch.OnLost(func(int) { lost++ })
		sender := s.spawn("sender", func(f *Fiber) { s.interrupted(Send(f, ch, 42), true, errStop) })
		s.spawn("receiver", func(f *Fiber) {
			v, ok, err := Recv(f, ch)
			s.ok(s.sched.Kill(sender.ID(), errStop))
			s.trace(f, "%d %v %v", v, ok, err)
		})
		s.run()
		s.traced("receiver: 42 true <nil>")
		s.is("lost", lost, 0)
	})
}
