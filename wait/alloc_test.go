package wait

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// tickets numbers the waits of one fiber, for tests of cost.
type ticketer struct{ seq uint64 }

func (t *ticketer) next() fiber.Ticket {
	t.seq++
	return fiber.Ticket{ID: fiber.NewRegularID(1, 1).ID(), Seq: t.seq}
}

// turns are one turn each of what a fiber does over and over.
func turns(must func(bool)) map[string]func() {
	var tk ticketer
	rendezvous, buffered := NewChan[int](0), NewChan[int](64)
	ok := func(err error) { must(err == nil) }
	recvParked := func() {
		t := tk.next()
		ok(rendezvous.ParkRecv(t, 0))
		sent, w, _ := rendezvous.TrySend(1)
		must(sent && w.Ticket == t)
		_, got := rendezvous.Collect(t)
		must(got)
	}
	sendParked := func() {
		t := tk.next()
		ok(rendezvous.ParkSend(t, 1, 0))
		_, status, w := rendezvous.TryRecv()
		must(status == Received && w.Ticket == t)
	}
	through := func() {
		sent, _, _ := buffered.TrySend(1)
		_, status, _ := buffered.TryRecv()
		must(sent && status == Received)
	}
	timeout := func() {
		t := tk.next()
		ok(rendezvous.ParkRecv(t, 0))
		must(len(rendezvous.Source().Withdraw(t, nil)) == 0 && !rendezvous.Source().Holds(t))
	}
	turns := map[string]func(){
		"receiver parked": recvParked, "sender parked": sendParked, "buffered": through, "withdrawn": timeout,
	}
	addSelects(turns, &tk, must)
	addLocks(turns, &tk, must)
	addMoreLocks(turns, &tk, must)
	addGroups(turns, &tk, must)
	addTimers(turns, &tk, must)
	return turns
}

func addSelects(turns map[string]func(), tk *ticketer, must func(bool)) {
	a, b, c := NewChan[int](1), NewChan[string](1), NewChan[struct{}](0)
	in, out, quit := RecvFrom(a), SendTo(b, "x"), RecvFrom(c)
	var polled, parked Select
	rng := rand.New(rand.NewPCG(1, 2))
	turns["select polled"] = func() {
		in.Reset(a)
		polled.Reset(in, out, quit)
		_, _, _ = a.TrySend(1)
		_, _, ok := polled.Poll(rng)
		_, _, _ = a.TryRecv()
		_, _, _ = b.TryRecv()
		must(ok)
	}
	one, two := NewChan[int](0), NewChan[int](0)
	recv, send := RecvFrom(one), SendTo(two, 1)
	var sources [2]fiber.Source
	turns["select parked"] = func() {
		t := tk.next()
		parked.Reset(recv, send)
		all := parked.Sources(sources[:0])
		must(parked.Park(t) == nil)
		_, w, _ := one.TrySend(1)
		for _, s := range all {
			s.Withdraw(t, nil)
		}
		i, ok := parked.Collect(t, w.Result)
		v, open := recv.Value()
		must(ok && open && i == 0 && v == 1)
	}
}

func addLocks(turns map[string]func(), tk *ticketer, must func(bool)) {
	m := new(Mutex)
	f1, f2 := fib(1), fib(2)
	var wakes [1]fiber.Wakeup
	turns["lock uncontended"] = func() {
		ok, _ := m.TryLock(f1)
		_, err := m.Unlock(f1)
		must(ok && err == nil)
	}
	turns["lock handed over"] = func() {
		_, _ = m.TryLock(f1)
		t := tk.next()
		must(m.ParkLock(t, f2) == nil)
		_, _ = m.Unlock(f1)
		must(m.Collect(t))
		_, err := m.Unlock(f2)
		must(err == nil)
	}
	open, ended := new(ioqueue.Cell), new(ioqueue.Cell)
	_, _ = ended.Complete(nil, nil, nil)
	turns["join"] = func() {
		t := tk.next()
		waiting, _ := JoinOn(open, f1)
		must(waiting.ParkJoin(t, 0) == nil)
		open.Source().Withdraw(t, nil)
		over, _ := JoinOn(ended, f1)
		_, done, _ := over.Try()
		must(done)
	}
	turns["join until the end"] = func() {
		var cell ioqueue.Cell
		t := tk.next()
		j, _ := JoinOn(&cell, f1)
		must(j.ParkJoin(t, 0) == nil)
		woken, _ := cell.Complete(nil, nil, wakes[:0])
		must(len(woken) == 1 && woken[0].Ticket == t)
	}
	turns["lock waited for in vain"] = func() {
		_, _ = m.TryLock(f1)
		t := tk.next()
		must(m.ParkLock(t, f2) == nil && len(m.Source().Withdraw(t, nil)) == 0)
		_, _ = m.Unlock(f1)
	}
	turns["sleep"] = func() {
		_, err := Deadline(1, 2)
		must(err == nil)
	}
}

func TestNothingAllocatesInSteadyState(t *testing.T) {
	for name, turn := range turns(func(ok bool) {
		if !ok {
			t.Fatal("the turn went wrong")
		}
	}) {
		t.Run(name, func(t *testing.T) {
			if n := testing.AllocsPerRun(1000, turn); n != 0 {
				t.Errorf("%v allocations a turn", n)
			}
		})
	}
}

func Benchmark(b *testing.B) {
	for name, turn := range turns(func(ok bool) {
		if !ok {
			b.Fatal("the turn went wrong")
		}
	}) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				turn()
			}
		})
	}
}

// With many parked, a turn costs the same: nothing is searched from one end.
func BenchmarkManyParked(b *testing.B) {
	for _, parked := range []int{1, 1000, 100_000} {
		b.Run(strconv.Itoa(parked)+" receivers", func(b *testing.B) {
			var tk ticketer
			ch := NewChan[int](0)
			waits := make([]fiber.Ticket, 0, parked+1)
			for range parked {
				waits = append(waits, tk.next())
				_ = ch.ParkRecv(waits[len(waits)-1], 0)
			}
			i := 0
			for b.Loop() {
				_, w, _ := ch.TrySend(1)
				_, _ = ch.Collect(w.Ticket)
				waits[i] = tk.next()
				_ = ch.ParkRecv(waits[i], 0)
				i = (i + 1) % parked
			}
		})
	}
}
