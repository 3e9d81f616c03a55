package stackful

import (
	"testing"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

func TestARuntimeMayRunInsideAFiberOfAnother(t *testing.T) {
	for _, inner := range []Backing{Coroutine, Goroutine} {
		each(t, func(s *testRun) {
			s.spawn("host", func(f *Fiber) {
				guests := New(Config{Config: scheduler.Config{Number: 1}, Backing: inner})
				defer guests.Close()
				ch := wait.NewChan[int](0)
				_, err := guests.Go("guest", func(g *Fiber) (any, error) {
					s.ok(g.Sleep(time.Hour)) // of the guests' own clock
					return nil, Send(g, ch, 42)
				})
				s.ok(err)
				_, err = guests.Go("other guest", func(g *Fiber) (any, error) {
					v, _, err := Recv(g, ch)
					s.ok(f.Sleep(time.Second)) // suspends the host with everything in it
					s.trace(f, "%d at %v and %v", v, g.Now(), f.Now())
					return nil, err
				})
				s.ok(err)
				s.ok(guests.Run(t.Context()))
			})
			s.spawn("peer", func(f *Fiber) { s.ok(f.Sleep(time.Millisecond)); s.trace(f, "goes on meanwhile") })
			s.run()
			s.traced("peer: goes on meanwhile", "host: 42 at 1h0m0s and 1s")
		})
	}
}

func TestAKillUnwindsARuntimeInsideAFiber(t *testing.T) {
	each(t, func(s *testRun) {
		host := s.spawn("host", func(f *Fiber) {
			guests := New(Config{Config: scheduler.Config{Number: 1}})
			defer guests.Close()
			_, err := guests.Go("guest", func(g *Fiber) (any, error) {
				defer s.unwound()
				err := f.Sleep(time.Hour)
				s.interrupted(err, true, errStop)
				return nil, err
			})
			s.ok(err)
			s.ok(guests.Run(t.Context()))
		})
		s.spawn("user", func(f *Fiber) { s.ok(f.Yield()); s.ok(s.sched.Kill(host.ID(), errStop)) })
		s.run()
		s.traced("unwound")
	})
}

// A thousand fibers are more than the pool of stacks keeps.
func TestAThousandFibersMeetAndNoneIsLeft(t *testing.T) {
	each(t, func(s *testRun) {
		ch, sum := wait.NewChan[int](0), 0
		for i := range 1000 {
			s.spawn("sender", func(f *Fiber) { s.ok(Send(f, ch, i)) })
		}
		s.is("blocked", len(s.deadlock().Fibers), 1000)
		s.spawn("receiver", func(f *Fiber) {
			for i := range 1000 {
				v, _, err := Recv(f, ch)
				s.ok(err)
				s.is("in the order of arrival", v, i)
				sum += v
			}
		})
		s.run()
		s.is("sum", sum, 499500)
		for range 1000 {
			s.spawn("left over", func(f *Fiber) { defer s.unwound(); _ = Send(f, ch, 0) })
		}
		_ = s.deadlock()
		s.closes(1000)
	})
}
