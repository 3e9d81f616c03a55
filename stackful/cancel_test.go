package stackful

import (
	"errors"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

var errStop = errors.New("the user closed the window")

func TestACancelIsToldOnceAndTheCleanUpMayBlock(t *testing.T) {
	each(t, func(s *testRun) {
		log := wait.NewChan[string](0)
		worker := s.spawn("worker", func(f *Fiber) {
			defer func() {
				s.ok(f.Sleep(time.Second))
				s.ok(Send(f, log, "flushed"))
				s.ok(f.Checkpoint())
			}()
			s.interrupted(f.Sleep(time.Hour), false, errStop)
			s.ok(s.sched.Cancel(f.ID(), errors.New("a second one")))
			s.ok(f.Yield())
		})
		s.spawn("logger", func(f *Fiber) {
			s.ok(f.Yield())
			s.ok(s.sched.Cancel(worker.ID(), errStop))
			line, _, err := Recv(f, log)
			s.trace(f, "%s %v at %v", line, err, f.Now())
		})
		s.run()
		s.traced("logger: flushed <nil> at 1s")
	})
}

func TestACancelWithoutACauseSaysWhatItIs(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("worker", func(f *Fiber) {
			s.ok(s.sched.Cancel(f.ID(), nil))
			err := f.Checkpoint()
			s.interrupted(err, false, scheduler.ErrCancelled)
			s.is("text", err.Error(), "cancelled: scheduler: fiber cancelled")
		})
		s.run()
	})
}

func TestACheckpointTellsALongComputation(t *testing.T) {
	each(t, func(s *testRun) {
		busy := s.start("busy", func(f *Fiber) (any, error) {
			s.ok(f.Yield())
			for rounds := 1; ; rounds++ {
				if rounds == 3 {
					s.ok(s.sched.Cancel(f.ID(), errStop)) // as an inbox would, between slices
				}
				if err := f.Checkpoint(); err != nil {
					return rounds, err
				}
			}
		})
		s.run()
		rounds, err, _ := busy.Result()
		s.is("rounds", rounds, 3)
		s.interrupted(err, false, errStop)
	})
}

func TestAYieldTellsASpinningFiber(t *testing.T) {
	each(t, func(s *testRun) {
		spinner := s.start("spinner", func(f *Fiber) (any, error) {
			for {
				if err := f.Yield(); err != nil {
					return nil, err
				}
			}
		})
		s.spawn("user", func(f *Fiber) { s.ok(f.Yield()); s.ok(s.sched.Cancel(spinner.ID(), errStop)) })
		s.run()
		_, err, _ := spinner.Result()
		s.interrupted(err, false, errStop)
	})
}

func TestAShieldPutsACancelOff(t *testing.T) {
	each(t, func(s *testRun) {
		worker := s.spawn("worker", func(f *Fiber) {
			err := f.Shield(func() error {
				s.ok(f.Shield(func() error { return f.Sleep(2 * time.Second) }))
				s.ok(f.Checkpoint())
				return f.Sleep(time.Second)
			})
			s.trace(f, "shielded: %v at %v", err, f.Now())
			s.interrupted(f.Sleep(time.Second), false, errStop)
			s.trace(f, "told at %v", f.Now())
		})
		s.spawn("user", func(f *Fiber) { s.ok(f.Sleep(time.Second)); s.ok(s.sched.Cancel(worker.ID(), errStop)) })
		s.run()
		s.traced("worker: shielded: <nil> at 3s", "worker: told at 3s")
	})
}

func TestAShieldEndsWithItsPanic(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("worker", func(f *Fiber) {
			func() {
				defer func() { s.is("recovered", recover(), "boom") }()
				_ = f.Shield(func() error { explode("boom"); return nil })
			}()
			s.ok(s.sched.Cancel(f.ID(), errStop))
			s.interrupted(f.Sleep(1), false, errStop)
		})
		s.run()
	})
}

func TestAShieldDoesNotStopAKill(t *testing.T) {
	each(t, func(s *testRun) {
		worker := s.spawn("worker", func(f *Fiber) {
			s.interrupted(f.Shield(func() error { return f.Sleep(time.Hour) }), true, errStop)
		})
		s.spawn("user", func(f *Fiber) { s.ok(f.Yield()); s.ok(s.sched.Kill(worker.ID(), errStop)) })
		s.run()
		s.is("now", s.sched.Now().String(), "0s")
	})
}

