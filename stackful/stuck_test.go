package stackful

import (
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/wait"
)

// holdup is how one fiber waits for what another has, and the other for its end.
type holdup struct {
	take func(f *Fiber, then func()) // what the holder has while it does the rest
	wait func(f *Fiber, holder *Task)
}

func holdups() map[string]holdup {
	m, rw, sem, once := wait.NewMutex(wait.Poison), wait.NewRWMutex(wait.Poison), wait.NewSemaphore(2), new(wait.Once)
	cond := wait.NewCond(m)
	return map[string]holdup{
		"a mutex": {
			func(f *Fiber, then func()) { _ = f.Lock(m); then() },
			func(f *Fiber, _ *Task) { _ = f.Lock(m) }},
		"a reader": {
			func(f *Fiber, then func()) { _ = f.RLock(rw); then() },
			func(f *Fiber, _ *Task) { _ = f.Lock(rw) }},
		"a writer": {
			func(f *Fiber, then func()) { _ = f.Lock(rw); then() },
			func(f *Fiber, _ *Task) { _ = f.RLock(rw) }},
		"some permits": {
			func(f *Fiber, then func()) { _ = f.Acquire(sem, 1); then() },
			func(f *Fiber, _ *Task) { _ = f.Acquire(sem, 2) }},
		"a once": {
			func(f *Fiber, then func()) { _ = f.Do(once, func() error { then(); return nil }) },
			func(f *Fiber, _ *Task) { _ = f.Do(once, func() error { return nil }) }},
		"the lock of a cond, after a signal": {
			func(f *Fiber, then func()) { _ = f.Sleep(1); _ = f.Lock(m); _ = f.Signal(cond); then() },
			func(f *Fiber, _ *Task) { _ = f.Lock(m); _ = f.Wait(cond) }},
		"an end": {
			func(_ *Fiber, then func()) { then() },
			func(f *Fiber, holder *Task) { _, _ = f.Join(holder) }},
		"an end, in a select": {
			func(_ *Fiber, then func()) { then() },
			func(f *Fiber, holder *Task) {
				j, _ := wait.JoinOn(holder.Cell(), f.ID())
				_, _ = f.Select(wait.NewSelect(j, nil, j))
			}},
		"an end, in a group": {
			func(_ *Fiber, then func()) { then() },
			func(f *Fiber, holder *Task) {
				var g Group
				_ = g.Add(f, holder)
				_, _ = g.Wait(f, wait.All)
			}},
	}
}

// Every source that states its holders leads a report from a waiter to a holder.
func TestAReportFollowsEverySourceThatStatesItsHolders(t *testing.T) {
	for name := range holdups() {
		t.Run(name, func(t *testing.T) {
			each(t, func(s *testRun) {
				h := holdups()[name]
				var holder, waiter *Task
				holder = s.spawn("holder", func(f *Fiber) { h.take(f, func() { _, _ = f.Join(waiter) }) })
				waiter = s.spawn("waiter", func(f *Fiber) { h.wait(f, holder) })
				s.spawn("watchdog", func(f *Fiber) {
					s.ok(f.Sleep(time.Second))
					groups := s.Report().Stuck
					s.is("groups", len(groups), 1)
					if len(groups) == 1 {
						s.is("fibers", len(groups[0].Fibers), 2)
						s.is("cycle", len(groups[0].Cycle), 2)
						s.is("waiter", len(groups[0].Fibers[1].On), 1)
					}
					for _, task := range []*Task{holder, waiter} {
						s.ok(s.sched.Kill(task.ID(), nil))
					}
				})
				s.run()
			})
		})
	}
}

func TestAScopeThatWaitsForAFiberWhichWaitsForItsOwnerIsStuck(t *testing.T) {
	each(t, func(s *testRun) {
		var owner *Task
		owner = s.spawn("owner", func(f *Fiber) {
			_, _ = f.Scope(scope.Options{Name: "crawl"}, func(f *Fiber, sc *Scope) (any, error) {
				_, err := sc.Go(f, "member", func(m *Fiber) (any, error) { return m.Join(owner) })
				return nil, err
			})
		})
		s.spawn("watchdog", func(f *Fiber) {
			s.ok(f.Sleep(time.Second))
			s.is("groups", len(s.Report().Stuck), 1)
			s.ok(s.sched.Kill(owner.ID(), nil))
		})
		s.run()
	})
}

// A fiber that waits for a signal or a value may get it from any live fiber.
func TestAReportLeavesOutFibersThatALiveFiberCouldWake(t *testing.T) {
	each(t, func(s *testRun) {
		m, ch := wait.NewMutex(wait.Poison), wait.NewChan[int](0)
		cond := wait.NewCond(m)
		tasks := []*Task{
			s.spawn("cond", func(f *Fiber) { _ = f.Lock(m); _ = f.Wait(cond) }),
			s.spawn("chan", func(f *Fiber) { _, _, _ = Recv(f, ch) }),
			s.spawn("endless", func(f *Fiber) { _ = f.forever(fiber.Never) }),
		}
		s.spawn("joins", func(f *Fiber) { _, _ = f.Join(tasks[0]) })
		s.spawn("watchdog", func(f *Fiber) {
			s.ok(f.Sleep(time.Second))
			s.is("groups", len(s.Report().Stuck), 0)
			for _, task := range tasks {
				s.ok(s.sched.Kill(task.ID(), nil))
			}
		})
		s.run()
	})
}
