package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/ioqueue"
)

// followed is the states that the entries of a recording lead to.
type followed struct {
	t      *testing.T
	states map[fiber.Raw]fiber.State
	n      uint64
	broken bool // entries were overwritten
	// answers, if not nil, says what record returns, and whether it flushes first.
	answers func() (each, flush bool)
	core    *Core
}

func newFollowed(t *testing.T) *followed {
	return &followed{t: t, states: map[fiber.Raw]fiber.State{}}
}

func (f *followed) record(entries []Entry, _ bool, _ int) bool {
	for _, e := range entries {
		from, known := f.states[e.Fiber()]
		if !known {
			from = fiber.Dead
		}
		// A mounting leaves no entry.
		if from == fiber.Runnable && e.From() == fiber.Running {
			from = fiber.Running
		}
		if from != e.From() && !f.broken {
			f.t.Fatalf("entry %d is of %d in %v, which was %v", f.n, e.Fiber(), e.From(), from)
		}
		f.states[e.Fiber()] = e.To()
		f.n++
	}
	if f.answers == nil {
		return false
	}
	each, flush := f.answers()
	if flush {
		f.core.Inspect().Flush()
	}
	return each
}

// compare holds the states against the scheduler's.
func (f *followed) compare(c *Core) {
	f.t.Helper()
	c.Inspect().Flush()
	if f.n+c.Inspect().Unrecorded() != c.Inspect().Transitions() {
		f.t.Fatalf("%d entries and %d lost of %d", f.n, c.Inspect().Unrecorded(), c.Inspect().Transitions())
	}
	for raw, state := range f.states {
		id, err := c.Inspect().Lookup(raw)
		now := fiber.Dead
		if err == nil {
			now = c.Inspect().State(id)
		}
		if now != state && (now != fiber.Running || state != fiber.Runnable) {
			f.t.Fatalf("%v is %v, not %v", id, now, state)
		}
	}
}

func TestARecordingOfAnyCallsHasEachTransition(t *testing.T) {
	for seed := range uint64(long.Cases(500, 5_000)) {
		f := newFollowed(t)
		random := rand.New(rand.NewPCG(seed, 3))
		f.answers = func() (each, flush bool) { return random.IntN(4) > 0 == (seed%4 < 2), random.IntN(4) == 0 }
		s := New[int](Config{
			MaxFibers: 8, MaxTokens: 4, MaxTimers: 8, MaxTrampolines: 4, MaxCommands: 8,
			Record: f.record, OneByOne: seed%2 == 0,
			Site: func(id fiber.RegularID) string { return "site of " + id.String() },
		})
		f.core = &s.Core
		w := randomWorld(s)
		w.Made, w.Refused = map[string]int{}, map[string]int{}
		if err := w.Play(rand.New(rand.NewPCG(seed, 2)), 150); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		f.compare(&s.Core)
		if n := s.Inspect().Unrecorded(); n > 0 {
			t.Fatalf("seed %d: %d transitions were not recorded", seed, n)
		}
	}
}

// A slice may spawn, wake and call as often as it likes.
func TestALongSliceLosesNoEntry(t *testing.T) {
	f := newFollowed(t)
	g := newTestScheduler(t, Config{Record: f.record})
	const n = 1_000
	root := g.spawnReady(Options{})
	g.mount(root)
	for round := range 3 { // slots are new in the first
		var tickets []fiber.Ticket
		for range n {
			if _, err := g.Spawn(round); err != nil {
				t.Fatal(err)
			}
		}
		for range n {
			g.AcquireTrampoline()
			g.ReleaseTrampoline(topCall(g))
		}
		g.YieldCurrent()
		for id := g.next(); id != root; id = g.next() {
			ticket, _ := g.BlockForQueue()
			tickets = append(tickets, ticket)
		}
		for _, ticket := range tickets {
			g.Deliver(ticket, ok)
		}
		g.YieldCurrent()
		for id := g.next(); id != root; id = g.next() {
			g.Claim()
			g.KillCurrent()
		}
		f.compare(&g.Core)
	}
	if f.n < 3*5*n || g.Inspect().Unrecorded() != 0 {
		t.Fatalf("%d entries, %d lost", f.n, g.Inspect().Unrecorded())
	}
}

