package stackful

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/wait"
)

// worker is a Func that sleeps so many seconds and then ends with the error.
func worker(seconds int, err error) Func {
	return func(f *Fiber) (any, error) {
		if stop := f.Sleep(time.Duration(seconds) * time.Second); stop != nil {
			return nil, stop
		}
		return seconds, err
	}
}

func TestAGroupIsWaitedForUntilItsGoal(t *testing.T) {
	bad := errors.New("no luck")
	type member struct {
		seconds int
		err     error
	}
	for name, c := range map[string]struct {
		goal    wait.Goal
		members []member
		task    int // -1: none
		failed  bool
		at      string
	}{
		"all":                      {wait.All, []member{{3, nil}, {1, nil}}, -1, false, "3s"},
		"all, one failed":          {wait.All, []member{{3, nil}, {2, bad}, {1, bad}}, 1, true, "3s"},
		"first error":              {wait.FirstError, []member{{3, nil}, {2, bad}, {1, nil}}, 1, true, "2s"},
		"first error, none failed": {wait.FirstError, []member{{3, nil}, {2, nil}}, -1, false, "3s"},
		"any":                      {wait.Any, []member{{3, nil}, {1, bad}, {2, nil}}, 2, false, "2s"},
		"any, all failed":          {wait.Any, []member{{3, bad}, {1, bad}}, 0, true, "3s"},
		"nobody":                   {wait.Any, nil, -1, false, "0s"},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(s *testRun) {
				s.spawn("parent", func(f *Fiber) {
					var g Group
					for _, m := range c.members {
						_, err := g.Go(f, "child", worker(m.seconds, m.err))
						s.ok(err)
					}
					_, early, err := g.TryWait(f, c.goal)
					s.ok(err)
					s.is("done at once", early, c.members == nil)
					for range 2 { // the second time it is known
						task, err := g.Wait(f, c.goal)
						var te *TaskError
						s.is("failed", errors.As(err, &te), c.failed)
						if c.task < 0 {
							s.is("nobody", task == nil, true)
						} else {
							s.is("task", task, g.Tasks()[c.task])
						}
						s.is("now", f.Now().String(), c.at)
					}
					_, done, _ := g.TryWait(f, c.goal)
					s.is("done", done, true)
				})
				s.run()
			})
		})
	}
}

func TestCancelEndsTheRestOfAGroupAndOnlyThat(t *testing.T) {
	each(t, func(s *testRun) {
		stranger := s.start("stranger", worker(60, nil))
		s.spawn("parent", func(f *Fiber) {
			var g Group
			for _, n := range []int{30, 1, 90} {
				_, err := g.Go(f, "child", worker(n, nil))
				s.ok(err)
			}
			won, err := g.Wait(f, wait.Any)
			s.ok(err)
			g.Cancel(f, errStop)
			failed, err := g.Wait(f, wait.All)
			s.is("winner", won, g.Tasks()[1])
			s.is("the first that failed", failed, g.Tasks()[0])
			s.interrupted(err, false, errStop)
			for _, task := range g.Tasks() {
				_, err, done := task.Result()
				s.is("ended", done, true)
				s.is("cancelled", err != nil, task != won)
			}
			s.trace(f, "%v", f.Now())
			_, err = f.Join(stranger)
			s.ok(err)
			s.trace(f, "%v", f.Now())
		})
		s.run()
		s.traced("parent: 1s", "parent: 1m0s")
	})
}

func TestAMemberAddedDuringAWaitCounts(t *testing.T) {
	bad := errors.New("no luck")
	for goal, at := range map[wait.Goal]string{wait.All: "1h0m0s", wait.FirstError: "3s", wait.Any: "2s"} {
		t.Run(fmt.Sprintf("goal %d", goal), func(t *testing.T) {
			each(t, func(s *testRun) {
				var g Group
				s.spawn("parent", func(f *Fiber) {
					_, err := g.Go(f, "forever", worker(3600, nil))
					s.ok(err)
					task, _ := g.Wait(f, goal)
					s.trace(f, "%v %v", f.Now(), task.Name())
				})
				s.spawn("later", func(f *Fiber) {
					s.ok(f.Sleep(time.Second))
					_, err := g.Go(f, "fails", worker(2, bad))
					s.ok(err)
					_, err = g.Go(f, "wins", worker(1, nil))
					s.ok(err)
				})
				s.run()
				name := map[wait.Goal]string{wait.All: "fails", wait.FirstError: "fails", wait.Any: "wins"}[goal]
				s.traced("parent: " + at + " " + name)
			})
		})
	}
}

func TestTwoFibersMayWaitForOneGroup(t *testing.T) {
	each(t, func(s *testRun) {
		var g Group
		s.spawn("parent", func(f *Fiber) {
			for _, n := range []int{2, 1} {
				_, err := g.Go(f, "child", worker(n, nil))
				s.ok(err)
			}
			_, err := g.Wait(f, wait.All)
			s.trace(f, "%v %v", f.Now(), err)
		})
		s.spawn("other", func(f *Fiber) {
			task, err := g.Wait(f, wait.Any)
			s.trace(f, "%v %v %v", f.Now(), task == g.Tasks()[1], err)
		})
		s.run()
		s.traced("other: 1s true <nil>", "parent: 2s <nil>")
	})
}

func TestAMemberCannotWaitForItsOwnGroup(t *testing.T) {
	each(t, func(s *testRun) {
		var g Group
		s.spawn("parent", func(f *Fiber) {
			task, err := g.Go(f, "child", func(f *Fiber) (any, error) {
				_, err := g.Wait(f, wait.All)
				s.fails("wait", err, wait.ErrSelfJoin)
				return nil, nil
			})
			s.ok(err)
			s.ok(g.Add(f, task)) // twice is no harm
			_, err = g.Wait(f, wait.All)
			s.ok(err)
		})
		s.run()
	})
}

func TestAReportSaysWhatAWaitForAGroupIsFor(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("parent", func(f *Fiber) {
			var g Group
			_, err := g.Go(f, "stuck", func(f *Fiber) (any, error) { return nil, Send(f, wait.NewChan[int](0), 1) })
			s.ok(err)
			g.SetName("mirrors")
			_, _ = g.Wait(f, wait.FirstError)
		})
		s.says("report", s.deadlock(), "the end of f1.1", `a new member of group "mirrors" (1 so far)`)
	})
}
