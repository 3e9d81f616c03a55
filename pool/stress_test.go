package pool

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
)

// stressFiber is written without a lock by each worker that runs it, so that the race detector
// notices if it runs on two workers at once.
type stressFiber struct {
	rnd   *rand.Rand
	steps int
	ended atomic.Int32 // how often Options.Ended was called
	alone atomic.Bool  // runs
	joins *ioqueue.Cell
	waits bool // for that
	main  bool
}

// stressRun is what the fibers of one round share.
type stressRun struct {
	t      *testing.T
	budget atomic.Int64 // how many more are spawned
	until  int64        // what is left of it when the round is cut short
	cut    func()
	short  atomic.Bool // the next fiber on any worker spawns the main fiber, which returns
	joined atomic.Int64
	inside atomic.Int64 // were spawned by others
	pool   *Pool[*stressFiber]

	mu  sync.Mutex
	all []*stressFiber
}

// make is a new stressFiber, nil if there have been enough.
func (a *stressRun) make(seed uint64) *stressFiber {
	left := a.budget.Add(-1)
	if left == a.until {
		a.cut()
	}
	if left < 0 {
		return nil
	}
	n := &stressFiber{rnd: rand.New(rand.NewPCG(seed, uint64(left)))}
	a.mu.Lock()
	a.all = append(a.all, n)
	a.mu.Unlock()
	return n
}

func (a *stressRun) spawn(s *scheduler.Scheduler[*stressFiber], rnd *rand.Rand) {
	if n := a.make(rnd.Uint64()); n != nil {
		a.put(s, n, scheduler.Options{Front: rnd.IntN(3) > 0, Movable: rnd.IntN(4) > 0})
	}
}

func (a *stressRun) put(s *scheduler.Scheduler[*stressFiber], n *stressFiber, o scheduler.Options) bool {
	o.Ended = func(any, error) { n.ended.Add(1) }
	_, err := s.SpawnWith(n, o)
	if err != nil {
		n.ended.Add(1) // there is no room, or the round is cut short
		return false
	}
	a.inside.Add(1)
	return true
}

// pair spawns one that may go anywhere, and one that waits at home for its end.
func (a *stressRun) pair(s *scheduler.Scheduler[*stressFiber], rnd *rand.Rand) {
	goes, joiner := a.make(rnd.Uint64()), a.make(rnd.Uint64())
	cell := new(ioqueue.Cell)
	if goes == nil || !a.put(s, goes, scheduler.Options{Movable: true, Cell: cell}) {
		cell = nil
	}
	if joiner != nil {
		joiner.joins = cell
		a.put(s, joiner, scheduler.Options{Front: rnd.IntN(2) > 0})
	}
}

// join goes on when the other has ended, wherever that was; some wait for it a while only.
func (a *stressRun) join(s *scheduler.Scheduler[*stressFiber], n *stressFiber) fiber.Outcome {
	if n.waits {
		if _, r := s.Claim(); r.Code == fiber.OK && !n.joins.Completed() {
			a.t.Error("a joiner woke before the end")
		}
		return done
	}
	if n.joins.Completed() {
		return done
	}
	n.waits = true
	by := fiber.Never
	if n.rnd.IntN(4) == 0 {
		by = s.Now().After(time.Duration(n.rnd.IntN(50_000)))
	}
	if err := n.joins.Park(s.Arm(fiber.OnQueue().WithDeadline(by), n.joins.Source()), 0); err != nil {
		a.t.Error(err)
	}
	a.joined.Add(1)
	return fiber.BlockOn(fiber.OnQueue())
}

// step is a slice: anything at random.
func (a *stressRun) step(s *scheduler.Scheduler[*stressFiber], n *stressFiber) fiber.Outcome {
	if !n.alone.CompareAndSwap(false, true) {
		a.t.Error("a fiber runs twice at once")
	}
	defer n.alone.Store(false)
	n.steps++
	if n.main {
		return done
	}
	if a.short.CompareAndSwap(true, false) {
		// If there is no room, the next fiber tries again.
		a.short.Store(!a.put(s, &stressFiber{main: true}, scheduler.Options{Main: true, Front: true}))
		return done
	}
	if n.joins != nil {
		return a.join(s, n)
	}
	switch roll := n.rnd.IntN(100); {
	case roll < 37:
		a.spawn(s, n.rnd)
		a.spawn(s, n.rnd)
	case roll < 40:
		a.pair(s, n.rnd)
	case roll < 45:
		return fiber.BlockOn(fiber.Until(s.Now().After(time.Duration(n.rnd.IntN(50_000)))))
	case roll < 50:
		if id, err := s.Inspect().Lookup(fiber.Raw(n.rnd.IntN(64))); err == nil {
			_ = s.Kill(id, nil)
		}
	case roll < 53:
		if id, err := s.Inspect().Lookup(fiber.Raw(n.rnd.IntN(64))); err == nil {
			_ = s.Cancel(id, nil)
		}
	case roll < 75:
		return again
	}
	return done
}

