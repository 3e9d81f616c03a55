package wait

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

func joined(t *testing.T, cell *ioqueue.Cell, self int) Join {
	t.Helper()
	j, err := JoinOn(cell, fib(self))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestEverybodyWhoJoinsBeforeOrAfterTheEndReadsTheSame(t *testing.T) {
	f, cell := newFake(t), new(ioqueue.Cell)
	cell.SetOwner(fib(9))
	var waits []fiber.Ticket
	for i := range 3 {
		j := joined(t, cell, i)
		_, done, err := j.Try()
		is(t, "before the end", done || err != nil, false)
		tk := f.arm(fib(i), cell.Source())
		is(t, "park", j.ParkJoin(tk, 0), nil)
		waits = append(waits, tk)
	}
	wakes, err := cell.Complete("result", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.deliver(wakes...)
	for i, tk := range waits {
		is(t, "in order", wakes[i].Ticket, tk)
		is(t, "code", f.claim(tk).Code, fiber.OK)
	}
	late := joined(t, cell, 9) // even a later fiber of the same slot: the end came
	for range 2 {
		v, done, err := late.Try()
		is(t, "value", v, "result")
		is(t, "done", done, true)
		is(t, "error", err, nil)
	}
}

func TestAFailureDeliversTheErrorOnly(t *testing.T) {
	cell, cause := new(ioqueue.Cell), errors.New("boom")
	if _, err := cell.Complete("half a result", cause, nil); err != nil {
		t.Fatal(err)
	}
	v, done, err := joined(t, cell, 1).Try()
	is(t, "value", v, nil)
	is(t, "done", done, true)
	is(t, "error", err, cause)
}

func TestJoiningOneselfIsATypedError(t *testing.T) {
	cell := new(ioqueue.Cell)
	cell.SetOwner(fib(4))
	_, err := JoinOn(cell, fib(4))
	var e *Error
	if !errors.Is(err, ErrSelfJoin) || !errors.As(err, &e) || e.By != fib(4) {
		t.Errorf("got %v, want ErrSelfJoin", err)
	}
	if e := broken(func() { _, _ = JoinOn(nil, fib(4)) }); e == nil || e.Op != "join" {
		t.Errorf("no cell: got %v", e)
	}
}

func TestAJoinThatWouldNotBlockOrIsForeignIsNotParked(t *testing.T) {
	home, away, cell := newFake(t), newFake(t), new(ioqueue.Cell)
	away.number = 2
	j := joined(t, cell, 1)
	is(t, "park", j.ParkJoin(home.arm(fib(1), cell.Source()), 0), nil)
	is(t, "foreign", errors.Is(j.ParkJoin(away.arm(fib(2)), 0), ErrForeign), true)
	old := home.arm(fib(3))
	is(t, "park", j.ParkJoin(home.arm(fib(1), cell.Source()), 0), nil)
	if e := broken(func() { _ = j.ParkJoin(old, 0) }); e == nil || e.Rule.String() != "I11" {
		t.Errorf("parked late: got %v, want I11", e)
	}
	if _, err := cell.Complete(1, nil, nil); err != nil {
		t.Fatal(err)
	}
	is(t, "ended", errors.Is(j.ParkJoin(home.arm(fib(3)), 0), ErrReady), true)
}

func TestTheZeroJoinWaitsForever(t *testing.T) {
	var j Join
	_, done, err := j.Try()
	is(t, "done", done || err != nil, false)
	is(t, "park", j.ParkJoin(newFake(t).arm(fib(1)), 0), nil)
}

func TestAskingWhetherTheEndCameDoesNotObserveAFailure(t *testing.T) {
	cell := new(ioqueue.Cell)
	j := joined(t, cell, 1)
	is(t, "ready before", j.Case().Ready(), false)
	if wakes, err := cell.Complete(nil, errors.New("boom"), nil); err != nil || len(wakes) > 0 {
		t.Fatalf("asking registered somebody: %v %v", wakes, err)
	}
	is(t, "ready after", j.Case().Ready(), true)
	is(t, "observed", cell.Observed(), false)
	_, _, err := j.Try()
	is(t, "failed", err != nil, true)
	is(t, "observed", cell.Observed(), true)
}

func TestASelectCanJoin(t *testing.T) {
	f, cell, quit := newFake(t), new(ioqueue.Cell), NewChan[int](0)
	j := joined(t, cell, 1)
	s := NewSelect(RecvFrom(quit), j)
	tk := parkedSelect(f, s, 1)
	wakes, err := cell.Complete(7, nil, nil)
	is(t, "complete", err, nil)
	f.deliver(wakes...)
	i, ok := s.Collect(tk, f.claim(tk))
	is(t, "chosen", ok, true)
	is(t, "index", i, 1)
	i, _, ok = s.Poll(nil)
	is(t, "polled", ok, true)
	is(t, "index", i, 1)
	v, _, _ := j.Try()
	is(t, "value", v, 7)
}
