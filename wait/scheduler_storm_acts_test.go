package wait_test

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// holding is what a fiber thinks it holds, and its last wait.
type holding struct {
	wait  fiber.Ticket
	locks [2]bool
	reads bool
	write bool
	sem   int64
	onces [2]bool
	waits string // for what, until it has claimed how that ended
}

func (h *holding) nothing() bool { return *h == holding{wait: h.wait} }

// values is what became of each value that was sent.
type values struct {
	next int
	told map[int]bool // what its sender was told, if it lived to hear it
	came map[int]int  // how often it was received or reached the hook
}

// settle: a value accepted came once, one refused never, and no value twice.
func (w *storm) settle() {
	for _, ch := range w.chans {
		w.drain(ch)
	}
	for v := 1; v <= w.next; v++ {
		told, heard := w.told[v]
		if n := w.came[v]; n > 1 || heard && told != (n == 1) {
			w.t.Fatalf("value %d: its sender was told %v (%v), and it came %d times", v, told, heard, n)
		}
	}
}

// act is one random operation; true: the fiber has left the CPU.
func (w *storm) act(f *scheduler.Fiber[sailor]) bool {
	acts := [...]func(*scheduler.Fiber[sailor]) bool{
		w.send, w.send, w.recv, w.recv, w.choose, w.lock, w.lock, w.unlock, w.unlock, w.await, w.signal,
		w.write, w.read, w.read, w.leave, w.acquire, w.acquire, w.release, w.once, w.finish, w.join, w.group,
		w.setTimer, w.waitTimer, w.close,
	}
	return acts[w.rng.IntN(len(acts))](f)
}

func (w *storm) aChan() *wait.Chan[int] { return w.chans[w.rng.IntN(len(w.chans))] }

func (w *storm) send(f *scheduler.Fiber[sailor]) bool {
	ch := w.aChan()
	w.next++
	v := w.next
	ok, wake, err := ch.TrySend(v)
	w.wakes(wake)
	if ok || err != nil {
		w.told[v] = ok
		return false
	}
	return w.block("send", f, func(t fiber.Ticket) error { return ch.ParkSend(t, v, 0) },
		func(_ fiber.Ticket, res fiber.Result) { w.told[v] = res.Code == fiber.OK }, ch.Source())
}

func (w *storm) recv(f *scheduler.Fiber[sailor]) bool {
	ch := w.aChan()
	v, status, wake := ch.TryRecv()
	w.wakes(wake)
	if status == wait.Received {
		w.came[v]++
		return false
	}
	return w.block("receive", f, func(t fiber.Ticket) error { return ch.ParkRecv(t, 0) }, func(t fiber.Ticket, res fiber.Result) {
		if v, ok := ch.Collect(t); ok {
			w.came[v]++
		}
	}, ch.Source())
}

// close closes a channel now and then, takes what is left in it, and opens another.
func (w *storm) close(*scheduler.Fiber[sailor]) bool {
	if i := w.rng.IntN(len(w.chans)); w.chance(3) {
		ch := w.chans[i]
		wakes, err := ch.Close(nil)
		if err != nil {
			w.t.Fatal(err)
		}
		w.wakes(wakes...)
		w.drain(ch)
		w.open(i, ch.Cap())
	}
	return false
}

func (w *storm) drain(ch *wait.Chan[int]) {
	for v, status, wake := ch.TryRecv(); status == wait.Received; v, status, wake = ch.TryRecv() {
		w.came[v]++
		w.wakes(wake)
	}
}

func (w *storm) choose(f *scheduler.Fiber[sailor]) bool {
	w.next++
	v := w.next
	in, out := wait.RecvFrom(w.aChan()), wait.SendTo(w.aChan(), v)
	s := wait.NewSelect(in, out)
	chosen := func(i int, ok bool) {
		w.told[v] = ok && i == 1 && out.Err() == nil
		if got, open := in.Value(); ok && i == 0 && open {
			w.came[got]++
		}
	}
	return w.sel("select", f, s, chosen)
}

// sel does a ready case of the select or waits for one, and tells which it was.
func (w *storm) sel(what string, f *scheduler.Fiber[sailor], s *wait.Select, chosen func(i int, ok bool)) bool {
	if i, wake, ok := s.Poll(w.s.Inspect().Random()); ok {
		w.wakes(wake)
		chosen(i, ok)
		return false
	}
	return w.block(what, f, s.Park, func(t fiber.Ticket, res fiber.Result) { chosen(s.Collect(t, res)) }, s.Sources(nil)...)
}

