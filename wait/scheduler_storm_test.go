package wait_test

import (
	"math/rand/v2"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// storm is a real scheduler whose fibers use every object at random, while any fiber may
// be killed or cancelled at any step and most waits have a deadline. Whatever happens,
// no wait of the dead stays registered, no lock keeps a dead owner, and every value is
// accounted for (I10, I12).
type storm struct {
	t     *testing.T
	s     *scheduler.Scheduler[sailor]
	clock *scheduler.VirtualClock
	rng   *rand.Rand
	alive []fiber.RegularID
	cells []*ioqueue.Cell
	steps int
	lost  uint64
	ends  ends
	values
	objects
}

// ends counts how the waits for each thing ended; Killed: their fiber died and did not
// learn how.
type ends map[string]map[fiber.Code]int

func (e ends) note(what string, code fiber.Code) {
	if e[what] == nil {
		e[what] = map[fiber.Code]int{}
	}
	e[what][code]++
}

// sailor is a fiber: what it does when its wait has ended, and what it thinks it holds.
type sailor struct {
	then  func(t fiber.Ticket, res fiber.Result)
	holds *holding
}

// objects are one of everything.
type objects struct {
	chans [3]*wait.Chan[int]
	ever  []*wait.Chan[int] // the closed ones too
	locks [2]*wait.Mutex
	cond  *wait.Cond // of locks[1]
	rw    *wait.RWMutex
	sem   *wait.Semaphore
	onces [2]*wait.Once
	timer *wait.Timer
	known []source
}

// source is the scheduler's side of an object.
type source interface {
	fiber.Described
	Waiting() int
}

func newStorm(t *testing.T, seed uint64, ends ends) *storm {
	w := &storm{t: t, ends: ends, clock: scheduler.NewVirtualClock(), rng: rand.New(rand.NewPCG(seed, 1))}
	w.s = scheduler.New[sailor](scheduler.Config{Clock: w.clock, Seed: seed, Grace: 20})
	w.values = values{told: map[int]bool{}, came: map[int]int{}}
	for i, capacity := range []int{0, 1, 4} {
		w.open(i, capacity)
	}
	w.locks = [2]*wait.Mutex{wait.NewMutex(wait.Poison), wait.NewMutex(wait.HandOver)}
	w.cond, w.rw, w.sem = wait.NewCond(w.locks[1]), wait.NewRWMutex(wait.HandOver), wait.NewSemaphore(4)
	w.onces = [2]*wait.Once{wait.NewOnce(wait.Poison), new(wait.Once)}
	w.timer = new(wait.Timer)
	for _, o := range []interface{ Source() fiber.Source }{w.locks[0], w.locks[1], w.cond, w.rw, w.sem, w.onces[0], w.onces[1], w.timer} {
		w.known = append(w.known, o.Source().(source))
	}
	return w
}

func (w *storm) open(i, capacity int) {
	ch := wait.NewChan[int](capacity)
	ch.OnLost(func(v int) { w.came[v]++ })
	w.chans[i], w.ever = ch, append(w.ever, ch)
}

func (w *storm) chance(n int) bool { return w.rng.IntN(n) == 0 }

// run lets n steps happen, then kills all and looks at what is left.
func (w *storm) run(n int) {
	for w.steps < n {
		for len(w.alive) < 12 {
			w.spawn()
		}
		w.disturb()
		if f := w.s.ScheduleNext(); f != nil {
			w.resume(f)
		} else if !w.s.Poll() {
			w.clock.Advance(w.clock.Now() + 1)
			w.strike()
		}
		if w.chance(64) {
			w.s.Inspect().Verify()
		}
	}
	w.s.Steps().KillAll(nil)
	for w.s.Poll() || w.s.HasWork() {
		if f := w.s.ScheduleNext(); f != nil {
			w.resume(f)
		}
	}
	w.calm()
}

func (w *storm) spawn() {
	var id fiber.RegularID
	cell, h := new(ioqueue.Cell), new(holding)
	id, err := w.s.SpawnWith(sailor{holds: h}, scheduler.Options{Frames: w.chance(2), Cell: cell, Ended: func(any, error) { w.gone(id, h) }})
	if err != nil {
		w.t.Fatal(err)
	}
	w.alive = append(w.alive, id)
	w.cells = append(w.cells[max(0, len(w.cells)-8):], cell)
}

// disturb does to a fiber, now and then, what may happen to it at any moment.
func (w *storm) disturb() {
	if w.chance(6) {
		w.strike()
	}
	if w.chance(4) {
		w.clock.Advance(w.clock.Now() + 1)
	}
}

func (w *storm) strike() {
	w.steps++
	id := w.alive[w.rng.IntN(len(w.alive))].ID()
	if w.chance(2) {
		_ = w.s.Kill(id, nil)
	} else {
		_ = w.s.Cancel(id, nil)
	}
}

// resume runs a fiber until it blocks, yields or ends.
func (w *storm) resume(f *scheduler.Fiber[sailor]) {
	for {
		w.steps++
		if w.s.Unwind().KillPending(w.s.Current()) {
			w.s.KillCurrent() // unclaimed: what it was given goes back
			return
		}
		if then := f.Data.then; then != nil {
			t, res := w.s.Claim()
			w.ends.note(f.Data.holds.waits, res.Code)
			f.Data.then, f.Data.holds.waits = nil, ""
			then(t, res)
		}
		switch w.rng.IntN(16) {
		case 0:
			w.s.YieldCurrent()
			return
		case 1:
			if !f.Data.holds.nothing() {
				continue // who ends well gives back first
			}
			w.s.KillCurrent()
			return
		}
		if w.act(f) {
			return
		}
		if w.chance(16) {
			w.strike() // itself, perhaps
		}
	}
}

// block waits for what park registers, and tells whether the fiber left the CPU.
func (w *storm) block(what string, f *scheduler.Fiber[sailor], park func(fiber.Ticket) error, then func(fiber.Ticket, fiber.Result), on ...fiber.Source) bool {
	r := fiber.OnQueue()
	if !w.chance(4) {
		r = r.WithDeadline(w.s.Now() + fiber.Time(w.rng.IntN(8)))
	}
	t := w.s.Arm(r, on...)
	if err := park(t); err != nil {
		w.t.Fatalf("park: %v", err)
	}
	f.Data.holds.wait, f.Data.holds.waits, f.Data.then = t, what, then
	if w.chance(8) {
		w.strike() // and so, perhaps, hand it what it waits for before it blocks
	}
	return w.s.Block().LeavesCPU()
}

func (w *storm) wakes(all ...fiber.Wakeup) {
	for _, x := range all {
		if !x.IsZero() && !w.s.Deliver(x.Ticket, x.Result).Accepted() {
			w.t.Fatalf("%v was decided to wake and could not", x.Ticket)
		}
	}
}

// gone is called for each death, with the scheduler in the middle of it.
func (w *storm) gone(id fiber.RegularID, h *holding) {
	for i, x := range w.alive {
		if x == id {
			w.alive = append(w.alive[:i], w.alive[i+1:]...)
			break
		}
	}
	if h.waits != "" {
		w.ends.note(h.waits, fiber.Killed)
	}
	w.forgotten(h.wait)
}

// forgotten: the last wait of a dead fiber is unknown.
func (w *storm) forgotten(t fiber.Ticket) {
	for _, ch := range w.ever {
		if ch.Source().Holds(t) {
			w.t.Fatalf("%v of a dead fiber is registered with %v", t, ch.Source().(fiber.Described).Describe())
		}
	}
	for _, s := range w.known {
		if s.Holds(t) {
			w.t.Fatalf("%v of a dead fiber is registered with %v", t, s.Describe())
		}
	}
	for _, c := range w.cells {
		if c.Source().Holds(t) {
			w.t.Fatalf("%v of a dead fiber is registered with %v", t, c.Source().(fiber.Described).Describe())
		}
	}
}

// calm checks what is left after the last death.
func (w *storm) calm() {
	w.s.Inspect().Verify()
	if n := w.s.Inspect().Counts(); w.s.Inspect().Live() != 0 || n.Spawned != n.Ended {
		w.t.Fatalf("%d alive, %+v", w.s.Inspect().Live(), n)
	}
	for _, s := range w.known {
		if s.Waiting() > 0 || len(s.Holders(nil)) > 0 {
			w.t.Fatalf("%v, held by %v, and all are dead", s.Describe(), s.Holders(nil))
		}
	}
	if w.sem.Free() != w.sem.Size() {
		w.t.Fatalf("%v", w.sem.Source().(fiber.Described).Describe())
	}
	w.lost = w.s.Inspect().Counts().Lost
	w.settle()
}

func TestInAStormNoWaitOutlivesItsFiberAndNothingIsLostUnseen(t *testing.T) {
	runs := uint64(long.Cases(30, 30))
	steps, lost, ends := 0, uint64(0), ends{}
	for seed := range runs {
		w := newStorm(t, seed, ends)
		w.run(10_000)
		steps += w.steps
		lost += w.lost
	}
	t.Logf("%d steps, %d fibers died with something assigned, waits ended: %v", steps, lost, ends)
	if lost < 100 {
		t.Errorf("only %d fibers died with something assigned", lost)
	}
	every := []fiber.Code{fiber.OK, fiber.TimedOut, fiber.Cancelled, fiber.Killed}
	for what, codes := range map[string][]fiber.Code{
		"send": append(every, fiber.Closed), "receive": append(every, fiber.Closed), "select": append(every, fiber.Closed),
		"mutex": append(every, fiber.Failed), "once": append(every, fiber.Failed), "cond": every, "rwmutex": every, "semaphore": every,
		"join": every, "group": every, "timer": every, "select with a timer": append(every, fiber.Closed),
	} {
		for _, code := range codes {
			if n := ends[what][code]; n < 20 {
				t.Errorf("only %d waits for %s ended with %v", n, what, code)
			}
		}
	}
}
