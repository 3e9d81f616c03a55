package wait

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// How waits on a channel end otherwise than by a peer.

// docs/design.md#defects: close waking senders as if they had succeeded.
func TestCloseWakesParkedSendersWithAnErrorNotSuccess(t *testing.T) {
	f, ch := newFake(t), NewChan[int](1)
	ch.SetName("jobs")
	send(f, ch, 1)
	s1, s2 := parkedSend(f, ch, 1, 2), parkedSend(f, ch, 2, 3)
	wakes := closing(f, ch)
	want := []fiber.Wakeup{woken(s1, fiber.Closed, 0), woken(s2, fiber.Closed, 0)}
	if !same(wakes, want) {
		t.Fatalf("woken %v, want %v", wakes, want)
	}
	var e *Error
	if err := ch.Err(); !errors.As(err, &e) || !errors.Is(err, ErrClosed) || e.Object != `chan "jobs"` {
		t.Errorf("a sender is told %v", err)
	}
	v, status := recv(f, ch)
	is(t, "buffered value", v, 1)
	is(t, "status", status, Received)
	_, status = recv(f, ch)
	is(t, "the senders' values", status, Closed)
}

func TestCloseWakesParkedReceiversInOrderWithClosed(t *testing.T) {
	f, ch := newFake(t), NewChan[int](1)
	r1, r2 := parkedRecv(f, ch, 1), parkedRecv(f, ch, 2)
	want := []fiber.Wakeup{woken(r1, fiber.Closed, 0), woken(r2, fiber.Closed, 0)}
	if wakes := closing(f, ch); !same(wakes, want) {
		t.Fatalf("woken %v, want %v", wakes, want)
	}
	_, ok := ch.Collect(r1)
	is(t, "collected", ok, false)
}

func TestAClosedChannelRefusesWithoutAChange(t *testing.T) {
	f, ch := newFake(t), NewChan[int](2)
	send(f, ch, 1)
	closing(f, ch)
	ok, w, err := ch.TrySend(2)
	is(t, "sent", ok || !w.IsZero(), false)
	is(t, "send", errors.Is(err, ErrClosed), true)
	kept := []fiber.Wakeup{{}}
	dst, err := ch.Close(kept)
	is(t, "close", errors.Is(err, ErrClosed), true)
	is(t, "dst", len(dst), 1)
	is(t, "len", ch.Len(), 1)
}

func TestWhatWasAssignedOrAcceptedBeforeTheCloseStaysSo(t *testing.T) {
	f, ch := newFake(t), NewChan[int](0)
	r := parkedRecv(f, ch, 1)
	send(f, ch, 5)
	closing(f, ch)
	is(t, "receiver", f.claim(r).Code, fiber.OK)
	v, ok := ch.Collect(r)
	is(t, "collected", ok, true)
	is(t, "value", v, 5)

	ch = NewChan[int](1)
	send(f, ch, 1)
	s := parkedSend(f, ch, 2, 2)
	recv(f, ch)
	closing(f, ch)
	is(t, "sender", f.claim(s).Code, fiber.OK)
	v, _ = recv(f, ch)
	is(t, "its value", v, 2)
}

func TestAWithdrawnSendersValueIsNeverDelivered(t *testing.T) {
	f, ch := newFake(t), NewChan[int](0)
	s1 := parkedSend(f, ch, 1, 1)
	parkedSend(f, ch, 2, 2)
	f.timeout(s1)
	v, _ := recv(f, ch)
	is(t, "value", v, 2)
	_, status := recv(f, ch)
	is(t, "and then", status, Empty)
}

// docs/design.md#defects: stale wake of an older wait; a value swallowed by a fiber that has gone.
func TestAWithdrawnReceiverSwallowsNothing(t *testing.T) {
	f, ch := newFake(t), NewChan[int](0)
	gone := parkedRecv(f, ch, 1)
	f.timeout(gone)
	is(t, "send to nobody", send(f, ch, 1), false)
	again := parkedRecv(f, ch, 1) // the same fiber's next wait
	is(t, "send", send(f, ch, 2), true)
	is(t, "woken", f.claim(again).Code, fiber.OK)
	_, ok := ch.Collect(gone)
	is(t, "collected by the older wait", ok, false)
}

// I12: the one value that may not arrive reaches the hook.
func TestAValueAssignedToAFiberThatDiesReachesTheHook(t *testing.T) {
	f, ch := newFake(t), NewChan[int](0)
	var lost []int
	ch.OnLost(func(v int) { lost = append(lost, v) })
	r1, r2 := parkedRecv(f, ch, 1), parkedRecv(f, ch, 2)
	send(f, ch, 10)
	send(f, ch, 20)
	f.die(r1)
	if !slices.Equal(lost, []int{10}) {
		t.Errorf("lost %v, want the dead receiver's 10", lost)
	}
	is(t, "counted", ch.lost, 1)
	v, _ := ch.Collect(r2)
	is(t, "the living one's", v, 20)
	f.die(parkedRecv(f, ch, 3))
	is(t, "counted after a death without a value", ch.lost, 1)
}

