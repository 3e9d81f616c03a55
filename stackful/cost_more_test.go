//go:build !invariants

package stackful

import (
	"errors"
	"time"

	"github.com/selvage-dev/selvage/wait"
)

// moreTurns are of what ends once, and so is waited for in vain or after its end, and of
// timers.
func moreTurns() []turn {
	yield := func(f *Fiber) error { return f.Yield() }
	sleep := func(f *Fiber) error { return f.Sleep(time.Second) }
	return []turn{
		{"a run that fails", func() (do, peer call) {
			once := new(wait.Once)
			return failingRun(once), failingRun(once)
		}},
		{"join after the end", func() (do, peer call) {
			return withTask(yield, func(f *Fiber, t *Task) error { _, err := f.Join(t); return err }), yield
		}},
		{"join in vain", func() (do, peer call) {
			return inVain(withTask(sleepLong, func(f *Fiber, t *Task) error { _, err := f.JoinUntil(t, f.Within(1)); return err })), sleep
		}},
		{"wait for all in vain", func() (do, peer call) { return groupInVain(wait.All), sleep }},
		{"wait for the first error in vain", func() (do, peer call) { return groupInVain(wait.FirstError), sleep }},
		{"wait for any in vain", func() (do, peer call) { return groupInVain(wait.Any), sleep }},
		{"timer", func() (do, peer call) {
			tm := new(wait.Timer)
			return both(reset(tm), func(f *Fiber) error { return f.WaitTimer(tm) }), sleep
		}},
		{"timer stopped", func() (do, peer call) {
			tm := new(wait.Timer)
			return both(reset(tm), func(f *Fiber) error { _, err := f.StopTimer(tm); return err }), sleep
		}},
		{"timer in vain", func() (do, peer call) {
			tm := new(wait.Timer)
			return inVain(func(f *Fiber) error { return f.WaitTimerUntil(tm, f.Within(1)) }), sleep
		}},
		{"select with a timer", func() (do, peer call) {
			tm := new(wait.Timer)
			sel := wait.NewSelect(wait.SendTo(wait.NewChan[int](0), 1), tm)
			return both(reset(tm), func(f *Fiber) error { _, err := f.Select(sel); return err }), sleep
		}},
		{"acquire in vain", func() (do, peer call) {
			sem := wait.NewSemaphore(1)
			hold := func(f *Fiber) error {
				if err := f.Acquire(sem, 1); err != nil {
					return err
				}
				return f.Sleep(1 << 60)
			}
			return both(yield, inVain(func(f *Fiber) error { return f.AcquireUntil(sem, 1, f.Within(1)) })), hold
		}},
	}
}

func reset(tm *wait.Timer) call {
	return func(f *Fiber) error { _, err := f.ResetTimer(tm, f.Within(1)); return err }
}

func inVain(do call) call {
	return func(f *Fiber) error {
		if err := do(f); err != ErrTimeout {
			return err
		}
		return nil
	}
}

func sleepLong(f *Fiber) error { return f.Sleep(time.Hour) }

// withTask is a call that uses a fiber it has started the first time.
func withTask(runs call, do func(f *Fiber, t *Task) error) call {
	var t *Task
	return func(f *Fiber) (err error) {
		if t == nil {
			if t, err = f.Runtime().Go("", func(f *Fiber) (any, error) { return nil, runs(f) }); err != nil {
				return err
			}
		}
		return do(f, t)
	}
}

func groupInVain(goal wait.Goal) call {
	var group Group
	return inVain(withTask(sleepLong, func(f *Fiber, t *Task) error {
		if len(group.tasks) == 0 {
			if err := group.Add(f, t); err != nil {
				return err
			}
		}
		_, err := group.WaitUntil(f, goal, f.Within(1))
		return err
	}))
}

// failingRun runs the once, or waits until another's run has failed and then does.
func failingRun(once *wait.Once) call {
	var self *Fiber
	nothing := errors.New("it is never done")
	run := func() error {
		if err := self.Yield(); err != nil {
			return err
		}
		return nothing
	}
	return func(f *Fiber) error {
		self = f
		if err := f.Do(once, run); err != nothing {
			return err
		}
		return nil
	}
}
