package ioqueue

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

var errDisk = errors.New("disk on fire")

func TestACellWakesEverybodyInTheOrderTheyCame(t *testing.T) {
	var c Cell
	for n := range uint64(5) {
		if err := c.Park(waitOf(alice, n+1), uint32(10*n)); err != nil {
			t.Fatal(err)
		}
	}
	c.Source().Withdraw(waitOf(alice, 2), nil)
	woken, err := c.Complete(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var want []fiber.Wakeup
	for _, n := range []uint64{0, 2, 3, 4} {
		want = append(want, fiber.Wakeup{
			Ticket: waitOf(alice, n+1),
			Result: fiber.Result{Code: fiber.OK, Value: uint32(10 * n)},
		})
	}
	if !slices.Equal(woken, want) {
		t.Fatalf("woken %v, want %v", woken, want)
	}
}

func TestAskingHowACellEndedIsNotReadingIt(t *testing.T) {
	for name, end := range map[string]error{"well": nil, "with an error": errDisk} {
		var c Cell
		if c.Completed() || c.Failed() {
			t.Errorf("an open cell has ended (%v) or failed (%v)", c.Completed(), c.Failed())
		}
		c.Complete(nil, end, nil)
		if !c.Completed() || c.Failed() != (end != nil) || c.Observed() {
			t.Errorf("ended %s: completed %v, failed %v, observed %v", name, c.Completed(), c.Failed(), c.Observed())
		}
	}
}

// It may be kept for long, and there may have been many.
func TestACompletedCellKeepsNoMemoryOfThoseWhoWaited(t *testing.T) {
	var c Cell
	for n := range uint64(5) {
		if err := c.Park(waitOf(alice, n+1), 0); err != nil {
			t.Fatal(err)
		}
	}
	c.Complete(nil, nil, nil)
	if !reflect.DeepEqual(c.waiters, waitq.Queue[struct{}]{}) {
		t.Fatalf("it keeps %+v", c.waiters)
	}
}

func TestACellIsCompletedOnce(t *testing.T) {
	var c Cell
	c.Complete("first", nil, nil)
	dst, err := c.Complete("second", errDisk, nil)
	if !errors.Is(err, ErrCompleted) || dst != nil {
		t.Fatalf("second Complete: %v, waking %v", err, dst)
	}
	if v, err, done := c.Result(); v != "first" || err != nil || !done {
		t.Fatalf("result %v %v %v", v, err, done)
	}
}

func TestNobodyParksOnACompletedCellForEver(t *testing.T) {
	var c Cell
	c.Complete(nil, nil, nil)
	if err := c.Park(waitOf(alice, 1), 0); !errors.Is(err, ErrCompleted) || c.Source().Holds(waitOf(alice, 1)) {
		t.Fatalf("Park after the end: %v", err)
	}
}

func TestARegistrationOutOfOrderIsRefused(t *testing.T) {
	var c Cell
	c.Park(waitOf(alice, 2), 0)
	if err := c.Park(waitOf(bob, 1), 0); !errors.Is(err, ErrOrder) || c.Source().Holds(waitOf(bob, 1)) {
		t.Fatalf("Park of an older ticket: %v", err)
	}
	if !c.Source().Holds(waitOf(alice, 2)) {
		t.Fatal("the one who was there before is gone")
	}
}

func TestAFailureIsUnobservedUntilSomebodyReadsIt(t *testing.T) {
	var c Cell
	if _, _, done := c.Result(); done || c.Observed() {
		t.Fatal("looking at an open cell observed its result")
	}
	c.Complete(nil, errDisk, nil)
	if c.Observed() {
		t.Fatal("observed by completing")
	}
	if _, err, _ := c.Result(); !errors.Is(err, errDisk) || !c.Observed() {
		t.Fatalf("read %v, observed %v", err, c.Observed())
	}
}

func TestADeadlockReportCanNameWhoCompletesTheCell(t *testing.T) {
	var c Cell
	if c.Source().(fiber.Described).Describe() != "a completion" || c.Source().(fiber.Described).Holders(nil) != nil {
		t.Fatalf("%q held by %v", c.Source().(fiber.Described).Describe(), c.Source().(fiber.Described).Holders(nil))
	}
	if c.Owner() != 0 {
		t.Fatalf("the owner of a cell that nobody is named for is %v", c.Owner())
	}
	c.SetOwner(alice.ID())
	if c.Owner() != alice.ID() {
		t.Fatalf("the owner is %v", c.Owner())
	}
	if c.Source().(fiber.Described).Describe() != "the end of f3.1" || !slices.Equal(c.Source().(fiber.Described).Holders(nil), []fiber.ID{alice.ID()}) {
		t.Fatalf("%q held by %v", c.Source().(fiber.Described).Describe(), c.Source().(fiber.Described).Holders(nil))
	}
	c.Complete(nil, nil, nil)
	if c.Source().(fiber.Described).Holders(nil) != nil {
		t.Fatal("a completed cell is held by nobody")
	}
}

func TestACellTakesTheResultOfAnOperation(t *testing.T) {
	for name, early := range map[string]bool{"before": true, "after": false} {
		t.Run("completed "+name+" the attach", func(t *testing.T) {
			q, c := New(0, 0, nil), &Cell{}
			token := submit(t, q, alice)
			c.Park(waitOf(bob, 1), 4)
			result := Completion{N: 3, Err: errDisk}
			if early {
				complete(q, token, result)
			}
			if got, err := q.Attach(token, c); got != early || err != nil {
				t.Fatalf("Attach = %v %v", got, err)
			}
			if !early {
				if _, v := complete(q, token, result); v != Attached || q.Awaiting() != 0 {
					t.Fatalf("verdict %v, awaiting %d", v, q.Awaiting())
				}
			}
			if _, ok := take(q, token); ok {
				t.Fatal("the result was taken past the cell")
			}
			woken := q.Settle(token, nil)
			if len(woken) != 1 || woken[0].Ticket != waitOf(bob, 1) || woken[0].Result.Value != 4 {
				t.Fatalf("woken %v", woken)
			}
			if v, err, _ := c.Result(); v != any(result) || !errors.Is(err, errDisk) {
				t.Fatalf("result %v %v", v, err)
			}
		})
	}
}

func TestSettleLeavesAloneWhatHasNoResultForACell(t *testing.T) {
	for name, meanwhile := range map[string]func(q *Queue, token fiber.Token){
		"in flight": func(*Queue, fiber.Token) {},
		"complete":  func(q *Queue, token fiber.Token) { complete(q, token, Completion{N: 1}) },
		"awaited":   func(q *Queue, token fiber.Token) { q.Await(token, waitOf(alice, 1)) },
		"ready for its owner": func(q *Queue, token fiber.Token) {
			q.Await(token, waitOf(alice, 1))
			complete(q, token, Completion{N: 1})
		},
		"attached, not at end": func(q *Queue, token fiber.Token) { q.Attach(token, new(Cell)) },
		"given up":             func(q *Queue, token fiber.Token) { q.Abandon(token) },
	} {
		t.Run(name, func(t *testing.T) {
			q := New(0, 0, nil)
			token := submit(t, q, alice)
			meanwhile(q, token)
			s := q.live(token)
			before := *s
			q.Settle(token, nil)
			if *s != before || q.live(token) != s {
				t.Fatalf("it made %+v of %+v", *s, before)
			}
			if err := check(q); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestACellOutlivesTheFiberThatSubmitted(t *testing.T) {
	q, c := New(0, 0, nil), &Cell{}
	token := submit(t, q, alice)
	q.Attach(token, c)
	c.Park(waitOf(bob, 1), 0)
	q.AbandonOwned(alice)
	if woken := q.FailCells(nil); len(woken) != 1 || woken[0].Ticket != waitOf(bob, 1) {
		t.Fatalf("woken %v; the waiter would sleep for ever", woken)
	}
	if _, err, _ := c.Result(); !errors.Is(err, ErrAbandoned) {
		t.Fatalf("result %v", err)
	}
	if q.FailCells(nil) != nil {
		t.Fatal("failed twice")
	}
}

func TestAResultForACellThatIsAlreadyCompleteIsDroppedNotLost(t *testing.T) {
	var dropped []Completion
	q, c := New(0, 0, func(_ fiber.Token, c Completion) { dropped = append(dropped, c) }), &Cell{}
	token := submit(t, q, alice)
	q.Attach(token, c)
	c.Complete("mine", nil, nil)
	complete(q, token, Completion{N: 9})
	q.Settle(token, nil)
	if v, _, _ := c.Result(); v != "mine" {
		t.Fatalf("the cell now holds %v", v)
	}
	if len(dropped) != 1 || dropped[0].N != 9 || q.Counters().Dropped != 1 {
		t.Fatalf("dropped %v, counted %d", dropped, q.Counters().Dropped)
	}
}