// owns notes what the fiber got, and has the scheduler tell of its death.
func (w *storm) owns(hook fiber.OwnerHook, note *bool) {
	*note = true
	w.s.Attachments().Own(hook)
}

func (w *storm) disowns(hook fiber.OwnerHook, note *bool) {
	*note = false
	w.s.Attachments().Disown(hook)
}

func (w *storm) lock(f *scheduler.Fiber[sailor]) bool {
	i, id := w.rng.IntN(2), w.s.Current()
	m, note := w.locks[i], &f.Data.holds.locks[i]
	ok, err := m.TryLock(id)
	switch {
	case ok:
		w.owns(m.OwnerHook(), note)
		return false
	case err != nil:
		if *note != errors.Is(err, wait.ErrDoubleLock) {
			w.t.Fatalf("%v, holds it: %v", err, *note)
		}
		m.Repair()
		return false
	}
	return w.block("mutex", f, func(t fiber.Ticket) error { return m.ParkLock(t, id) }, func(t fiber.Ticket, res fiber.Result) {
		if m.Collect(t) {
			w.owns(m.OwnerHook(), note)
		}
	}, m.Source())
}

func (w *storm) unlock(f *scheduler.Fiber[sailor]) bool {
	i, id := w.rng.IntN(2), w.s.Current()
	wake, err := w.locks[i].Unlock(id)
	if note := &f.Data.holds.locks[i]; *note != (err == nil) {
		w.t.Fatalf("%v, holds it: %v", err, *note)
	} else if err == nil {
		w.disowns(w.locks[i].OwnerHook(), note)
		w.wakes(wake)
	}
	return false
}

func (w *storm) await(f *scheduler.Fiber[sailor]) bool {
	note, id := &f.Data.holds.locks[1], w.s.Current()
	if !*note {
		return false
	}
	return w.block("cond", f, func(t fiber.Ticket) error {
		wake, err := w.cond.ParkWait(t, id)
		w.disowns(w.locks[1].OwnerHook(), note)
		w.wakes(wake)
		return err
	}, func(t fiber.Ticket, res fiber.Result) {
		if w.cond.Collect(t) {
			w.owns(w.locks[1].OwnerHook(), note)
		}
	}, w.cond.Source())
}

func (w *storm) signal(*scheduler.Fiber[sailor]) bool {
	if w.chance(3) {
		w.wakes(w.cond.Broadcast())
	} else {
		w.wakes(w.cond.Signal())
	}
	return false
}

func (w *storm) write(f *scheduler.Fiber[sailor]) bool {
	return w.enter(f, &f.Data.holds.write, w.rw.TryLock, w.rw.ParkLock)
}

func (w *storm) read(f *scheduler.Fiber[sailor]) bool {
	return w.enter(f, &f.Data.holds.reads, w.rw.TryRLock, w.rw.ParkRLock)
}

func (w *storm) enter(f *scheduler.Fiber[sailor], note *bool, try func(fiber.ID) (bool, error), park func(fiber.Ticket, fiber.ID) error) bool {
	id := w.s.Current()
	ok, err := try(id)
	switch {
	case ok:
		w.owns(w.rw.OwnerHook(), note)
		return false
	case err != nil:
		if !f.Data.holds.reads && !f.Data.holds.write {
			w.t.Fatalf("%v, holds nothing", err)
		}
		return false
	}
	return w.block("rwmutex", f, func(t fiber.Ticket) error { return park(t, id) }, func(t fiber.Ticket, res fiber.Result) {
		if w.rw.Collect(t) {
			w.owns(w.rw.OwnerHook(), note)
		}
	}, w.rw.Source())
}

func (w *storm) leave(f *scheduler.Fiber[sailor]) bool {
	note, unlock := &f.Data.holds.reads, w.rw.RUnlock
	if f.Data.holds.write {
		note, unlock = &f.Data.holds.write, w.rw.Unlock
	}
	wakes, err := unlock(w.s.Current(), nil)
	if *note != (err == nil) {
		w.t.Fatalf("%v, holds it: %v", err, *note)
	} else if err == nil {
		w.disowns(w.rw.OwnerHook(), note)
		w.wakes(wakes...)
	}
	return false
}