// topCall is the innermost native call of the current fiber.
func topCall(g *testScheduler) fiber.TrampolineID {
	id, _ := g.Inspect().Executing().Trampoline()
	return id
}

// Fibers that Fork puts in front of a batch make it longer than the history: what is lost is counted.
func TestALongBatchCountsWhatItLoses(t *testing.T) {
	f := newFollowed(t)
	f.broken = true
	g := newTestScheduler(t, Config{Record: f.record})
	for range 200 {
		g.spawnReady(Options{Frames: true})
	}
	g.Poll()
	for g.ScheduleNext() != nil {
		if g.Inspect().Live() < 1_000 {
			for range 4 {
				if _, err := g.Fork(0); err != nil {
					t.Fatal(err)
				}
			}
		}
		g.YieldCurrent()
	}
	f.compare(&g.Core)
}

// With OneByOne a fiber runs between two calls of Record, and what comes from outside is marked.
func TestOneByOneHasARecordAfterEachSlice(t *testing.T) {
	var slices, calls int
	g := newTestScheduler(t, Config{OneByOne: true, Record: func(entries []Entry, between bool, _ int) bool {
		if between {
			calls++
			return true
		}
		for _, e := range entries {
			if e.From() == fiber.Running {
				slices++
			}
		}
		if slices > calls {
			t.Fatalf("%d slices in %d turns", slices, calls)
		}
		return true
	}})
	for range 40 {
		g.spawnReady(Options{})
	}
	for range 5 * 40 {
		g.next()
		g.YieldCurrent()
	}
	g.Inspect().Flush()
	if slices != 200 {
		t.Fatalf("%d slices", slices)
	}
}

// What a fiber's end wakes comes after the slice, and is marked as made by no fiber that runs.
func TestWhatTheEndOfAFiberWakesIsDetached(t *testing.T) {
	var detached []fiber.Raw
	g := newTestScheduler(t, Config{Record: func(entries []Entry, _ bool, _ int) bool {
		for _, e := range entries {
			if e.Detached() && e.From() == fiber.Blocked {
				detached = append(detached, e.Fiber())
			}
		}
		return false
	}})
	cell := new(ioqueue.Cell)
	joined := g.spawnReady(Options{Cell: cell})
	joiner := g.spawnJoiner(cell)
	g.mount(joined)
	g.KillCurrent()
	g.Inspect().Flush()
	if len(detached) != 1 || detached[0] != joiner.ID.Raw() {
		t.Fatalf("%v, not %v", detached, joiner)
	}
}

// What commands do is marked, whether Record looks at each turn or not, and the fast paths of slices and commands
// are the same.
func TestWhatComesFromOutsideIsMarked(t *testing.T) {
	for _, each := range []bool{false, true} {
		var got, want []bool
		g := newTestScheduler(t, Config{Record: func(entries []Entry, between bool, _ int) bool {
			for range entries {
				got = append(got, between)
			}
			return each
		}})
		noted := func(outside bool) {
			for uint64(len(want)) < g.Inspect().Transitions() {
				want = append(want, outside)
			}
		}
		g.spawnReady(Options{})
		noted(false) // by the host, before the loop
		random := rand.New(rand.NewPCG(1, 2))
		for range 2_000 {
			if random.IntN(8) == 0 {
				if err := g.Inbox().Do(func() { g.spawnReady(Options{}) }); err != nil {
					t.Fatal(err)
				}
			}
			g.Poll()
			noted(true)
			for g.ScheduleNext() != nil {
				if random.IntN(8) == 0 {
					g.spawnReady(Options{})
				}
				if g.Inspect().Live() > 8 {
					g.KillCurrent()
				} else {
					g.YieldCurrent()
				}
			}
			noted(false)
		}
		g.Inspect().Flush()
		if !slices.Equal(got, want) {
			t.Fatalf("each %v: %d entries, %d", each, len(got), len(want))
		}
	}
}
