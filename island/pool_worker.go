package island

import (
	"context"
	"math/rand/v2"
	"sync/atomic"

	"github.com/selvage-dev/selvage/scheduler"
)

// worker is a scheduler, the goroutine that owns it, and what it needs to take part in
// stealing (steal.go).
type worker[T any] struct {
	pool    *Pool[T]
	index   int
	s       *scheduler.Scheduler[T]
	machine scheduler.Machine[T]
	rng     *rand.Rand
	limit   int                     // of living fibers
	isle    *Island                 // nil without a registry
	stop    context.CancelCauseFunc // ends the run

	// The owner's.
	left     int    // slices until it looks up
	looks    uint32 // how often it has
	stopping bool   // everything here is to unwind
	wrecked  bool   // its Machine panicked
	shy      uint32 // until which look it sends nothing, for it had nothing that may move
	spare    *parcel[T]

	// Under the lock of the hall.
	visit    uint64 // odd while it rests there
	finished bool   // of its own, nothing can go on

	// Others look at these all the time.
	_      [64]byte
	asks   atomic.Pointer[worker[T]] // who asks this one for fibers
	rich   atomic.Bool               // asking may help
	_      [64]byte
	answer atomic.Pointer[parcel[T]] // nil while it wants none
	room   atomic.Int32              // for how many
	_      [64]byte
}

func newWorker[T any](p *Pool[T], index int) *worker[T] {
	cfg := p.cfg.scheduler(index)
	w := &worker[T]{
		pool: p, index: index, left: p.cfg.Preempt, limit: cfg.MaxFibers,
		s:       scheduler.New[T](cfg),
		machine: p.cfg.Machine(index),
		rng:     rand.New(rand.NewPCG(p.cfg.Seed, uint64(index))),
	}
	w.stop = w.s.KillAll
	return w
}

// run is the loop of the worker: its own fibers first, then what others have.
func (w *worker[T]) run(ctx context.Context) error {
	l := w.s.Begin(ctx)
	defer l.End()
	for {
		if w.s.Poll() {
			w.batch(l)
			continue
		}
		w.heed(l)
		v := w.s.Idle()
		switch {
		case v.Kind == scheduler.Busy:
		case w.stopping:
			w.stop(l.Ending())
			if over, err := l.Over(v); over {
				return err
			}
		case w.findsWork():
		case w.rest(ctx, v):
			if over, err := l.Over(v); over {
				return err
			}
		}
	}
}

// batch runs what the last Poll found ready.
func (w *worker[T]) batch(l *scheduler.Loop) {
	s, m, left := w.s, w.machine, w.left
	for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
		for s.Finish(m.Resume(s, f)) {
		}
		if left--; left <= 0 {
			left = w.pool.cfg.Preempt
			w.lookUp(l)
		}
	}
	w.left = left
}

// seldom is every how many looks a worker asks what costs more.
const seldom = 16

// lookUp is between two slices: others may want something.
func (w *worker[T]) lookUp(l *scheduler.Loop) {
	if w.stopping {
		return
	}
	w.share()
	if w.looks++; w.looks%seldom == 0 {
		if w.heed(l); !w.stopping {
			w.takeIn(1, true) // what waits outside must not starve
		}
	}
}

// heed ends everything if something has ended the run.
func (w *worker[T]) heed(l *scheduler.Loop) {
	if l.Heed(); l.Ending() != nil {
		w.stopping = true
	}
}

// ready is how many fibers wait for their turn, between two slices.
func (w *worker[T]) ready() int { return w.s.Live() - w.s.Blocked() }

// vacancy is how many more fibers the scheduler is sure to take.
func (w *worker[T]) vacancy() int {
	return w.limit - w.s.Live() - int(w.s.Counts().Retired)
}

// findsWork looks for fibers outside and with others.
func (w *worker[T]) findsWork() bool {
	w.setRich(false)
	w.give(w.asks.Load())
	share := int(w.pool.hall.waiting.Load())/len(w.pool.workers) + 1
	return w.takeIn(share, false) || w.steal()
}

// takeIn spawns at most n of those that wait outside.
func (w *worker[T]) takeIn(n int, front bool) (some bool) {
	for ; n > 0 && w.pool.hall.waiting.Load() > 0 && w.vacancy() > 0; n-- {
		data, ok := w.pool.hall.take()
		if !ok {
			break
		}
		if _, err := w.s.SpawnWith(data, scheduler.Options{Front: front, Movable: true}); err != nil {
			panic(err) // it has room, and is not stopping
		}
		some = true
	}
	return some
}

// rest sleeps in the hall until there is something to do, and tells whether the pool is over.
func (w *worker[T]) rest(ctx context.Context, v scheduler.Verdict) (over bool) {
	w.wantFibers()
	switch w.pool.hall.enter(w, v.Kind != scheduler.Waiting) {
	case allOver:
		return true
	case sleeps:
		w.s.Park(ctx, v.Until)
		over = w.pool.hall.leave(w)
	}
	w.receive()
	return over
}