func (w *storm) acquire(f *scheduler.Fiber[sailor]) bool {
	h, n, id := f.Data.holds, w.rng.Int64N(4)+1, w.s.Current()
	has := func(n int64) {
		if h.sem += n; h.sem == n {
			w.s.Attachments().Own(w.sem.OwnerHook())
		}
	}
	if ok, _ := w.sem.TryAcquire(id, n); ok {
		has(n)
		return false
	}
	return w.block("semaphore", f, func(t fiber.Ticket) error { return w.sem.ParkAcquire(t, id, n) }, func(t fiber.Ticket, res fiber.Result) {
		if n, ok := w.sem.Collect(t); ok {
			has(n)
		}
	}, w.sem.Source())
}

func (w *storm) release(f *scheduler.Fiber[sailor]) bool {
	h, n, id := f.Data.holds, w.rng.Int64N(4)+1, w.s.Current()
	wakes, err := w.sem.Release(id, n, nil)
	if (n > h.sem) != (err != nil) || w.sem.Held(id) != h.sem-n && err == nil {
		w.t.Fatalf("gives back %d of %d: %v", n, h.sem, err)
	} else if err == nil {
		if h.sem -= n; h.sem == 0 {
			w.s.Attachments().Disown(w.sem.OwnerHook())
		}
		w.wakes(wakes...)
	}
	return false
}

func (w *storm) once(f *scheduler.Fiber[sailor]) bool {
	i, id := w.rng.IntN(2), w.s.Current()
	o, note := w.onces[i], &f.Data.holds.onces[i]
	run, done, err := o.TryRun(id)
	switch {
	case run:
		w.owns(o.OwnerHook(), note)
		return false
	case done || err != nil:
		if *note != errors.Is(err, wait.ErrReentered) {
			w.t.Fatalf("%v, runs it: %v", err, *note)
		}
		o.Repair()
		return false
	}
	return w.block("once", f, func(t fiber.Ticket) error { return o.ParkRun(t, id) }, func(t fiber.Ticket, res fiber.Result) {
		if o.Collect(t) {
			w.owns(o.OwnerHook(), note)
		}
	}, o.Source())
}

// finish ends a run, nearly always badly, so that the storm does not run out of them.
func (w *storm) finish(f *scheduler.Fiber[sailor]) bool {
	i := w.rng.IntN(2)
	end := w.onces[i].Fail
	if w.chance(100) {
		end = w.onces[i].Finish
	}
	wakes, err := end(w.s.Current(), nil)
	if note := &f.Data.holds.onces[i]; *note != (err == nil) {
		w.t.Fatalf("%v, runs it: %v", err, *note)
	} else if err == nil {
		w.disowns(w.onces[i].OwnerHook(), note)
		w.wakes(wakes...)
	}
	return false
}

func (w *storm) joinAny() wait.Join {
	j, err := wait.JoinOn(w.cells[w.rng.IntN(len(w.cells))], w.s.Current())
	if err != nil {
		return wait.Join{} // itself: it waits forever, if nothing else ends it
	}
	return j
}

func (w *storm) join(f *scheduler.Fiber[sailor]) bool {
	j := w.joinAny()
	if _, done, _ := j.Try(); done || j.Case().Source() == nil {
		return false
	}
	return w.block("join", f, func(t fiber.Ticket) error { return j.ParkJoin(t, 0) }, func(fiber.Ticket, fiber.Result) {}, j.Case().Source())
}

func (w *storm) group(f *scheduler.Fiber[sailor]) bool {
	goal := []wait.Goal{wait.All, wait.FirstError, wait.Any}[w.rng.IntN(3)]
	g := new(wait.Group)
	g.Reset(goal, w.joinAny(), w.joinAny(), w.joinAny())
	if _, done := g.Try(); done {
		return false
	}
	return w.block("group", f, g.Park, func(t fiber.Ticket, res fiber.Result) {
		if !g.Collect(t, res) && res.Code == fiber.OK {
			w.t.Fatalf("a group was woken and knows no reason")
		}
		for _, id := range g.Unfinished(nil) {
			if w.chance(8) {
				_ = w.s.Cancel(id, nil)
			}
		}
	}, g.Sources(nil)...)
}
