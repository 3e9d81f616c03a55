package reactor

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// workers are the goroutines that run slices and nothing else. A worker posts a result for
// each slice that ended, and signals the owner if no result was waiting for it.
//
// A Slice goes to a worker through the queue and comes back through ended. Both order the memory: a
// slice needs no lock, and its fields belong to one side at a time.
type workers[T any] struct {
	machine Machine[T]
	epoch   time.Time
	queue   chan *Slice[T] // has room for Config.InFlight slices, so sending never blocks
	signal  func()         // wakes the owner
	inline  bool           // no goroutines: the owner runs the slices itself
	// alive counts the worker goroutines. The last one closes gone; so the owner can wait for all
	// of them with a time limit, which a sync.WaitGroup has not.
	alive atomic.Int64
	gone  chan struct{} // closed when the queue is closed and the last worker has ended

	mu    sync.Mutex
	ended []result[T] // not collected by the owner
}

// result says that a slice has ended. A Slice is used for many hand-outs; the number tells which.
type result[T any] struct {
	slice   *Slice[T]
	handOut uint64
}

func newWorkers[T any](m Machine[T], room int, signal func()) *workers[T] {
	return &workers[T]{machine: m, epoch: time.Now(), queue: make(chan *Slice[T], room), signal: signal, gone: make(chan struct{})}
}

// start starts n workers.
func (w *workers[T]) start(n int) {
	for range n {
		w.alive.Add(1)
		go w.work()
	}
}

// work is the body of a worker: it runs slices until the queue is closed.
func (w *workers[T]) work() {
	defer w.leave()
	for s := range w.queue {
		w.run(s)
	}
}

// run runs a slice and posts its result, however it ends. A slice that calls runtime.Goexit
// ends its worker too, so another one is started in its place.
func (w *workers[T]) run(s *Slice[T]) {
	// Evaluated now: after the result is posted the owner may use the Slice again. Deferred first,
	// so it runs last, when the deferred function below has recorded a panic.
	defer w.post(result[T]{s, s.handOut})
	s.began.Store(int64(time.Since(w.epoch)) + 1) // 0 is a slice that has not begun
	returned := false
	defer func() {
		if returned {
			return
		}
		s.await, s.out = nil, fiber.Outcome{Kind: fiber.Panic}
		if v := recover(); v != nil {
			s.err = &scheduler.PanicError{Value: v, Stack: debug.Stack()}
			return
		}
		s.err = blocking.ErrGoexit
		if !w.inline {
			w.start(1)
		}
	}()
	s.out = w.machine.Resume(s)
	returned = true
}

// post appends a result. The owner collects all results at once, so only the first one needs a
// signal; inline the owner itself posts.
func (w *workers[T]) post(r result[T]) {
	w.mu.Lock()
	first := len(w.ended) == 0
	w.ended = append(w.ended, r)
	w.mu.Unlock()
	if first && !w.inline {
		w.signal()
	}
}

// submit hands a slice to the workers. It does not block: there are never more in flight than the
// queue has places.
func (w *workers[T]) submit(s *Slice[T]) {
	if w.inline {
		w.run(s)
		return
	}
	w.queue <- s
}

// collect appends the results since the last call to dst. It keeps the backing array of ended,
// so posting does not allocate in the steady state.
func (w *workers[T]) collect(dst []result[T]) []result[T] {
	w.mu.Lock()
	defer w.mu.Unlock()
	dst = append(dst, w.ended...)
	clear(w.ended)
	w.ended = w.ended[:0]
	return dst
}

// running is how long a slice has run, and whether it has begun. A slice in the queue has not: the
// wait for a worker does not count against it.
func (w *workers[T]) running(s *Slice[T]) (ran time.Duration, began bool) {
	at := s.began.Load()
	return time.Since(w.epoch) - time.Duration(at), at != 0
}

// leave counts out a worker. A worker that exits has been replaced before, so the count is zero
// only after the queue was closed.
func (w *workers[T]) leave() {
	if w.alive.Add(-1) == 0 {
		close(w.gone)
	}
}

// stop makes idle workers end, and waits until all have ended or for the timeout. The owner calls it
// once, after its last submit. Slices that are still queued are run; after a panic discardQueued
// has removed them.
func (w *workers[T]) stop(timeout time.Duration) {
	close(w.queue)
	if w.inline {
		return
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-w.gone:
	case <-timer.C:
	}
}

// discardQueued removes the slices that no worker has begun.
func (w *workers[T]) discardQueued() {
	for len(w.queue) > 0 {
		select {
		case <-w.queue:
		default: // a worker took it first
		}
	}
}
