package wait_test

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

// arm stands for scheduler.Arm by fiber n, as its n-th wait.
func arm(n uint32) fiber.Ticket {
	return fiber.Ticket{ID: fiber.NewRegularID(n, 1).ID(), Seq: uint64(n)}
}

// A receiver finds nothing and parks; the sender's value is its own from that moment.
func ExampleChan() {
	ch := wait.NewChan[string](0)
	receiver := arm(1)
	fmt.Println(ch.ParkRecv(receiver, 0))

	ok, w, _ := ch.TrySend("hello")
	fmt.Println(ok, w.Ticket, w.Result.Code)

	v, _ := ch.Collect(receiver)
	fmt.Println(v)
	// Output:
	// <nil>
	// true f1.1#1 ok
	// hello
}

func ExampleStatus() {
	ch := wait.NewChan[int](1)
	ch.TrySend(0)
	for range 2 {
		v, status, _ := ch.TryRecv()
		fmt.Println(v, status)
	}
	ch.Close(nil)
	_, status, _ := ch.TryRecv()
	fmt.Println(status)
	// Output:
	// 0 received
	// 0 empty
	// closed
}

// A select with no ready case parks in all; the wake names the case.
func ExampleSelect() {
	jobs, quit := wait.NewChan[string](0), wait.NewChan[struct{}](0)
	job := wait.RecvFrom(jobs)
	s := wait.NewSelect(job, wait.RecvFrom(quit))
	_, _, ready := s.Poll(nil)
	fmt.Println(ready)

	t := arm(1)
	fmt.Println(s.Park(t))
	_, w, _ := jobs.TrySend("dig")
	for _, src := range s.Sources(nil) {
		src.Withdraw(t, nil) // the scheduler's part of the delivery
	}
	i, _ := s.Collect(t, w.Result)
	v, ok := job.Value()
	fmt.Println(i, v, ok)
	// Output:
	// false
	// <nil>
	// 0 dig true
}

// first is a source of choices for when any choice will do.
type first struct{}

func (first) Uint64N(uint64) uint64 { return 0 }

// Poll chooses with the run's *rand.Rand of math/rand/v2; a test may bring its own.
func ExampleSelect_Poll() {
	a, b := wait.NewChan[int](1), wait.NewChan[int](1)
	i, _, _ := wait.NewSelect(wait.SendTo(a, 1), wait.SendTo(b, 1)).Poll(first{})
	fmt.Println(i, a.Len(), b.Len())
	// Output: 0 1 0
}

// Cases of different kinds and element types go together in one select.
func ExampleCase() {
	numbers, words := wait.NewChan[int](0), wait.NewChan[string](1)
	cases := []wait.Case{wait.RecvFrom(numbers), wait.SendTo(words, "x"), wait.Join{}}
	i, _, ok := wait.NewSelect(cases...).Poll(nil)
	fmt.Println(i, ok)
	// Output: 1 true
}

// A case can be used again, for another channel too, without allocating.
func ExampleReceive() {
	a, b := wait.NewChan[int](1), wait.NewChan[int](1)
	b.TrySend(7)
	r := wait.RecvFrom(a)
	s := wait.NewSelect(r)
	r.Reset(b)
	s.Poll(nil)
	fmt.Println(r.Value())
	// Output: 7 true
}

func ExampleSend() {
	ch := wait.NewChan[int](1)
	ch.SetName("jobs")
	ch.Close(nil)
	out := wait.SendTo(ch, 1)
	_, _, chosen := wait.NewSelect(out).Poll(nil)
	fmt.Println(chosen, out.Err())
	// Output: true wait: send: chan "jobs": the channel is closed
}

// Unlock makes the fiber that has waited longest the owner, before it runs.
func ExampleMutex() {
	var m wait.Mutex
	f1, f2 := fiber.NewRegularID(1, 1).ID(), fiber.NewRegularID(2, 1).ID()
	fmt.Println(m.TryLock(f1))

	fmt.Println(m.TryLock(f2))
	t := arm(2)
	fmt.Println(m.ParkLock(t, f2))

	w, _ := m.Unlock(f1)
	fmt.Println(m.Owner(), w.Ticket == t, m.Collect(t))
	// Output:
	// true <nil>
	// false <nil>
	// <nil>
	// f2.1 true true
}

func ExampleOwnerDeath() {
	f1, f2 := fiber.NewRegularID(1, 1).ID(), fiber.NewRegularID(2, 1).ID()
	for _, policy := range []wait.OwnerDeath{wait.Poison, wait.HandOver} {
		m := wait.NewMutex(policy)
		m.TryLock(f1)
		m.OwnerHook().OwnerDied(f1, nil)
		fmt.Println(m.TryLock(f2))
	}
	// Output:
	// false wait: lock: mutex: the lock is poisoned: its owner died while it held it (owner f1.1, tried by f2.1)
	// true <nil>
}

// The name of an object is in its errors and reports.
func ExampleObject() {
	m := wait.NewMutex(wait.HandOver)
	m.SetName("accounts")
	fmt.Println(m.Name())
	fmt.Println(m.Source().(fiber.Described).Describe())
	// Output:
	// accounts
	// mutex "accounts" (free, waiting: 0)
}

func ExampleJoin() {
	var cell ioqueue.Cell
	j, _ := wait.JoinOn(&cell, fiber.NewRegularID(1, 1).ID())
	_, done, _ := j.Try()
	fmt.Println(done)

	cell.Complete(nil, errors.New("it broke"), nil)
	fmt.Println(j.Try())
	// Output:
	// false
	// <nil> true it broke
}

// A sleep is a wait that only the clock ends.
func ExampleDeadline() {
	d, _ := wait.Seconds(0.25)
	at, err := wait.Deadline(fiber.Time(time.Second), d)
	fmt.Println(fiber.Until(at), err)
	// Output: timer(1.25s) <nil>
}

func ExampleSeconds() {
	_, err := wait.Seconds(math.NaN())
	fmt.Println(errors.Is(err, wait.ErrDuration))
	fmt.Println(err)
	// Output:
	// true
	// wait: bad duration: NaN s is not a number; want 0 or more, up to about 292 years
}

func ExampleError() {
	var m wait.Mutex
	m.SetName("db")
	f1, f2 := fiber.NewRegularID(1, 1).ID(), fiber.NewRegularID(2, 1).ID()
	m.TryLock(f1)
	_, err := m.Unlock(f2)
	fmt.Println(errors.Is(err, wait.ErrNotOwner))
	fmt.Println(err)
	// Output:
	// true
	// wait: unlock: mutex "db": only the owner may unlock (owner f1.1, tried by f2.1)
}

func ExampleContractError() {
	defer func() { fmt.Println(recover().(*wait.ContractError).Rule) }()
	ch := wait.NewChan[int](0)
	early, late := arm(1), arm(2)
	fmt.Println(ch.ParkRecv(late, 0))
	fmt.Println(ch.ParkRecv(early, 0))
	// Output:
	// <nil>
	// I11
}

// A package with a waiting object of its own gives Select these operations.
func ExampleCaseOps() {
	ch := wait.NewChan[int](1)
	var ops wait.CaseOps = wait.SendTo(ch, 7).Case()
	fmt.Println(ops.Ready(), ops.Commit().IsZero(), ch.Len())
	fmt.Println(ops.Ready())
	// Output:
	// true true 1
	// false
}
