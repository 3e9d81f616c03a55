package reactor

import (
	"runtime/debug"
	"sync"
)

// workers are the goroutines of a pool and the shares that wait for them. A worker lives
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
	first     *share // the oldest; all that have pieces left are here, and some that have none
	last      *share
	most      int
	spare     int // this many may sleep; more of them go
	alive     int
	asleep    int
	searching bool // one was woken, or hired, and has not got the lock yet
	closed    bool
	hire      func()        // the life of a new worker, which begins with a search
	gone      chan struct{} // closed when the pool is and no worker is alive
}

// take queues a share and sees to it that somebody works on it.
func (w *workers) take(s *share) {
	w.mu.Lock()
	if w.last == nil {
		w.first = s
	} else {
		w.last.rest = s
	}
	w.last = s
	w.follow()
	w.mu.Unlock()
}

// queued is how many pieces nobody has taken.
func (w *workers) queued() (n uint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for s := w.first; s != nil; s = s.rest {
		n += s.left()
	}
	return n
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

// get waits for a share, and gives it with its first piece claimed. Nil: all work has been
// taken, and the pool is closed or enough others wait; the worker that asked is not counted
// any more. One that searched does so no more.
func (w *workers) get(searched bool) (s *share, first uint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if searched {
			w.searching = false
		}
		if s, first = w.part(); s != nil {
			if w.first != nil {
				w.follow()
			}
			return s, first
		}
		if w.closed || w.asleep >= w.spare {
			w.leave()
			return nil, none
		}
		w.asleep++
		w.idle.Wait()
		w.asleep--
		searched = true
	}
}

// grab is a share for who is no worker, with its first piece claimed; nil if all is taken.
func (w *workers) grab() (s *share, first uint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.part()
}

// part is a part of the oldest share that has pieces left. It leaves nothing in front of the
// queue that has none.
func (w *workers) part() (s *share, first uint) {
	for w.first != nil && s == nil {
		if s, first = w.first.part(); s != nil && s != w.first && s.left() > 0 {
			s.rest, w.first = w.first, s
		}
		w.tidy()
	}
	return s, first
}

// tidy drops the shares in front of the queue that have nothing left.
func (w *workers) tidy() {
	for w.first != nil && w.first.left() == 0 {
		w.first = w.first.rest
	}
	if w.first == nil {
		w.last = nil
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
	w.idle.Broadcast()
	if w.alive == 0 {
		close(w.gone)
	}
}

// work is the life of a worker. It begins with the rest of a share, or with none.
func (p *Pool) work(s *share, searches bool) {
	for {
		first := uint(none)
		if s == nil {
			if s, first = p.workers.get(searches); s == nil {
				return
			}
			searches = false
		}
		if p.toil(s, first) {
			s = nil
		}
	}
}

// toil does the pieces of a share, the first of which may have been claimed already, until
// there is none (true), or until one has panicked (false). If one exits the worker, another
// takes its place, and goes on with the share.
func (p *Pool) toil(s *share, at uint) (over bool) {
	defer func() {
		if over {
			return
		}
		w, ctx := s.piece(at)
		if v := recover(); v != nil {
			w.done.Err = &PanicError{Value: v, Stack: debug.Stack()}
			w.end(ctx)
		} else {
			w.done.Err = ErrWorkExited
			w.end(ctx)
			go p.work(s, false)
		}
	}()
	for {
		if at != none {
			w, ctx := s.piece(at)
			w.do(ctx)
		}
		var news bool
		if at, news = s.claim(); news {
			p.tell(s)
		}
		if at == none {
			return true
		}
	}
}

// tell notes a share in which something is done. The first note since the owner has
// collected rings for it.
func (p *Pool) tell(s *share) {
	s.progress.Add(toldBit)
	for {
		last := p.notes.Load()
		s.note = last
		if p.notes.CompareAndSwap(last, s) {
			if last == nil {
				p.core.Inbox().Notify()
			}
			return
		}
	}
}
