package pool

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
)

// worker is a scheduler, the goroutine that owns it, and its part in stealing (steal.go). Before and
// after the run everything here belongs to the caller of New and Run.
type worker[T any] struct {
	// Never changed, except for stop and island, which are set before the goroutine needs them.
	pool      *Pool[T]
	index     int
	s         *scheduler.Scheduler[T]
	machine   scheduler.Machine[T]
	rng       *rand.Rand
	maxFibers int
	island    *island.Island          // nil without a Registry
	stop      context.CancelCauseFunc // ends the run of the pool

	// Used only by the worker's goroutine.
	slicesLeft int    // until the next check
	checks     uint64 // how many there were
	stopping   bool   // all fibers here are being killed
	crashed    bool   // the Machine panicked
	noPushTill uint64 // the check before which no fibers are sent: none could move last time
	// reusable is an empty batch for the next send; nil: the last one went to a thief.
	reusable *stolenBatch[T]

	// Guarded by the coordinator's lock.

	// idleEpoch is increased when the worker becomes idle, and when it wakes up: odd while it is
	// idle. A sender that took it off the list recognizes by it that the worker has woken up since.
	idleEpoch uint64
	idleState

	// Read and written by other workers all the time: each on a cache line of its own, so
	// that a victim that polls its request word does not slow down those that write replies.
	_        [64]byte
	thief    atomic.Pointer[worker[T]] // the worker that asks this one for fibers
	hasSpare atomic.Bool               // asking may succeed
	_        [64]byte
	// reply is nil while this worker wants no fibers, and so whenever it runs a slice. Else it is a
	// request of this worker, or the batch that has answered it.
	reply atomic.Pointer[stolenBatch[T]]
	_     [64]byte
}

func newWorker[T any](p *Pool[T], index int) *worker[T] {
	cfg := p.cfg.scheduler(index)
	w := &worker[T]{
		pool: p, index: index, slicesLeft: p.cfg.CheckEvery, maxFibers: cfg.MaxFibers,
		s:       scheduler.New[T](cfg),
		machine: p.cfg.Machine(index),
		rng:     rand.New(rand.NewPCG(0, uint64(index))),
	}
	if w.machine == nil {
		panic(&scheduler.ContractError{Rule: rule.ValidArgument, Op: op.Pump,
			Fix: fmt.Sprintf("Config.Machine returned nil for worker %d: return what resumes its fibers", index)})
	}
	w.stop = w.s.Steps().KillAll
	return w
}

// idleState is what the coordinator needs to know about an idle worker. It is a copy, made by the
// worker itself: the coordinator is called on other goroutines, which must not look into this
// scheduler. It stays true while the worker is idle, because nothing changes a scheduler that sleeps.
type idleState struct {
	finished      bool // nothing here can run unless another worker does something
	full          bool // there is no room for more fibers
	waitsForMoved bool // a fiber here waits for the end of one that has moved to another scheduler
	netMovedOut   int  // fibers moved out minus fibers moved in
}

func (w *worker[T]) newIdleState(v scheduler.Verdict) idleState {
	n := w.s.Inspect().Counts()
	return idleState{
		finished:      v.Kind != scheduler.Waiting || v.OnlyMoved,
		full:          w.freeSlots() <= 0,
		waitsForMoved: v.OnlyMoved,
		netMovedOut:   int(n.MovedOut - n.MovedIn),
	}
}

// run is the loop of the worker: its own fibers first, then queued payloads, then fibers of other
// workers, and sleep if there is nothing. It returns when the pool has ended, or when the fibers
// here have unwound after a stop.
//
// A verdict of Deadlock or Done does not end it, as it would end scheduler.Run: another worker can
// still send fibers. Only the coordinator sees all workers. While it is stopping the worker neither
// steals nor sends, because every fiber is to end where it is.
func (w *worker[T]) run(ctx context.Context) error {
	l := w.s.Steps().Begin(ctx)
	defer l.Close()
	w.checkStop(l)
	for {
		if w.s.Poll() {
			w.runBatch(l)
			continue
		}
		w.checkStop(l)
		v := w.s.Steps().IdleVerdictWithReport()
		switch {
		case v.Kind == scheduler.Busy:
		case w.stopping:
			if over, _ := l.Finished(v); over {
				return v.Err() // Pool.result knows why the fibers were killed
			}
		case w.findWork():
		case w.sleep(ctx, v):
			w.s.Steps().ReportUnobserved()
			return w.deadlock(v)
		}
	}
}