func stressPool(t *testing.T, round uint64) {
	rnd := rand.New(rand.NewPCG(round, 0))
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	a := &stressRun{t: t, until: math.MinInt64}
	a.cut = func() { cancel(errors.New("cut short")) }
	size := 2000 + rnd.Int64N(3000)
	if round%2 == 1 {
		a.until = rnd.Int64N(size)
	}
	if round%4 == 1 {
		a.cut = func() { a.short.Store(true) }
	}
	a.budget.Store(size)
	var dropped atomic.Int64
	var islands *island.Registry
	if round%3 == 0 {
		islands = new(island.Registry)
	}
	a.pool, _ = New(Config[*stressFiber]{
		Registry: islands,
		Workers:  2 + int(round)%7, CheckEvery: 1 + rnd.IntN(40), Queue: 8,
		Scheduler: func(int) scheduler.Config { return scheduler.Config{MaxFibers: 20 + 200*int(round%3)} },
		Machine: func(int) scheduler.Machine[*stressFiber] {
			return scheduler.MachineFunc[*stressFiber](func(s *scheduler.Scheduler[*stressFiber], f *scheduler.Fiber[*stressFiber]) fiber.Outcome {
				return a.step(s, f.Data)
			})
		},
		Dropped: func(*stressFiber) { dropped.Add(1) },
	})
	for _, w := range a.pool.workers {
		w.rng = rand.New(rand.NewPCG(round, uint64(w.index))) // another order of victims each round
	}
	strangers := a.disturb(round)
	posted := a.feed(round)
	err := a.pool.Run(ctx)
	strangers()
	a.check(err, posted(), int(dropped.Load()))
	t.Logf("round %d: %d waited for others' ends", round, a.joined.Load())
}

// feed spawns from outside until there have been enough, or the pool is over. What it
// returns waits for that, and tells how many were taken in.
func (a *stressRun) feed(seed uint64) (posted func() []*stressFiber) {
	release := a.pool.Hold()
	var outside []*stressFiber
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		defer release()
		for n := a.make(seed); n != nil; n = a.make(seed) {
			err := a.pool.Spawn(n)
			for errors.Is(err, ErrFull) {
				runtime.Gosched()
				err = a.pool.Spawn(n)
			}
			if err != nil {
				n.ended.Add(1)
				return
			}
			outside = append(outside, n)
		}
	}()
	return func() []*stressFiber {
		<-fed
		return outside
	}
}

// disturb sends the workers, if they are islands, forged wakes and cancels of fibers that may
// live there, until the pool has ended. What it returns waits for that.
func (a *stressRun) disturb(seed uint64) (wait func()) {
	var all sync.WaitGroup
	all.Go(func() {
		rnd := rand.New(rand.NewPCG(seed, 1))
		for isl := a.pool.Island(0); isl != nil; isl = a.pool.Island(rnd.IntN(len(a.pool.workers))) {
			id := fiber.NewRegularID(uint32(rnd.IntN(64)), uint32(1+rnd.IntN(64))).ID()
			cmd := island.Cancel(isl.Address(), id, "cancelled from outside")
			if rnd.IntN(8) > 0 {
				cmd = island.Wake(isl.Address(), fiber.Ticket{ID: id, Seq: rnd.Uint64()}, fiber.Result{})
			}
			if err := isl.Post(cmd); errors.Is(err, island.ErrDown) {
				return
			}
			runtime.Gosched()
		}
	})
	return all.Wait
}

// check compares what became of all fibers. The ends of those from outside are not reported;
// they are counted.
func (a *stressRun) check(err error, posted []*stressFiber, dropped int) {
	if a.until < 0 && err != nil || err != nil && !errors.Is(err, context.Canceled) {
		a.t.Errorf("the pool ended with %v", err)
	}
	unheard := 0
	for _, n := range a.all {
		switch ended := n.ended.Load(); {
		case ended == 0:
			unheard++
		case ended > 1:
			a.t.Errorf("a fiber ended %d times", ended)
		}
	}
	n := checkConserved(a.t, a.pool)
	if n.Spawned != n.Ended || unheard != len(posted) {
		a.t.Errorf("%+v; %d ends were not reported, %d were spawned from outside", n, unheard, len(posted))
	}
	if taken := len(posted) - dropped; n.Spawned != uint64(a.inside.Load())+uint64(taken) {
		a.t.Errorf("%d were spawned: %d inside, and %d were taken in of %d", n.Spawned, a.inside.Load(), taken, len(posted))
	}
	if dropped > 0 && a.until < 0 {
		a.t.Errorf("%d were dropped", dropped)
	}
}

func TestAPoolUnderTheHammerLosesNothingAndRunsNothingTwice(t *testing.T) {
	for round := uint64(0); !t.Failed() && round < uint64(long.Cases(16, 16)); round++ {
		stressPool(t, round)
		if t.Failed() {
			t.Logf("in round %d", round)
		}
	}
}
