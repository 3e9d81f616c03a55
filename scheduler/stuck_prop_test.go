package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

// randomWaits is fibers that wait for each other at random, and their model.
type randomWaits struct {
	*testScheduler
	kinds   []int // what its fibers do
	model   *future
	rng     *rand.Rand
	ids     []fiber.RegularID
	cells   []*ioqueue.Cell
	mutex   [3]wait.Mutex
	permits *wait.Semaphore
	table   wait.RWMutex
	ch      wait.Chan[int]
}

const (
	semaphoreThing = 3
	tableThing     = 4
	allReaders     = 100
)

func newRandomWaits(t testing.TB, seed uint64) *randomWaits {
	w := &randomWaits{testScheduler: newTestScheduler(t, Config{}), rng: rand.New(rand.NewPCG(seed, 0)), model: new(future)}
	size := 1 + w.rng.IntN(3)
	w.permits = wait.NewSemaphore(int64(size))
	w.kinds = w.rng.Perm(7)[:2+w.rng.IntN(3)]
	fibers := 3 + w.rng.IntN(4)
	for _, size := range []int{1, 1, 1, size, allReaders} {
		w.model.things = append(w.model.things, units{free: size, held: make([]int, fibers)})
	}
	w.model.fibers = make([]fate, fibers)
	for range fibers {
		cell := new(ioqueue.Cell)
		id, err := w.SpawnWith(0, Options{Cell: cell})
		if err != nil {
			t.Fatal(err)
		}
		w.ids, w.cells = append(w.ids, id), append(w.cells, cell)
	}
	return w
}

// act runs a random operation of fiber n, in the scheduler and the model.
func (w *randomWaits) act(n int) {
	w.mount(w.ids[n])
	w.Claim()
	reason, timeout := fiber.OnQueue(), w.rng.IntN(6) == 0
	if timeout {
		reason = reason.WithDeadline(1000)
	}
	var blocked bool
	switch thing := w.kinds[w.rng.IntN(len(w.kinds))]; {
	case thing <= tableThing && w.model.things[thing].held[n] > 0:
		if w.rng.IntN(2) == 0 {
			w.giveBack(n, thing)
			w.model.release(n, thing)
		}
	case thing < semaphoreThing:
		m := &w.mutex[thing]
		w.model.take(n, thing, 1, timeout)
		blocked = w.acquire(reason, func() (bool, error) { return m.TryLock(w.Current()) },
			func(t fiber.Ticket) error { return m.ParkLock(t, w.ids[n].ID()) }, m.Source())
	case thing == semaphoreThing:
		k := 1 + w.rng.IntN(int(w.permits.Size()))
		w.model.take(n, thing, k, timeout)
		blocked = w.acquire(reason, func() (bool, error) { return w.permits.TryAcquire(w.Current(), int64(k)) },
			func(t fiber.Ticket) error { return w.permits.ParkAcquire(t, w.ids[n].ID(), int64(k)) }, w.permits.Source())
	case thing == tableThing && w.rng.IntN(2) == 0:
		w.model.take(n, thing, allReaders, timeout)
		blocked = w.acquire(reason, func() (bool, error) { return w.table.TryLock(w.Current()) },
			func(t fiber.Ticket) error { return w.table.ParkLock(t, w.ids[n].ID()) }, w.table.Source())
	case thing == tableThing:
		w.model.take(n, thing, 1, timeout)
		blocked = w.acquire(reason, func() (bool, error) { return w.table.TryRLock(w.Current()) },
			func(t fiber.Ticket) error { return w.table.ParkRLock(t, w.ids[n].ID()) }, w.table.Source())
	case thing == 5:
		w.model.fibers[n] = fate{anyone: true, timeout: timeout}
		blocked = w.acquire(reason, func() (bool, error) { return false, nil },
			func(t fiber.Ticket) error { return w.ch.ParkRecv(t, 0) }, w.ch.Source())
	default:
		blocked = w.join(n, reason, timeout)
	}
	if !blocked {
		w.YieldCurrent()
	}
}

