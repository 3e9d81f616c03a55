package reactor

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// crew are the VM workers: goroutines that run slices, and nothing else. What a slice ended
// with is put where the owner collects it, and the owner's bell is rung.
type crew[T any] struct {
	machine Machine[T]
	epoch   time.Time
	work    chan *Slice[T] // never full: the owner hands out no more than it has room for
	ring    func()
	inline  bool // there are none: the owner runs the slices itself
	hands   atomic.Int64
	gone    chan struct{} // closed when there is no more work and the last hand has left

	mu    sync.Mutex
	ended []result[T] // that the owner has not collected
}

// result says that a slice has ended: which one, of the many that a Slice has been.
type result[T any] struct {
	slice  *Slice[T]
	flight uint64
}

func newCrew[T any](m Machine[T], room int, ring func()) *crew[T] {
	return &crew[T]{machine: m, epoch: time.Now(), work: make(chan *Slice[T], room), ring: ring, gone: make(chan struct{})}
}

// hire starts workers.
func (c *crew[T]) hire(n int) {
	for range n {
		c.hands.Add(1)
		go c.life()
	}
}

func (c *crew[T]) life() {
	defer c.leave()
	for s := range c.work {
		c.do(s)
	}
}

// do runs a slice, whatever it does, and says that it has ended. If it leaves by
// runtime.Goexit, that takes the worker with it, and another one takes its place.
func (c *crew[T]) do(s *Slice[T]) {
	defer c.post(result[T]{s, s.flight})
	s.began.Store(int64(time.Since(c.epoch)) + 1)
	returned := false
	defer func() {
		if returned {
			return
		}
		s.await, s.out = nil, fiber.Outcome{Kind: fiber.Panic}
		if v := recover(); v != nil {
			s.err = &PanicError{Value: v, Stack: debug.Stack()}
			return
		}
		s.err = ErrWorkExited
		if !c.inline {
			c.hire(1)
		}
	}()
	s.out = c.machine.Resume(s)
	returned = true
}

func (c *crew[T]) post(r result[T]) {
	c.mu.Lock()
	first := len(c.ended) == 0
	c.ended = append(c.ended, r)
	c.mu.Unlock()
	if first && !c.inline {
		c.ring()
	}
}

// take is how the owner hands out a slice.
func (c *crew[T]) take(s *Slice[T]) {
	if c.inline {
		c.do(s)
		return
	}
	c.work <- s
}

// collect appends what has ended since the last time.
func (c *crew[T]) collect(dst []result[T]) []result[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	dst = append(dst, c.ended...)
	clear(c.ended)
	c.ended = c.ended[:0]
	return dst
}

// running is how long a slice has run; false before it has begun.
func (c *crew[T]) running(s *Slice[T]) (time.Duration, bool) {
	began := s.began.Load()
	return time.Since(c.epoch) - time.Duration(began), began != 0
}

// leave is the end of a worker. One that exits is replaced before, so the last one leaves
// when there is no more work.
func (c *crew[T]) leave() {
	if c.hands.Add(-1) == 0 {
		close(c.gone)
	}
}

// release lets the workers go when they have nothing to do, and waits for them, for so long
// at most.
func (c *crew[T]) release(patience time.Duration) {
	close(c.work)
	if !c.inline {
		await(c.gone, patience)
	}
}

// drop takes back what no worker has begun.
func (c *crew[T]) drop() {
	for len(c.work) > 0 {
		select {
		case <-c.work:
		default: // a worker was first
		}
	}
}

// await waits for the end of something, for so long at most.
func await(gone <-chan struct{}, patience time.Duration) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-gone:
	case <-timer.C:
	}
}
