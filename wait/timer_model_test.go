package wait_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// almanac is what is to happen, as the dumbest thing it can be: one list, sorted by
// instant and then by registration.
type almanac struct {
	entries []entry
	number  int
}

// entry is the deadline of a timer or of a fiber's wait.
type entry struct {
	at     fiber.Time
	number int
	timer  *dial    // nil for a wait
	fiber  fiber.ID // of the wait
}

func (a *almanac) add(e entry) {
	a.number++
	e.number = a.number
	a.entries = append(a.entries, e)
	slices.SortStableFunc(a.entries, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.number, y.number))
	})
}

func (a *almanac) remove(which func(entry) bool) { a.entries = slices.DeleteFunc(a.entries, which) }

// dial is a timer and what is known of it.
type dial struct {
	*wait.Timer
	set, fired bool
	waiting    []fiber.ID
}

// sleeper is a blocked fiber: what it waits for, and how that has to end.
type sleeper struct {
	on    []*dial
	kind  fiber.Kind
	sel   *wait.Select
	ended fiber.Code
	by    int // the case
}

// harbour is a real scheduler with a virtual clock beside the almanac.
type harbour struct {
	t     *testing.T
	s     *scheduler.Scheduler[struct{}]
	clock *scheduler.VirtualClock
	rng   *rand.Rand
	almanac
	dials    []*dial
	sleepers map[fiber.ID]*sleeper
	waits    []fiber.ID // the blocked ones
	woken    []fiber.ID // in the order they have to run
}

// Few enough timers and fibers that the wheel's stale entries never make a crowd, so
// that every verdict is exact.
const someDials, someSleepers = 12, 16

func newHarbour(t *testing.T, seed uint64) *harbour {
	h := &harbour{t: t, clock: scheduler.NewVirtualClock(), rng: rand.New(rand.NewPCG(seed, 7)), sleepers: map[fiber.ID]*sleeper{}}
	h.s = scheduler.New[struct{}](scheduler.Config{Clock: h.clock})
	for range someDials {
		h.dials = append(h.dials, &dial{Timer: new(wait.Timer)})
	}
	return h
}

// instant is near or far, past now and then, and often one that was given out before:
// so deadlines are equal, and pass through every level of the wheel together.
func (h *harbour) instant() fiber.Time {
	switch n := len(h.entries); {
	case n > 0 && h.rng.IntN(2) == 0:
		return h.entries[h.rng.IntN(n)].at
	case h.rng.IntN(16) == 0:
		return h.clock.Now() - fiber.Time(h.rng.IntN(3))
	}
	return h.clock.Now() + fiber.Time(h.rng.Int64N(1<<h.rng.IntN(40)))
}

func (h *harbour) dial() *dial { return h.dials[h.rng.IntN(len(h.dials))] }

func (h *harbour) reset() {
	d, at := h.dial(), h.instant()
	won := d.Reset(at)
	h.s.Attachments().SetAlarm(d.Timer.Alarm())
	h.changed(d, won, true)
	h.add(entry{at: at, timer: d})
}

func (h *harbour) stop() {
	d := h.dial()
	won := d.Stop()
	h.s.Attachments().SetAlarm(d.Timer.Alarm())
	h.changed(d, won, false)
}

func (h *harbour) changed(d *dial, won, set bool) {
	if won != d.set {
		h.t.Fatalf("came before it fired: %v, want %v", won, d.set)
	}
	d.set, d.fired = set, false
	h.remove(func(e entry) bool { return e.timer == d })
}

// sleep blocks a new fiber: for an instant, for a timer, or for one of two, each of
// those with a deadline or without.
func (h *harbour) sleep() {
	if len(h.waits) == someSleepers {
		return
	}
	w, r := &sleeper{kind: fiber.Queue}, fiber.OnQueue()
	switch h.rng.IntN(3) {
	case 0:
		w.kind, r = fiber.Timer, fiber.Until(h.instant())
	case 1:
		w.on = []*dial{h.dial()}
	case 2:
		w.on = []*dial{h.dial(), h.dial()}
	}
	if w.kind == fiber.Queue && h.rng.IntN(2) == 0 {
		r = r.WithDeadline(h.instant())
	}
	w.sel = new(wait.Select)
	var cases []wait.Case
	for _, d := range w.on {
		cases = append(cases, d.Timer)
	}
	w.sel.Reset(cases...)
	id := h.spawn()
	err := h.park(w, r)
	if ready := slices.ContainsFunc(w.on, func(d *dial) bool { return d.fired }); ready != errors.Is(err, wait.ErrReady) {
		h.t.Fatalf("parked: %v, with a timer that has fired: %v", err, ready)
	}
	if err != nil {
		h.s.Disarm()
		h.s.KillCurrent()
		return
	}
	h.s.Block()
	h.sleepers[id] = w
	h.waits = append(h.waits, id)
	for _, d := range w.on {
		d.waiting = append(d.waiting, id)
	}
	if r.Deadline != fiber.Never {
		h.add(entry{at: r.Deadline, fiber: id})
	}
}

