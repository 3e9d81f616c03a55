package wait_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// id is the n-th fiber.
func id(n uint32) fiber.ID { return fiber.NewRegularID(n, 1).ID() }

// A writer that waits holds back later readers; those are then let in together.
func ExampleRWMutex() {
	var m wait.RWMutex
	fmt.Println(m.TryRLock(id(1)))
	fmt.Println(m.ParkLock(arm(2), id(2)))
	fmt.Println(m.TryRLock(id(3)))
	fmt.Println(m.ParkRLock(arm(3), id(3)), m.ParkRLock(arm(4), id(4)))

	wakes, _ := m.RUnlock(id(1), nil)
	fmt.Println(len(wakes), m.Writer(), m.Collect(arm(2)))
	wakes, _ = m.Unlock(id(2), nil)
	fmt.Println(len(wakes), m.Readers())
	// Output:
	// true <nil>
	// <nil>
	// false <nil>
	// <nil> <nil>
	// 1 f2.1 true
	// 2 2
}

// Returned permits go to the fiber that has waited longest.
func ExampleSemaphore() {
	s := wait.NewSemaphore(3)
	fmt.Println(s.TryAcquire(id(1), 2))
	fmt.Println(s.TryAcquire(id(2), 2))
	t := arm(2)
	fmt.Println(s.ParkAcquire(t, id(2), 2))

	wakes, _ := s.Release(id(1), 1, nil)
	n, ok := s.Collect(t)
	fmt.Println(wakes[0].Ticket == t, n, ok, s.Free())
	// Output:
	// true <nil>
	// false <nil>
	// <nil>
	// true 2 true 0
}

// A consumer waits until there is something; the producer's signal puts it in the line
// for the lock, and the producer's unlock wakes it, as the owner.
func ExampleCond() {
	var m wait.Mutex
	filled := wait.NewCond(&m)
	consumer, producer := id(1), id(2)

	m.TryLock(consumer)
	t := arm(1)
	_, err := filled.ParkWait(t, consumer)
	fmt.Println(err, m.Owner() == 0)

	m.TryLock(producer)
	fmt.Println(filled.Signal().IsZero(), m.Waiting())
	w, _ := m.Unlock(producer)
	fmt.Println(w.Ticket == t, filled.Collect(t), m.Owner())
	// Output:
	// <nil> true
	// true 1
	// true true f1.1
}

// Two want the same done; one runs it, the other waits.
func ExampleOnce() {
	var o wait.Once
	run, done, err := o.TryRun(id(1))
	fmt.Println(run, done, err)
	run, done, err = o.TryRun(id(2))
	fmt.Println(run, done, err)
	t := arm(2)
	fmt.Println(o.ParkRun(t, id(2)))

	wakes, _ := o.Finish(id(1), nil)
	fmt.Println(wakes[0].Ticket == t, o.Collect(t), o.Done())
	// Output:
	// true false <nil>
	// false false <nil>
	// <nil>
	// true false true
}

// A timer that is stopped in time does not fire.
func ExampleTimer() {
	var timeout wait.Timer
	fmt.Println(timeout.Reset(100)) // and sched.SetAlarm(&timeout), so that Due is called
	t := arm(1)
	fmt.Println(timeout.ParkWait(t))

	for _, w := range timeout.Alarm().Due(100, nil) {
		fmt.Println(w.Ticket == t, w.Result.Code)
	}
	fmt.Println(timeout.Fired(), timeout.Stop(), timeout.Reset(200), timeout.Stop())
	// Output:
	// false
	// <nil>
	// true ok
	// true false false true
}
