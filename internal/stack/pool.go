package stack

import "github.com/selvage-dev/selvage/internal/invariants"

// Pool makes stacks and keeps the goroutines of finished ones for the next: that saves
// making a goroutine and, more, growing its call stack again. Like a Stack it is used
// by one goroutine at a time; nested stacks count as the one that resumed them.
type Pool struct {
	backing  Backing
	keep     int
	idle     []*worker
	question func() // of the Ask under way
	thread   invariants.Thread
}

// NewPool makes a Pool that keeps at most keep idle goroutines.
func NewPool(b Backing, keep int) *Pool { return &Pool{backing: b, keep: keep} }

// Follow says whose slices run on the stacks of the pool: the checked build then knows that a call
// from a stack that runs is the owner's own (rule ONE-OWNER). Call it before the first New.
func (p *Pool) Follow(o invariants.Owned) { p.thread = invariants.Follow(o) }

// New makes a Stack that will run fn at its first Resume.
func (p *Pool) New(fn func(*Stack)) *Stack { return &Stack{fn: fn, pool: p} }

// Idle is the number of goroutines kept.
func (p *Pool) Idle() int { return len(p.idle) }

// Close ends the idle goroutines and keeps no more. Stacks that have not finished stay
// usable; closing them is their owner's business.
func (p *Pool) Close() {
	p.keep = 0
	for _, w := range p.idle {
		w.enter() // without a job it ends
	}
	p.idle = nil
}

func (p *Pool) take() *worker {
	n := len(p.idle)
	if n == 0 {
		return newWorker(p)
	}
	w := p.idle[n-1]
	p.idle[n-1] = nil
	p.idle = p.idle[:n-1]
	return w
}

// put is called by the worker itself, just before it parks.
func (p *Pool) put(w *worker) bool {
	if len(p.idle) >= p.keep {
		return false
	}
	p.idle = append(p.idle, w)
	return true
}
