package scheduler_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// aWait is a scheduler with two fibers: the second waits for a lock that the first holds.
func aWait() *scheduler.Scheduler[int] {
	s, first := running(scheduler.Options{Name: "reader"})
	var mutex wait.Mutex
	_, _ = mutex.TryLock(first.ID())
	second, _ := s.SpawnWith(2, scheduler.Options{Name: "writer"})
	s.YieldCurrent()
	s.Poll()
	s.ScheduleNext()
	t := s.Arm(fiber.OnQueue(), mutex.Source())
	_ = mutex.ParkLock(t, second.ID())
	s.Block()
	return s
}

// Which fibers there are, and what each waits on.
func ExampleSnapshot() {
	s := aWait()
	all := s.Inspect().Snapshot(scheduler.Snapshot{})
	for i := range all.Fibers {
		f := &all.Fibers[i]
		fmt.Println(s.Inspect().Name(f.ID), "waits on", len(all.On(*f)), "objects")
	}
	// Output:
	// reader waits on 0 objects
	// writer waits on 1 objects
}

// The blocked fibers of a Snapshot, and how each waits.
func ExampleFiberState() {
	s := aWait()
	all := s.Inspect().Snapshot(scheduler.Snapshot{})
	for _, f := range all.Fibers {
		if f.State == fiber.Blocked {
			fmt.Println(f.ID, f.Kind, f.Deadline == fiber.Never)
		}
	}
	// Output: f1.1 queue true
}

// The objects that fibers of a Snapshot wait on, and which fibers can end these waits.
func ExampleSourceState() {
	s := aWait()
	all := s.Inspect().Snapshot(scheduler.Snapshot{})
	for i := range all.Sources {
		o := &all.Sources[i]
		fmt.Println(o.Name(), all.Holders(*o))
	}
	// Output: mutex (owner f0.1, waiting: 1) [f0.1]
}