// park arms and registers the current fiber's wait.
func (h *harbour) park(w *sleeper, r fiber.Reason) error {
	return w.sel.Park(h.s.Arm(r, w.sel.Sources(nil)...))
}

// spawn runs a new fiber.
func (h *harbour) spawn() fiber.ID {
	id, err := h.s.Spawn(struct{}{})
	if err != nil || h.s.ScheduleNext() == nil && (!h.s.Poll() || h.s.ScheduleNext() == nil) || h.s.Current() != id.ID() {
		h.t.Fatalf("%v does not run: %v", id, err)
	}
	return id.ID()
}

// kill ends a fiber's wait by force.
func (h *harbour) kill() {
	if len(h.waits) == 0 {
		return
	}
	id := h.waits[h.rng.IntN(len(h.waits))]
	h.over(id, fiber.Killed, 0)
	if err := h.s.Kill(id, nil); err != nil {
		h.t.Fatal(err)
	}
}

// over takes a wait out of the model.
func (h *harbour) over(id fiber.ID, code fiber.Code, by int) {
	same := func(x fiber.ID) bool { return x == id }
	h.waits = slices.DeleteFunc(h.waits, same)
	for _, d := range h.dials {
		d.waiting = slices.DeleteFunc(d.waiting, same)
	}
	h.remove(func(e entry) bool { return e.timer == nil && e.fiber == id })
	h.sleepers[id].ended, h.sleepers[id].by = code, by
	if code != fiber.Killed {
		h.woken = append(h.woken, id)
	}
}

// pass lets the clock go on, and compares who wakes with what the almanac says.
func (h *harbour) pass() {
	now := h.instant()
	if h.rng.IntN(2) == 0 && len(h.entries) > 0 {
		now = h.entries[0].at
	}
	h.clock.Advance(now)
	h.settle()
}

// settle polls, and runs the fibers that are due.
func (h *harbour) settle() {
	h.predict(h.clock.Now())
	h.s.Poll()
	var ready []fiber.ID
	for id := range h.s.Inspect().Ready() {
		ready = append(ready, id.ID())
	}
	if !slices.Equal(ready, h.woken) {
		h.t.Fatalf("at %v the fibers %v wake, want %v", h.clock.Now(), ready, h.woken)
	}
	for range h.woken {
		h.resume()
	}
	h.woken = h.woken[:0]
}

func (h *harbour) predict(now fiber.Time) {
	for len(h.entries) > 0 && h.entries[0].at <= now {
		e := h.entries[0]
		h.entries = h.entries[1:]
		switch d := e.timer; {
		case d != nil:
			d.set, d.fired = false, true
			for len(d.waiting) > 0 {
				id := d.waiting[0]
				h.over(id, fiber.OK, slices.Index(h.sleepers[id].on, d))
			}
		case h.sleepers[e.fiber].kind == fiber.Timer:
			h.over(e.fiber, fiber.OK, -1)
		default:
			h.over(e.fiber, fiber.TimedOut, -1)
		}
	}
}

func (h *harbour) resume() {
	for h.s.ScheduleNext() == nil {
		h.s.Poll()
	}
	t, res := h.s.Claim()
	w := h.sleepers[t.ID]
	by, ok := w.sel.Collect(t, res)
	if res.Code != w.ended || w.kind == fiber.Queue && (by != w.by || ok != (by >= 0)) {
		h.t.Fatalf("the wait of %v ended with %v by case %d, want %v by %d", t.ID, res.Code, by, w.ended, w.by)
	}
	delete(h.sleepers, t.ID)
	h.s.KillCurrent()
}

// verdict compares what the idle scheduler says it waits for.
func (h *harbour) verdict() {
	want, until := scheduler.Deadlock, fiber.Never
	awaited := slices.ContainsFunc(h.entries, func(e entry) bool { return e.timer == nil || len(e.timer.waiting) > 0 })
	switch {
	case len(h.waits) == 0:
		want = scheduler.Done
	case awaited:
		want, until = scheduler.Waiting, h.entries[0].at
	}
	if v := h.s.Steps().IdleVerdictWithReport(); v.Kind != want || v.Until != until {
		h.t.Fatalf("%v until %v, want %v until %v", v.Kind, v.Until, want, until)
	}
}

// Timers and waits are set, reset, stopped, killed and come due at random; the model is
// a sorted list.
func TestTimersFireInTheOrderOfASortedList(t *testing.T) {
	seeds, steps := uint64(long.Cases(25, 25)), 5000
	fired := 0
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			h := newHarbour(t, seed)
			acts := []func(){h.reset, h.reset, h.reset, h.stop, h.sleep, h.sleep, h.sleep, h.sleep, h.kill, h.pass, h.pass}
			for range steps {
				h.settle() // what has passed already when it is set is due now
				acts[h.rng.IntN(len(acts))]()
				h.settle()
				h.verdict()
			}
			h.s.Inspect().Verify()
			fired += h.number - len(h.entries)
		})
	}
	t.Logf("%d steps, %d deadlines passed or were withdrawn", seeds*uint64(steps), fired)
}