// acquire takes something or waits for it.
func (w *randomWaits) acquire(r fiber.Reason, try func() (bool, error), park func(fiber.Ticket) error, src fiber.Source) (blocked bool) {
	w.t.Helper()
	if ok, err := try(); ok || err != nil {
		w.must(err)
		return false
	}
	t := w.Arm(r, src)
	w.must(park(t))
	w.Block()
	return true
}

// join waits for the end of one or two others.
func (w *randomWaits) join(n int, r fiber.Reason, timeout bool) bool {
	var cases []wait.Case
	targets := []int{}
	for range 1 + w.rng.IntN(2) {
		if target := w.rng.IntN(len(w.ids)); target != n && !w.model.fibers[target].ended {
			j, err := wait.JoinOn(w.cells[target], w.ids[n].ID())
			w.must(err)
			cases, targets = append(cases, j), append(targets, target)
		}
	}
	if len(targets) == 0 {
		return false
	}
	w.model.fibers[n] = fate{joins: targets, timeout: timeout}
	s := wait.NewSelect(cases...)
	t := w.Arm(r, s.Sources(nil)...)
	w.must(s.Park(t))
	w.Block()
	return true
}

func (w *randomWaits) giveBack(n, thing int) {
	var wakes []fiber.Wakeup
	var err error
	id := w.ids[n].ID()
	switch thing {
	case semaphoreThing:
		wakes, err = w.permits.Release(id, w.permits.Held(id), nil)
	case tableThing:
		if w.table.Writer() == id {
			wakes, err = w.table.Unlock(id, nil)
		} else {
			wakes, err = w.table.RUnlock(id, nil)
		}
	default:
		var up fiber.Wakeup
		up, err = w.mutex[thing].Unlock(id)
		if !up.IsZero() {
			wakes = append(wakes, up)
		}
	}
	w.must(err)
	for _, up := range wakes {
		w.Deliver(up.Ticket, up.Result)
	}
}

func (w *randomWaits) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// stuckNow are the fibers that the report has in its groups.
func (w *randomWaits) stuckNow() (stuck []int) {
	r := w.Inspect().Report()
	for i := range r.Stuck {
		for _, f := range r.Stuck[i].Fibers {
			stuck = append(stuck, int(f.ID.Index()))
		}
	}
	slices.Sort(stuck)
	return stuck
}

func TestAStuckFiberRunsInNoFuture(t *testing.T) {
	found, missed, exact := 0, 0, 0
	worlds := uint64(2000)
	if testing.Short() {
		worlds = 400
	}
	for seed := range worlds {
		w := newRandomWaits(t, seed)
		w.runRandomly(seed)
		stuck, never := w.stuckNow(), w.model.neverRun()
		for _, n := range stuck {
			if !slices.Contains(never, n) {
				t.Fatalf("seed %d: fiber %d is reported stuck and can run:\n%v", seed, n, w.Inspect().Report())
			}
		}
		if w.model.exact() {
			exact++
			if !slices.Equal(stuck, never) {
				t.Fatalf("seed %d: %v are reported stuck, %v are:\n%v", seed, stuck, never, w.Inspect().Report())
			}
		}
		found, missed = found+len(stuck), missed+len(never)-len(stuck)
	}
	t.Logf("%d stuck fibers were reported, %d not yet; %d worlds had to be exact", found, missed, exact)
	if least := int(worlds) / 2; found < least || missed > found/10 || exact < least {
		t.Fatal("that proves little")
	}
}

// runRandomly runs random operations, and compares which fibers run in the scheduler and the model.
func (w *randomWaits) runRandomly(seed uint64) {
	w.t.Helper()
	for range 4 + w.rng.IntN(40) {
		n := w.rng.IntN(len(w.ids))
		if w.model.fibers[n].runs() {
			w.act(n)
		}
		if state := w.Inspect().State(w.ids[n].ID()); (state == fiber.Blocked) == w.model.fibers[n].runs() {
			w.t.Fatalf("seed %d: fiber %d is %v, its model: %+v", seed, n, state, w.model.fibers[n])
		}
	}
}
