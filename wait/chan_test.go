package wait

import (
	"errors"
	"math"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func TestARendezvousHandsTheValueOverAtOnce(t *testing.T) {
	f, ch := newFake(t), NewChan[int](0)
	is(t, "send without a receiver", send(f, ch, 1), false)
	r := parkedRecv(f, ch, 1)
	is(t, "send to the receiver", send(f, ch, 2), true)
	is(t, "code", f.claim(r).Code, fiber.OK)
	v, ok := ch.Collect(r)
	is(t, "collected", ok, true)
	is(t, "value", v, 2)
	_, again := ch.Collect(r)
	is(t, "collected twice", again, false)
}

func TestASenderWaitsUntilItsValueIsTaken(t *testing.T) {
	f, ch := newFake(t), NewChan[string](0)
	s := parkedSend(f, ch, 1, "x")
	is(t, "code before", f.claim(s).Code, fiber.Pending)
	v, status := recv(f, ch)
	is(t, "value", v, "x")
	is(t, "status", status, Received)
	is(t, "code after", f.claim(s).Code, fiber.OK)
}

func TestABufferKeepsTheOrderOfSendingAcrossItsEnd(t *testing.T) {
	f, ch := newFake(t), NewChan[int](3)
	next := 0
	for round := range 10 {
		for send(f, ch, 100*round+ch.Len()) {
		}
		is(t, "len", ch.Len(), 3)
		for range 1 + round%3 {
			if v, _ := recv(f, ch); v < next {
				t.Fatalf("received %d after %d", v, next)
			} else {
				next = v
			}
		}
	}
}

func TestABufferThatGrowsWhileItIsWrappedKeepsTheOrder(t *testing.T) {
	f, ch := newFake(t), NewChan[int](100)
	next, sent := 0, 0
	for ; sent < 90; next++ {
		for range 3 { // three in, one out: it wraps, and fills all the same
			is(t, "sent", send(f, ch, sent), true)
			sent++
		}
		v, _ := recv(f, ch)
		is(t, "value", v, next)
	}
	for ; ch.Len() > 0; next++ {
		v, _ := recv(f, ch)
		is(t, "value", v, next)
	}
	is(t, "received", next, sent)
}

func TestAValueThatWasTakenIsNotKeptAlive(t *testing.T) {
	f, ch := newFake(t), NewChan[*int](2)
	send(f, ch, new(int))
	parked := NewChan[*int](0)
	r := parkedRecv(f, parked, 1)
	send(f, parked, new(int))
	recv(f, ch)
	parked.Collect(r)
	for _, kept := range ch.buf.ring {
		is(t, "in the buffer", kept, nil)
	}
	_, again := parked.Collect(r)
	is(t, "with the receiver", again, false)
}

func TestALargeCapacityCostsNothingUntilItIsUsed(t *testing.T) {
	f, ch := newFake(t), NewChan[[64]byte](math.MaxInt)
	is(t, "sent", send(f, ch, [64]byte{1}), true)
	is(t, "cap", ch.Cap(), math.MaxInt)
	if n := len(ch.buf.ring); n > smallestBuffer {
		t.Errorf("one value took a ring of %d", n)
	}
}

// docs/design.md#defects: wake lost between try and register.
func TestParkingOnAReadyChannelIsRefusedSoThatNoWakeIsLost(t *testing.T) {
	f := newFake(t)
	full, empty, closed := NewChan[int](1), NewChan[int](1), NewChan[int](1)
	send(f, full, 1)
	closing(f, closed)
	sending, receiving := NewChan[int](0), NewChan[int](0)
	parkedSend(f, sending, 1, 1)
	parkedRecv(f, receiving, 2)
	for name, park := range map[string]func(fiber.Ticket) error{
		"receive from a buffer":        func(t fiber.Ticket) error { return full.ParkRecv(t, 0) },
		"receive from a parked sender": func(t fiber.Ticket) error { return sending.ParkRecv(t, 0) },
		"receive from a closed one":    func(t fiber.Ticket) error { return closed.ParkRecv(t, 0) },
		"send into a free buffer":      func(t fiber.Ticket) error { return empty.ParkSend(t, 1, 0) },
		"send to a parked receiver":    func(t fiber.Ticket) error { return receiving.ParkSend(t, 1, 0) },
		"send to a closed one":         func(t fiber.Ticket) error { return closed.ParkSend(t, 1, 0) },
	} {
		tk := f.arm(fib(3))
		if err := park(tk); !errors.Is(err, ErrReady) {
			t.Errorf("%s: got %v, want ErrReady", name, err)
		}
		for _, ch := range []*Chan[int]{full, empty, closed, sending, receiving} {
			is(t, name+": registered", ch.Source().Holds(tk), false)
		}
	}
}

// docs/design.md#defects: woken receiver robbed by a later one.
func TestAValueIsTheParkedReceiversEvenIfARunningOneAsksFirst(t *testing.T) {
	f, ch := newFake(t), NewChan[int](2)
	r1, r2 := parkedRecv(f, ch, 1), parkedRecv(f, ch, 2)
	send(f, ch, 10)
	_, status := recv(f, ch) // fiber 3 runs before 1 does
	is(t, "the running receiver finds", status, Empty)
	send(f, ch, 20)
	for _, want := range []struct {
		t fiber.Ticket
		v int
	}{{r2, 20}, {r1, 10}} { // collected out of order
		v, ok := ch.Collect(want.t)
		is(t, "collected", ok, true)
		is(t, "value", v, want.v)
	}
}

func TestARunningSenderCannotOvertakeAParkedOne(t *testing.T) {
	f, ch := newFake(t), NewChan[int](1)
	send(f, ch, 1)
	s := parkedSend(f, ch, 1, 2)
	v, _ := recv(f, ch)
	is(t, "first", v, 1)
	is(t, "the parked sender", f.claim(s).Code, fiber.OK)
	is(t, "a running sender finds room", send(f, ch, 3), false)
	v, _ = recv(f, ch)
	is(t, "second", v, 2)
}

// docs/design.md#defects: value delivered and also left in the buffer.
func TestAValueHandedOverIsNotAlsoInTheBuffer(t *testing.T) {
	f, ch := newFake(t), NewChan[int](4)
	r := parkedRecv(f, ch, 1)
	send(f, ch, 7)
	is(t, "buffered", ch.Len(), 0)
	v, _ := ch.Collect(r)
	is(t, "value", v, 7)
	_, status := recv(f, ch)
	is(t, "a second copy", status, Empty)
}

// docs/design.md#defects: zero-size element read as closed.
func TestZeroSizeAndNilValuesAreNotTheEnd(t *testing.T) {
	f := newFake(t)
	units := NewChan[struct{}](2)
	send(f, units, struct{}{})
	_, status := recv(f, units)
	is(t, "struct{}", status, Received)
	r := parkedRecv(f, units, 1)
	send(f, units, struct{}{})
	_, ok := units.Collect(r)
	is(t, "parked struct{}", ok, true)

	anys := NewChan[any](0)
	s := parkedSend(f, anys, 2, nil)
	v, status := recv(f, anys)
	is(t, "nil", v, nil)
	is(t, "status of nil", status, Received)
	is(t, "sender of nil", f.claim(s).Code, fiber.OK)
	closing(f, anys)
	_, status = recv(f, anys)
	is(t, "the end", status, Closed)
}

func TestANilChannelBlocksForever(t *testing.T) {
	f := newFake(t)
	var ch *Chan[int]
	ok, w, err := ch.TrySend(1)
	is(t, "sent", ok || !w.IsZero() || err != nil, false)
	_, status, w := ch.TryRecv()
	is(t, "received", status != Empty || !w.IsZero(), false)
	tk := f.arm(fib(1))
	is(t, "park", ch.ParkRecv(tk, 0), nil)
	is(t, "park", ch.ParkSend(tk, 1, 0), nil)
	_, ok = ch.Collect(tk)
	is(t, "collected", ok, false)
	is(t, "len+cap", ch.Len()+ch.Cap(), 0)
	is(t, "closed", ch.Closed(), false)
	is(t, "err", ch.Err(), nil)
	is(t, "source", ch.Source(), nil)
	r, s := ch.Waiting()
	is(t, "waiting", r+s, 0)
	if _, err := ch.Close(nil); !errors.Is(err, ErrNilChan) {
		t.Errorf("close: got %v, want ErrNilChan", err)
	}
}

// A host that counts memory finds all that a channel keeps: values in the buffer, and those that were
// assigned to receivers.
func TestTheSlotsOfAChannelHaveWhatItKeeps(t *testing.T) {
	kept := func(ch *Chan[string]) (all string) {
		for i := 0; ; i++ {
			v, more := ch.Slot(i)
			if !more {
				return all
			}
			all += v
		}
	}
	f, buffered := newFake(t), NewChan[string](20)
	for _, v := range []string{"a", "b", "c"} {
		is(t, "send to the buffer", send(f, buffered, v), true)
	}
	is(t, "kept in the buffer", kept(buffered), "abc")

	waited := NewChan[string](0)
	for fiber := range 3 {
		parkedRecv(f, waited, fiber+1)
	}
	for _, v := range []string{"d", "e"} {
		is(t, "send to a receiver", send(f, waited, v), true)
	}
	is(t, "kept for receivers", kept(waited), "de")
}
