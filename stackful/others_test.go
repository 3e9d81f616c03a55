package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// objects are one of each thing to wait on besides channels and mutexes.
type objects struct {
	*testRun
	rw    *wait.RWMutex
	sem   *wait.Semaphore
	locks []*wait.Mutex // one for each fiber that waits for a signal
	once  *wait.Once
	timer *wait.Timer // not set
}

func others(s *testRun) *objects {
	return &objects{testRun: s, rw: wait.NewRWMutex(wait.Poison), sem: wait.NewSemaphore(2), once: new(wait.Once), timer: new(wait.Timer)}
}

// take takes them all, so that others wait.
func (o *objects) take(f *Fiber) {
	o.ok(f.Lock(o.rw))
	o.ok(f.Acquire(o.sem, 2))
	run, _, err := o.once.TryRun(f.ID())
	o.is("running", run, true)
	o.ok(err)
	o.sched.Attachments().Own(o.once.OwnerHook())
}

// blocks are waits that cannot end before the fiber that took everything, and the task,
// have ended.
func (o *objects) blocks(task *Task, by fiber.Time) []func(*Fiber) error {
	group := func(goal wait.Goal) func(*Fiber) error {
		return func(f *Fiber) error {
			var g Group
			o.ok(g.Add(f, task))
			_, err := g.WaitUntil(f, goal, by)
			return err
		}
	}
	return []func(*Fiber) error{
		func(f *Fiber) error { return f.LockUntil(o.rw, by) },
		func(f *Fiber) error { return f.RLockUntil(o.rw, by) },
		func(f *Fiber) error { return f.AcquireUntil(o.sem, 1, by) },
		func(f *Fiber) error { return f.DoUntil(o.once, func() error { panic("it ran") }, by) },
		func(f *Fiber) error {
			m := wait.NewMutex(wait.Poison)
			o.locks = append(o.locks, m)
			o.ok(f.Lock(m))
			err := f.WaitUntil(wait.NewCond(m), by)
			if i, stopped := err.(*Interrupt); stopped && i.Killed {
				return err
			}
			o.is("owner again", m.Owner(), f.ID())
			o.ok(f.Unlock(m))
			return err
		},
		func(f *Fiber) error { return f.WaitTimerUntil(o.timer, by) },
		func(f *Fiber) error { _, err := f.SelectUntil(wait.NewSelect(o.timer), by); return err },
		group(wait.All), group(wait.FirstError), group(wait.Any),
	}
}

// noneWaits checks that every wait that has ended has left nothing behind.
func (o *objects) noneWaits() {
	o.t.Helper()
	o.is("lockers", o.rw.Source().(interface{ Waiting() int }).Waiting(), 0)
	o.is("waiting for permits", o.sem.Source().(interface{ Waiting() int }).Waiting(), 0)
	o.is("waiting for the run", o.once.Source().(interface{ Waiting() int }).Waiting(), 0)
	o.is("waiting for the timer", o.timer.Source().(interface{ Waiting() int }).Waiting(), 0)
	for _, m := range o.locks {
		o.is("described", m.Source().(fiber.Described).Describe(), "mutex (free, waiting: 0)")
	}
}
