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
	visit uint64 // odd while it rests there
	outlook

	// Others look at these all the time.
	_      [64]byte
	asks   atomic.Pointer[worker[T]] // who asks this one for fibers
	rich   atomic.Bool               // asking may help
	_      [64]byte
	answer atomic.Pointer[parcel[T]] // nil while it wants none
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
	w.stop = w.s.Steps().KillAll
	return w
}

// outlook is what the others need to know of a worker that rests.
type outlook struct {
	finished bool // nothing here goes on unless another worker does
	full     bool // there is no room for more fibers
	joins    bool // one here waits for the end of one that has moved out
	away     int  // how many more have moved out than in
}

// foresee is what the verdict means to the others.
func (w *worker[T]) foresee(v scheduler.Verdict) outlook {
	n := w.s.Inspect().Counts()
	return outlook{
		finished: v.Kind != scheduler.Waiting || v.OnlyMoved,
		full:     w.vacancy() <= 0,
		joins:    v.OnlyMoved,
		away:     int(n.MovedOut - n.MovedIn),
	}
}

// run is the loop of the worker: its own fibers first, then what others have.
func (w *worker[T]) run(ctx context.Context) error {
	l := w.s.Steps().Begin(ctx)
	defer l.Close()
	w.heed(l)
	for {
		if w.s.Poll() {
			w.batch(l)
			continue
		}
		w.heed(l)
		v := w.s.Steps().IdleVerdictWithReport()
		switch {
		case v.Kind == scheduler.Busy:
		case w.stopping:
			if over, err := l.Finished(v); over {
				return err
			}
		case w.findsWork():
		case w.rest(ctx, v):
			w.s.Steps().ReportUnobserved()
			return w.deadlock(v)
		}
	}
}

// deadlock is that of a worker in a pool that is over, or nil.
func (w *worker[T]) deadlock(v scheduler.Verdict) error {
	if v.OnlyMoved {
		return &scheduler.DeadlockError{Report: w.s.Inspect().Report()}
	}
	return v.Err()
}

// batch runs what the last Poll found ready.
func (w *worker[T]) batch(l *scheduler.Loop) {
	s, m, left := w.s, w.machine, w.left
	for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
		for s.Finish(m.Resume(s, f)) {
		}
		if l.Stopping() {
			w.heed(l)
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

// heed ends everything, here and on the other workers, if something has ended the run.
func (w *worker[T]) heed(l *scheduler.Loop) {
	if l.CheckStop(); !w.stopping && l.StopCause() != nil {
		w.stopping = true
		w.stop(l.StopCause())
	}
}

// ready is how many fibers wait for their turn, between two slices.
func (w *worker[T]) ready() int { return w.s.Inspect().Live() - w.s.Inspect().Blocked() }

// vacancy is how many more fibers the scheduler is sure to take.
func (w *worker[T]) vacancy() int {
	return w.limit - w.s.Inspect().Live() - int(w.s.Inspect().Counts().Retired)
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
	switch w.pool.hall.enter(w, w.foresee(v)) {
	case allOver:
		return true
	case sleeps:
		w.s.Steps().WaitForInput(ctx, v.Until)
		over = w.pool.hall.leave(w)
	}
	w.receive()
	return over
}