func TestACancelThatIsIgnoredEndsInAKillAfterTheGracePeriod(t *testing.T) {
	eachWith(t, Config{Config: scheduler.Config{Grace: 5 * time.Second}}, func(s *testRun) {
		stubborn := s.spawn("stubborn", func(f *Fiber) {
			for {
				if err := f.Sleep(2 * time.Second); err != nil {
					s.trace(f, "%v at %v", err.(*Interrupt).Killed, f.Now())
					if f.Now().String() == "6s" {
						return
					}
				}
			}
		})
		polite := s.spawn("polite", func(f *Fiber) {
			s.interrupted(f.Sleep(time.Hour), false, errStop)
			s.ok(f.Sleep(time.Second))
		})
		s.spawn("user", func(f *Fiber) {
			s.ok(f.Sleep(time.Second))
			s.ok(s.sched.Cancel(stubborn.ID(), errStop))
			s.ok(s.sched.Cancel(polite.ID(), errStop))
		})
		s.run()
		s.traced("stubborn: false at 1s", "stubborn: true at 6s")
		_, err, _ := stubborn.Result()
		s.fails("stubborn", err, scheduler.ErrGraceOver)
		s.fails("stubborn", err, scheduler.ErrKilled)
		_, err, _ = polite.Result()
		s.ok(err)
		s.is("now", s.sched.Now().String(), "6s")
	})
}

func TestACancelThatComesAfterTheWakeLosesAndTheValueIsKept(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](0)
		receiver := s.spawn("receiver", func(f *Fiber) {
			v, ok, err := Recv(f, ch)
			s.trace(f, "%d %v %v", v, ok, err)
			s.interrupted(f.Checkpoint(), false, errStop)
		})
		s.spawn("sender", func(f *Fiber) {
			s.ok(Send(f, ch, 42))
			s.ok(s.sched.Cancel(receiver.ID(), errStop)) // it is ready, with its value
		})
		s.run()
		s.traced("receiver: 42 true <nil>")
		s.is("lost", s.sched.Inspect().Counts().Lost, uint64(0))
	})
}

func TestACancelledSendIsTakenBack(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](0)
		sender := s.spawn("sender", func(f *Fiber) { s.interrupted(Send(f, ch, 1), false, errStop) })
		s.spawn("user", func(f *Fiber) {
			s.ok(s.sched.Cancel(sender.ID(), errStop))
			_, status, err := TryRecv(f, ch)
			s.trace(f, "%v %v", status, err)
		})
		s.run()
		s.traced("user: empty <nil>")
	})
}

func TestACancelOfAFiberThatHasEndedIsRefused(t *testing.T) {
	each(t, func(s *testRun) {
		task := s.spawn("short", func(*Fiber) {})
		s.run()
		s.fails("cancel", s.sched.Cancel(task.ID(), nil), scheduler.ErrGone)
		s.fails("kill", s.sched.Kill(task.ID(), nil), scheduler.ErrGone)
	})
}

func TestAFiberThatLeavesBecauseItIsCancelledEndsCancelled(t *testing.T) {
	each(t, func(s *testRun) {
		worker := s.spawn("worker", func(f *Fiber) {
			if f.Sleep(time.Hour) != nil {
				walkOut()
			}
		})
		s.spawn("user", func(f *Fiber) {
			s.ok(f.Yield())
			s.ok(s.sched.Cancel(worker.ID(), errStop))
			_, err := f.Join(worker)
			s.interrupted(err, false, errStop)
		})
		s.run()
	})
}

func TestATaskIsCancelledThroughItsTaskAlsoByAKilledFiber(t *testing.T) {
	each(t, func(s *testRun) {
		sleeper := func(f *Fiber) (any, error) { return nil, f.Sleep(time.Hour) }
		first, second := s.start("first", sleeper), s.start("second", sleeper)
		killed := s.spawn("killed", func(f *Fiber) {
			s.interrupted(f.Sleep(time.Hour), true, errStop)
			s.ok(f.Cancel(second, errStop))
		})
		s.spawn("canceller", func(f *Fiber) {
			s.ok(f.Cancel(first, errStop))
			s.ok(f.Cancel(f.Task(), nil)) // and itself
			s.interrupted(f.Yield(), false, scheduler.ErrCancelled)
			s.ok(s.sched.Kill(killed.ID(), errStop))
			for _, task := range []*Task{first, second} {
				_, err := f.Join(task)
				s.fails(task.Name(), err, errStop)
				s.ok(f.Cancel(task, nil)) // it has ended: nothing is left to do
			}
		})
		s.run()
	})
}
