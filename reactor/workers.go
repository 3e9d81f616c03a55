package reactor

import (
	"context"
	"runtime/debug"
	"sync"
)

// workers are the goroutines of a pool and the batches that wait for them. A worker lives
// until the pool is closed, or until it finds enough others idle; one that its work exits is
// replaced.
//
// Waking a worker for each piece would cost more than a short piece does. So at most one is
// on its way to look for work at any time. It has the next one follow as soon as it has a
// piece of its own and there are more; so none waits behind another that blocks, and short
// pieces are done by whoever is up.
//
// Invariant: while there is a piece that nobody has taken, somebody searches, or most of them
// are alive and none sleeps.
type workers struct {
	mu        sync.Mutex
	idle      *sync.Cond
	first     *chunk // the oldest batch
	last      *chunk
	most      int
	spare     int // this many may sleep; more of them go
	alive     int
	asleep    int
	searching bool // one was woken, or hired, and has not got the lock yet
	closed    bool
	hire      func()        // the life of a new worker, which begins with a search
	gone      chan struct{} // closed when the pool is and no worker is alive
}

// take queues a batch and sees to it that somebody works on it.
func (w *workers) take(c *chunk) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last == nil {
		w.first = c
	} else {
		w.last.rest = c
	}
	w.last = c
	w.follow()
}

// follow has a worker search, if there is one and none does.
func (w *workers) follow() {
	switch {
	case w.searching:
	case w.asleep > 0:
		w.searching = true
		w.idle.Signal()
	case w.alive < w.most:
		w.searching = true
		w.alive++
		go w.hire()
	}
}

// get waits for a batch in which nobody has taken every piece. Nil: all work has been
// taken, and the pool is closed or enough others wait; the worker that asked is not counted
// any more. One that searched does so no more.
func (w *workers) get(searched bool) (*chunk, *job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if searched {
			w.searching = false
		}
		if c, j := w.claim(); j != nil {
			if c.left() || c.rest != nil {
				w.follow()
			}
			return c, j
		}
		if w.closed || w.asleep >= w.spare {
			w.leave()
			return nil, nil
		}
		w.asleep++
		w.idle.Wait()
		w.asleep--
		searched = true
	}
}

// claim takes a piece of the oldest batch that has one.
func (w *workers) claim() (*chunk, *job) {
	for ; w.first != nil; w.first = w.first.rest {
		if j := w.first.claim(); j != nil {
			return w.first, j
		}
	}
	w.last = nil
	return nil, nil
}

func (w *workers) leave() {
	if w.alive--; w.alive == 0 && w.closed {
		close(w.gone)
	}
}

// close lets the workers go when they have done what is queued.
func (w *workers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.idle.Broadcast()
	if w.alive == 0 {
		close(w.gone)
	}
}

// work is the life of a worker.
func (p *Pool) work(searches bool) {
	for p.toil(searches) {
		searches = false
	}
}

// toil does one piece of work after the other until there is none (false), or until one has
// panicked (true). If one exits the worker, another takes its place, once what there is to
// note has been noted: when the last worker has gone, so has the last note been made.
func (p *Pool) toil(searches bool) (again bool) {
	var j *job
	finished := false
	defer func() {
		if finished {
			return
		}
		if v := recover(); v != nil {
			j.done.Err = &PanicError{Value: v, Stack: debug.Stack()}
			again = true
		} else {
			j.done.Err = ErrWorkExited
			defer func() { go p.work(false) }()
		}
		p.note(j)
	}()
	for {
		var c *chunk
		if c, j = p.workers.get(searches); c == nil {
			finished = true
			return false
		}
		for searches = false; j != nil; j = c.claim() {
			if j.done.Err = j.ctx.ended(); j.done.Err == nil {
				j.done.Value, j.done.Err = j.work(j.ctx)
			}
			p.note(j)
		}
	}
}

// note is what a worker does with a piece of work that is done, and the last that it does
// with it. The first note since the owner has collected rings for it.
func (p *Pool) note(j *job) {
	j.told = j.ctx.ended() != nil
	j.ctx.release(context.Canceled)
	for {
		last := p.notes.Load()
		j.next = last
		if p.notes.CompareAndSwap(last, j) {
			if last == nil {
				p.core.Inbox().Rouse()
			}
			return
		}
	}
}
