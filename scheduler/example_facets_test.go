package scheduler_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
)

// running returns a scheduler whose only fiber is current.
func running(o scheduler.Options) (*scheduler.Scheduler[int], fiber.RegularID) {
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.SpawnWith(1, o)
	s.Poll()
	s.ScheduleNext()
	return s, id
}

// A fiber submits an operation and blocks until the device completes it.
func ExampleOps() {
	s, _ := running(scheduler.Options{})
	token, _ := s.Ops().Submit()
	fmt.Println(s.BlockForIO(token))
	s.Ops().Complete(token, ioqueue.Completion{N: 512}) // the device has read 512 bytes
	s.Poll()
	s.ScheduleNext()
	s.Claim()
	done, _ := s.Ops().Completion(token)
	fmt.Println(done.N, "bytes")
	// Output:
	// parked
	// 512 bytes
}

// A host with a loop of its own takes the steps of a Poll one by one.
func ExampleSteps() {
	s, _ := running(scheduler.Options{})
	s.Arm(fiber.Until(1000))
	s.Block()
	steps := s.Steps()
	steps.WaitForInput(context.Background(), steps.NextDeadline())
	steps.DrainCommands()
	steps.DrainCompletions()
	steps.CheckTimers()
	fmt.Println("ready:", steps.BeginBatch(), "at", s.Now())
	// Output: ready: true at 1µs
}

// A cancellation is deferred while the fiber masks it. A panic that no deferred call recovers
// ends the fiber.
func ExampleUnwind() {
	s, id := running(scheduler.Options{})
	unwind := s.Unwind()
	unwind.Mask()
	_ = s.Cancel(id.ID(), errors.New("client disconnected"))
	fmt.Println(s.TakeInterrupt())
	unwind.Unmask()
	fmt.Println(s.TakeInterrupt())

	unwind.BeginPanic(panicstate.Recoverable, "no connection", "net.lua:3")
	unwind.Panics().NextDefer() // none is registered
	_, err := s.KillCurrent()
	fmt.Println(err)
	// Output:
	// pending <nil>
	// cancelled client disconnected
	// net.lua:3: panic: no connection
}

// A lock that a fiber owns is released when the fiber dies; a join cell gets its result.
func ExampleAttachments() {
	s, id := running(scheduler.Options{})
	attached := s.Attachments()
	_ = attached.SetName(id.ID(), "worker")
	cell, _ := attached.Cell(id)
	attached.Own(lock{})
	_, _ = s.Exit("done", nil)
	result, err, ended := cell.Result()
	fmt.Println(result, err, ended)
	// Output:
	// lock of f0.1 released
	// done <nil> true
}

// lock is an owner hook: the scheduler calls it when its owner dies.
type lock struct{}

func (lock) OwnerDied(owner fiber.ID, woken []fiber.Wakeup) []fiber.Wakeup {
	fmt.Println("lock of", owner, "released")
	return woken
}

// A debugger looks at a fiber without changing anything.
func ExampleInspect() {
	s, id := running(scheduler.Options{Name: "reader"})
	s.Arm(fiber.Until(1000))
	s.Block()
	look := s.Inspect()
	fmt.Println(look.Name(id.ID()), "is", look.State(id.ID()), "on", look.Reason(id.ID()))
	fmt.Println(look.Live(), "live,", look.Blocked(), "blocked")
	// Output:
	// reader is blocked on timer(1µs)
	// 1 live, 1 blocked
}

// A worker runs one slice of a fiber. The scheduler runs others in the meantime.
func ExampleMoves() {
	s, _ := running(scheduler.Options{})
	_, _ = s.Spawn(2)
	id := s.Moves().Lend()
	fmt.Println(s.Moves().Lent(), "lent, current:", s.Current())

	s.Poll()
	fmt.Println("runs meanwhile:", s.ScheduleNext().Data)
	s.Finish(fiber.Outcome{Kind: fiber.Done})

	s.Moves().Recall(id) // the worker has run the slice
	s.Finish(fiber.Outcome{Kind: fiber.Done})
	fmt.Println(s.Inspect().Live(), "live")
	// Output:
	// 1 lent, current: none
	// runs meanwhile: 2
	// 0 live
}