// deadlock is the error of a worker whose pool has ended because nothing could run, or nil if
// all its fibers have ended. A verdict of OnlyMoved comes without a report, because the scheduler
// alone could not know that it is a deadlock.
func (w *worker[T]) deadlock(v scheduler.Verdict) error {
	if v.OnlyMoved {
		return &scheduler.DeadlockError{Report: w.s.Inspect().Report()}
	}
	return v.Err()
}

// runBatch runs what the last Poll found ready. A check that moves fibers out may end the batch; the
// rest of it comes with the next Poll. The count of slices goes on from batch to batch, because a
// batch can be shorter than CheckEvery.
func (w *worker[T]) runBatch(l *scheduler.Loop) {
	s, m, left := w.s, w.machine, w.slicesLeft
	for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
		for s.Finish(m.Resume(s, f)) {
		}
		if l.Stopping() {
			w.checkStop(l)
		}
		if left--; left <= 0 {
			left = w.pool.cfg.CheckEvery
			w.check(l)
		}
	}
	w.slicesLeft = left
}

// rareCheck is how many checks there are to one that does the more expensive part: looking at the
// context and taking a payload both cost a lock or a call.
const rareCheck = 16

// check runs between two slices: it serves other workers, the context and the queue.
func (w *worker[T]) check(l *scheduler.Loop) {
	if w.stopping {
		return
	}
	w.shareFibers()
	if w.checks++; w.checks%rareCheck == 0 {
		if w.checkStop(l); !w.stopping {
			w.spawnQueued(1, true) // so that queued payloads do not starve
		}
	}
}

// checkStop kills the fibers here, and ends the other workers, if the run has been ended: by its
// context, by a fiber that fails the run, or by the return of a main fiber. stop cancels the context
// of all workers; each kills its own fibers when it sees that.
func (w *worker[T]) checkStop(l *scheduler.Loop) {
	if l.CheckStop(); !w.stopping && l.StopCause() != nil {
		w.stopping = true
		w.stop(l.StopCause())
	}
}

// ready is how many fibers are ready. Between two slices every live fiber is ready or blocked.
func (w *worker[T]) ready() int { return w.s.Inspect().Live() - w.s.Inspect().Blocked() }

// freeSlots is how many more fibers the scheduler is certain to accept. Slots whose generations are
// used up count as taken.
func (w *worker[T]) freeSlots() int {
	return w.maxFibers - w.s.Inspect().Live() - int(w.s.Inspect().Counts().Retired)
}

// findWork gets fibers from the queue, or else from other workers. A thief that waits for this
// worker is answered first: it learns at once that there is nothing here. The worker takes its share
// of the queue and not all of it, so that others need not steal it again.
func (w *worker[T]) findWork() bool {
	w.setHasSpare(false)
	w.answer(w.thief.Load())
	share := int(w.pool.shared.queued.Load())/len(w.pool.workers) + 1
	return w.spawnQueued(share, false) || w.steal()
}

// spawnQueued spawns fibers for at most n queued payloads. It checks for room before it takes a
// payload, because a payload that was taken cannot be put back in its place.
func (w *worker[T]) spawnQueued(n int, front bool) (some bool) {
	for ; n > 0 && w.pool.shared.queued.Load() > 0 && w.freeSlots() > 0; n-- {
		data, ok := w.pool.shared.take()
		if !ok {
			break
		}
		if _, err := w.s.SpawnWith(data, scheduler.Options{Front: front, Movable: true}); err != nil {
			panic(err) // cannot be: there is a free slot, and the scheduler is not stopping
		}
		some = true
	}
	return some
}

// sleep waits until there is something to do, and tells whether the pool has ended. The order
// prevents a lost wake-up (I9): the request is open before the worker is on the idle list, the worker
// is off the list before it closes the request, and the inbox remembers a notification from before
// WaitForInput. A batch that a sender puts into the request in between is thus taken in here.
func (w *worker[T]) sleep(ctx context.Context, v scheduler.Verdict) (ended bool) {
	w.openRequest() // a worker with spare fibers may fill it meanwhile
	switch w.pool.shared.enterIdle(w, w.newIdleState(v)) {
	case poolEnded:
		return true
	case maySleep:
		w.s.Steps().WaitForInput(ctx, v.Until)
		ended = w.pool.shared.leaveIdle(w)
	}
	w.closeRequest()
	return ended
}
