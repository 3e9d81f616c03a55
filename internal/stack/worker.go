package stack

import "github.com/selvage-dev/selvage/internal/invariants"

// worker is a goroutine that runs the functions of stacks, one after the other. It
// is always in exactly one place: parked in its pool (job nil), or under a Stack.
// enter and leave strictly alternate. They are plain functions, called straight from
// Resume and Suspend: every call between a switch and its user is a return that the
// processor mispredicts.
type worker struct {
	enter   enter // gives control to the worker's goroutine, returns when it comes back
	leave   leave // the other way round; set by the goroutine when it starts
	pool    *Pool
	job     *Stack
	unwound bool // its goroutine is being ended by runtime.Goexit
}

// enter and leave have the shape of what iter.Pull gives and takes.
type (
	enter func() (struct{}, bool)
	leave func(struct{}) bool
)

// workerDone is what an unwound worker panics with when it is entered for the last time.
type workerDone struct{}

func newWorker(p *Pool) *worker {
	w := &worker{pool: p}
	w.enter = p.backing.start(w.main)
	return w
}

// main runs jobs until the pool has no use for the worker.
func (w *worker) main(leave func(struct{}) bool) {
	w.leave = leave
	returned := false
	defer func() {
		if !returned {
			w.giveUp()
		}
	}()
	for w.job != nil {
		w.job.run()
		w.job = nil
		if w.pool.put(w) {
			leave(struct{}{})
		}
	}
	returned = true
}

// giveUp is the last deferred call of a goroutine that a job ends with runtime.Goexit.
// If it just ended, iter.Pull would call Goexit in its caller, which would end
// the scheduler's goroutine. So control goes back by an ordinary switch, and when the
// worker ends for the last time a panic covers the Goexit, which iter.Pull prefers. The panic ends
// in finish; the goroutine ends with its Goexit.
func (w *worker) giveUp() {
	w.unwound = true
	w.leave(struct{}{})
	panic(workerDone{})
}

// finish lets the goroutine of an unwound worker come to its end.
func (w *worker) finish() {
	defer func() {
		if r := recover(); r != nil && r != (workerDone{}) {
			panic(r)
		}
	}()
	w.enter()
}

// run calls the stack's function and contains it. After a panic it returns; while the
// goroutine exits it cannot, and giveUp is next.
func (s *Stack) run() {
	defer s.contain()
	if invariants.On {
		s.pool.thread.Enter()
		if s.pool.thread.Nested() {
			s.runNested()
			return
		}
	}
	s.fn(s)
	s.done = true
}

// runNested is the rest of run on a stack that may be inside another: package invariants looks for
// its name.
//
//go:noinline
func (s *Stack) runNested() {
	s.fn(s)
	s.done = true
}

// contain is deferred directly by run, so that recover works.
func (s *Stack) contain() {
	if !s.done {
		s.err = verdict(recover(), s.order == unwind)
	}
	s.fn = nil
	s.state = finished
}
