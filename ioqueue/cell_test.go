package ioqueue

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

var (
	alice = fiber.NewRegularID(3, 1)
	bob   = fiber.NewRegularID(5, 1)
)

func waitOf(id fiber.RegularID, seq uint64) fiber.Ticket {
	return fiber.Ticket{ID: id.ID(), Seq: seq}
}

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

func TestNobodyParksOnACompletedCellForever(t *testing.T) {
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