func TestTheOwnerTakesBackAssignedValuesOldestFirstAndTheirReceiversFindTheChannelClosed(t *testing.T) {
	f, ch := newFake(t), NewChan[int](1)
	var lost []int
	ch.OnLost(func(v int) { lost = append(lost, v) })
	r1, r2, r3 := parkedRecv(f, ch, 1), parkedRecv(f, ch, 2), parkedRecv(f, ch, 3)
	for v := range 4 {
		send(f, ch, v)
	}
	v, ok := ch.Collect(r2)
	is(t, "collected before", ok && v == 1, true)
	(*chanSource[int])(ch).ForfeitAll()
	if !slices.Equal(lost, []int{0, 2}) {
		t.Errorf("lost %v, want those of the first and the third receiver", lost)
	}
	is(t, "counted", ch.lost, 2)
	is(t, "buffered", ch.Len(), 1)
	closing(f, ch)
	_, ok = ch.Collect(r1)
	is(t, "collected afterward", ok, false)
	c := RecvFrom(ch)
	i, ok := NewSelect(c).Collect(r3, f.claim(r3))
	is(t, "case of a select", ok && i == 0, true)
	_, ok = c.Value()
	is(t, "received by the select", ok, false)
}

func TestALostValueIsCountedWithoutAHook(t *testing.T) {
	f, ch := newFake(t), NewChan[int](0)
	r := parkedRecv(f, ch, 1)
	send(f, ch, 10)
	f.die(r)
	is(t, "counted", ch.lost, 1)
}

func TestASenderThatDiesAfterItWasAcceptedLosesNothing(t *testing.T) {
	f, ch := newFake(t), NewChan[int](1)
	send(f, ch, 1)
	s := parkedSend(f, ch, 1, 2)
	recv(f, ch)
	f.die(s)
	is(t, "lost", ch.lost, 0)
	v, _ := recv(f, ch)
	is(t, "value", v, 2)
}

func TestAFiberOfAnotherSchedulerIsRefusedByName(t *testing.T) {
	home, away := newFake(t), newFake(t)
	away.number = 7
	ch := NewChan[int](0)
	ch.SetName("local")
	parkedRecv(home, ch, 1)
	tk := away.arm(fib(9))
	for name, err := range map[string]error{
		"receive": ch.ParkRecv(tk, 0),
		"send":    ch.ParkSend(tk, 1, 0),
		"select":  NewSelect(RecvFrom(ch)).Park(tk),
	} {
		var e *Error
		if !errors.Is(err, ErrForeign) || !errors.As(err, &e) {
			t.Errorf("%s: got %v, want ErrForeign", name, err)
			continue
		}
		is(t, name+" names", e.Object, `chan "local"`)
	}
	is(t, "registered", ch.Source().Holds(tk), false)
	is(t, "home may", belongs(ch, 0) && !belongs(ch, 7), true)
}

func TestParkingLateIsABrokenContractThatNamesTheRule(t *testing.T) {
	f, ch, m := newFake(t), NewChan[int](0), NewMutex(Poison)
	early := f.arm(fib(1))
	parkedRecv(f, ch, 2)
	other := NewChan[int](0)
	parkedSend(f, other, 2, 1)
	if _, err := m.TryLock(fib(5)); err != nil {
		t.Fatal(err)
	}
	if err := m.ParkLock(f.arm(fib(6)), fib(6)); err != nil {
		t.Fatal(err)
	}
	for name, park := range map[string]func(){
		"receive":         func() { _ = ch.ParkRecv(early, 0) },
		"send":            func() { _ = other.ParkSend(early, 1, 0) },
		"lock":            func() { _ = m.ParkLock(early, fib(1)) },
		"zero":            func() { _ = ch.ParkRecv(fiber.Ticket{}, 0) },
		"select, receive": func() { _ = NewSelect(RecvFrom(ch)).Park(early) },
		"select, send":    func() { _ = NewSelect(SendTo(other, 1)).Park(early) },
	} {
		if e := broken(park); e == nil || e.Rule.String() != "I11" {
			t.Errorf("%s: got %v, want I11", name, e)
		}
	}
	if e := broken(func() { NewChan[int](-1) }); e == nil || e.Op != "make" {
		t.Errorf("negative capacity: got %v", e)
	}
}

// broken runs do and returns the contract error it panics with, or nil.
func broken(do func()) (e *ContractError) {
	defer func() { e, _ = recover().(*ContractError) }()
	do()
	return nil
}
