package blocking

import (
	"runtime/debug"
	"sync"

	"github.com/selvage-dev/selvage/scheduler"
)

// workers are the goroutines of a pool and the queue of ranges that have unclaimed jobs. A
// worker ends when the pool is closed, or when enough others are idle. If its work calls
// runtime.Goexit, another goroutine replaces it.
//
// To wake a worker for each job would cost more than a short job does. So at most one worker
// at a time is on its way to the queue. When it has claimed a job and there are more, it wakes
// the next one. No job waits behind one that blocks, and a running worker does many short ones.
//
// Invariant under mu: while a job is unclaimed, a worker is searching, or limit workers are alive
// and none is idle. A worker that comes to next looks at the queue before it waits, so a job that
// was added while it ran is not left behind.
type workers struct {
	mu        sync.Mutex
	wake      *sync.Cond
	first     *jobRange // the oldest; every range with unclaimed jobs is queued, and some without
	last      *jobRange
	limit     int // of alive
	maxIdle   int // a worker that finds so many idle ones ends
	alive     int
	idle      int
	searching bool // a worker was woken or started and has not locked mu yet
	closed    bool
	start     func()        // the body of a new worker, which begins with a search
	gone      chan struct{} // closed when the pool is closed and no worker is alive
}

// enqueue adds a range and makes sure that a worker takes it.
func (w *workers) enqueue(r *jobRange) {
	w.mu.Lock()
	if w.last == nil {
		w.first = r
	} else {
		w.last.queueNext = r
	}
	w.last = r
	w.search()
	w.mu.Unlock()
}

// search wakes or starts a worker unless one is searching already. alive is increased here and not
// by the new goroutine: until that runs, the worker must count against the limit, and for gone. The
// caller holds mu, as for split, trim and leave.
func (w *workers) search() {
	switch {
	case w.searching:
	case w.idle > 0:
		w.searching = true
		w.wake.Signal()
	case w.alive < w.limit:
		w.searching = true
		w.alive++
		go w.start()
	}
}

// next waits for a range and returns it with its first job claimed. It returns nil when the
// worker must end: all jobs are claimed, and the pool is closed or enough workers are idle.
// Searched is whether the worker was started or woken to search.
func (w *workers) next(searched bool) (r *jobRange, first uint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if searched {
			w.searching = false
		}
		if r, first = w.split(); r != nil {
			if w.first != nil { // more unclaimed jobs: this one may block
				w.search()
			}
			return r, first
		}
		if w.closed || w.idle >= w.maxIdle {
			w.leave()
			return nil, noJob
		}
		w.idle++
		w.wake.Wait()
		w.idle--
		searched = true
	}
}

// tryNext is next for a goroutine that is not a worker: it does not wait, and returns nil if
// all jobs are claimed.
func (w *workers) tryNext() (r *jobRange, first uint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.split()
}

// split takes a part of the oldest range with unclaimed jobs, and removes the ranges without
// from the front of the queue. A new range with unclaimed jobs goes to the front, because its
// jobs are as old as those of the range it was taken from.
func (w *workers) split() (r *jobRange, first uint) {
	for w.first != nil && r == nil {
		if r, first = w.first.split(); r != nil && r != w.first && r.unclaimed() > 0 {
			r.queueNext, w.first = w.first, r
		}
		w.trim()
	}
	return r, first
}

// trim removes the ranges without unclaimed jobs from the front of the queue.
func (w *workers) trim() {
	for w.first != nil && w.first.unclaimed() == 0 {
		w.first = w.first.queueNext
	}
	if w.first == nil {
		w.last = nil
	}
}

// leave counts out a worker that ends.
func (w *workers) leave() {
	if w.alive--; w.alive == 0 && w.closed {
		close(w.gone)
	}
}

// close makes the workers end when all queued jobs are claimed.
func (w *workers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.wake.Broadcast()
	if w.alive == 0 {
		close(w.gone)
	}
}

// work is the body of a worker. It begins with the rest of a range, or with a search. Close joins
// it, by workers.gone.
func (p *Pool) work(r *jobRange, searched bool) {
	for {
		first := uint(noJob) // the rest of a range: its next job is not claimed yet
		if r == nil {
			if r, first = p.workers.next(searched); r == nil {
				return
			}
			searched = false
		}
		if p.runRange(r, first) {
			r = nil
		}
	}
}

// runRange does the jobs of a range; at is the one that is claimed already, or noJob. It
// returns true when no job is left, and false after one that panicked. If a job exits the
// goroutine, a new one goes on with the range.
func (p *Pool) runRange(r *jobRange, at uint) (over bool) {
	defer func() {
		if over {
			return
		}
		j, ctx := r.job(at)
		if v := recover(); v != nil {
			j.done.Err = &scheduler.PanicError{Value: v, Stack: debug.Stack()}
			j.end(ctx, p.past)
		} else {
			j.done.Err = ErrGoexit
			j.end(ctx, p.past)
			go p.work(r, false) // in this worker's place: alive does not change
		}
	}()
	for {
		if at != noJob {
			j, ctx := r.job(at)
			j.run(ctx, p.past)
		}
		var publish bool
		if at, publish = r.claim(); publish {
			p.publish(r)
		}
		if at == noJob {
			return true
		}
	}
}

// publish tells the owner that a range has finished jobs. The first range that is published
// since the owner collected signals it; the owner collects the others at the same time.
func (p *Pool) publish(r *jobRange) {
	// The bit first: as soon as the range is in the list, the owner may collect it and clear the
	// bit. Only the range's worker sets it, and only while it is clear, so the range is in the
	// list once.
	r.progress.Add(publishedBit)
	for { // push r on the list; the owner takes the whole list at once
		last := p.finished.Load()
		r.doneNext = last
		if p.finished.CompareAndSwap(last, r) {
			if last == nil {
				p.core.Inbox().Notify()
			}
			return
		}
	}
}
