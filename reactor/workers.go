package reactor

import (
	"context"
	"sync"
)

// workers are the goroutines of a pool and the batches that wait for them. Whoever
// queues a batch starts as many as it needs, while there are fewer than most. A worker
// lives until the pool is closed, or until it finds enough others idle; one that its work
// exits is replaced.
//
// Invariant: for every piece that nobody has taken a worker is on its way that has not
// taken one, or most of them are alive and none sleeps. So with as many workers as there
// are pieces, none waits behind another.
type workers struct {
	mu     sync.Mutex
	idle   *sync.Cond
	first  *chunk // the oldest batch
	last   *chunk
	most   int
	spare  int // this many may sleep; more of them go
	alive  int
	asleep int
	closed bool
	gone   chan struct{} // closed when the pool is and no worker is alive
}

// take queues a batch and sees to it that somebody works on it.
func (w *workers) take(c *chunk, life func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last == nil {
		w.first = c
	} else {
		w.last.rest = c
	}
	w.last = c
	for range c.n {
		switch {
		case w.asleep > 0:
			w.asleep--
			w.idle.Signal()
		case w.alive < w.most:
			w.alive++
			go life()
		default:
			return
		}
	}
}

// get waits for a batch in which nobody has taken every piece. Nil: all work has been
// taken, and the pool is closed or enough others wait; the worker that asked is not counted
// any more.
func (w *workers) get() (*chunk, *job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for ; w.first != nil; w.first = w.first.rest {
			if j := w.first.claim(); j != nil {
				return w.first, j
			}
		}
		w.last = nil
		if w.closed || w.asleep >= w.spare {
			w.leave()
			return nil, nil
		}
		w.asleep++
		w.idle.Wait()
	}
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
	w.asleep = 0
	w.idle.Broadcast()
	if w.alive == 0 {
		close(w.gone)
	}
}

// work is the life of a worker.
func (p *Pool) work() {
	for c, j := p.workers.get(); c != nil; c, j = p.workers.get() {
		for ; j != nil; j = c.claim() {
			p.do(j)
		}
	}
}

// do does one piece of work and notes what it ended with. If the work exits the worker,
// another one takes its place.
func (p *Pool) do(j *job) {
	p.begun.Add(1)
	defer func() {
		j.told = j.ctx.ended() != nil
		j.ctx.release(context.Canceled)
		p.note(j)
	}()
	j.run(func() { go p.work() })
}
