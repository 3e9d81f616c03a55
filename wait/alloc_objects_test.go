package wait

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

func addMoreLocks(turns map[string]func(), tk *ticketer, must func(bool)) {
	f1, f2, f3 := fib(1), fib(2), fib(3)
	var wakes [4]fiber.Wakeup
	rw := new(RWMutex)
	turns["rwmutex read"] = func() {
		ok, _ := rw.TryRLock(f1)
		_, err := rw.RUnlock(f1, wakes[:0])
		must(ok && err == nil)
	}
	turns["rwmutex handed over"] = func() {
		_, _ = rw.TryLock(f1)
		reader, writer := tk.next(), tk.next()
		must(rw.ParkRLock(reader, f2) == nil && rw.ParkLock(writer, f3) == nil)
		_, _ = rw.Unlock(f1, wakes[:0])
		_, _ = rw.RUnlock(f2, wakes[:0])
		must(rw.Collect(reader) && rw.Collect(writer))
		_, err := rw.Unlock(f3, wakes[:0])
		must(err == nil)
	}
	turns["rwmutex writer withdrawn"] = func() {
		_, _ = rw.TryRLock(f1)
		writer, reader := tk.next(), tk.next()
		must(rw.ParkLock(writer, f2) == nil && rw.ParkRLock(reader, f3) == nil)
		must(len(rw.Source().Withdraw(writer, wakes[:0])) == 1 && rw.Collect(reader))
		_, _ = rw.RUnlock(f1, wakes[:0])
		_, _ = rw.RUnlock(f3, wakes[:0])
	}
	sem := NewSemaphore(4)
	turns["semaphore uncontended"] = func() {
		ok, _ := sem.TryAcquire(f1, 2)
		_, err := sem.Release(f1, 2, wakes[:0])
		must(ok && err == nil)
	}
	turns["semaphore handed over"] = func() {
		_, _ = sem.TryAcquire(f1, 3)
		t := tk.next()
		must(sem.ParkAcquire(t, f2, 2) == nil)
		_, _ = sem.Release(f1, 3, wakes[:0])
		n, ok := sem.Collect(t)
		_, err := sem.Release(f2, 2, wakes[:0])
		must(ok && n == 2 && err == nil)
	}
	turns["semaphore withdrawn"] = func() {
		_, _ = sem.TryAcquire(f1, 3)
		t := tk.next()
		must(sem.ParkAcquire(t, f2, 2) == nil && len(sem.Source().Withdraw(t, wakes[:0])) == 0)
		_, _ = sem.Release(f1, 3, wakes[:0])
	}
	addConds(turns, tk, must)
}

func addConds(turns map[string]func(), tk *ticketer, must func(bool)) {
	f1, f2 := fib(1), fib(2)
	var wakes [4]fiber.Wakeup
	m := new(Mutex)
	c := NewCond(m)
	turns["cond signaled"] = func() {
		_, _ = m.TryLock(f1)
		t := tk.next()
		_, err := c.ParkWait(t, f1)
		_, _ = m.TryLock(f2)
		must(err == nil && c.Signal().IsZero())
		w, _ := m.Unlock(f2)
		must(w.Ticket == t && c.Collect(t))
		_, _ = m.Unlock(f1)
	}
	turns["cond withdrawn"] = func() {
		_, _ = m.TryLock(f1)
		t := tk.next()
		_, _ = c.ParkWait(t, f1)
		must(len(c.Source().Withdraw(t, wakes[:0])) == 0 && !c.Source().Holds(t))
	}
	turns["once"] = func() {
		var o Once
		run, _, _ := o.TryRun(f1)
		t := tk.next()
		must(run && o.ParkRun(t, f2) == nil)
		all, err := o.Finish(f1, wakes[:0])
		must(len(all) == 1 && err == nil && !o.Collect(t))
	}
}

func addTimers(turns map[string]func(), tk *ticketer, must func(bool)) {
	tm, now := new(Timer), fiber.Time(0)
	wakes := make([]fiber.Wakeup, 0, 1)
	turns["timer set, waited for and fired"] = func() {
		now++
		tm.Reset(now)
		must(tm.ParkWait(tk.next()) == nil)
		wakes = tm.Alarm().Due(now, wakes[:0])
		must(len(wakes) == 1 && tm.Fired())
	}
	turns["timer waited for in vain"] = func() {
		t := tk.next()
		tm.Reset(now + 1)
		must(tm.ParkWait(t) == nil && len(tm.Source().Withdraw(t, nil)) == 0 && !tm.Source().Holds(t))
	}
	turns["timer set and stopped"] = func() {
		tm.Reset(now + 1)
		must(tm.Stop())
	}
}

func addGroups(turns map[string]func(), tk *ticketer, must func(bool)) {
	var cells [3]ioqueue.Cell
	var joins [3]Join
	for i := range cells {
		cells[i].SetOwner(fib(i + 1))
		joins[i], _ = JoinOn(&cells[i], fib(9))
	}
	var sources [4]fiber.Source
	var ids [4]fiber.ID
	g := new(Group)
	for _, goal := range []Goal{All, FirstError, Any} {
		turns[fmt.Sprintf("group, goal %d", goal)] = func() {
			g.Reset(goal, joins[:]...)
			t := tk.next()
			_, done := g.Try()
			all := g.Sources(sources[:0])
			must(!done && g.Park(t) == nil)
			for _, s := range all {
				s.Withdraw(t, nil)
			}
			must(len(g.Unfinished(ids[:0])) == 3)
		}
	}
}

// A batch of readers costs the same for each, however many there are.
func BenchmarkReadersLetIn(b *testing.B) {
	for _, n := range []struct {
		name    string
		readers int
	}{{"1 reader", 1}, {"1000 readers", 1000}, {"100000 readers", 100_000}} {
		b.Run(n.name, func(b *testing.B) {
			var tk ticketer
			m, writer := new(RWMutex), fib(1)
			tickets, wakes := make([]fiber.Ticket, n.readers), make([]fiber.Wakeup, 0, n.readers)
			for b.Loop() {
				_, _ = m.TryLock(writer)
				for i := range tickets {
					tickets[i] = tk.next()
					_ = m.ParkRLock(tickets[i], fib(i+2))
				}
				wakes, _ = m.Unlock(writer, wakes[:0])
				for i, t := range tickets {
					_ = m.Collect(t)
					_, _ = m.RUnlock(fib(i+2), nil)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n.readers), "ns/reader")
		})
	}
}
