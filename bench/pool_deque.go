//go:build unix

package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// deque is the one of Chase and Lev ("Dynamic Circular Work-Stealing Deque", SPAA 2005) as
// Lê, Pop, Cohen and Zappa Nardelli give it for weak memory ("Correct and Efficient
// Work-Stealing for Weak Memory Models", PPoPP 2013), with Go's atomics, which are
// sequentially consistent. It does not grow: the trees of P13 need little.
type deque struct {
	top    atomic.Int64
	_      [56]byte
	bottom atomic.Int64
	_      [56]byte
	slots  [1 << 12]atomic.Uint64
}

func (d *deque) push(task uint64) {
	b := d.bottom.Load()
	if b-d.top.Load() >= int64(len(d.slots)) {
		panic("bench: the deque is full")
	}
	d.slots[b%int64(len(d.slots))].Store(task)
	d.bottom.Store(b + 1)
}

func (d *deque) pop() (task uint64, ok bool) {
	b := d.bottom.Load() - 1
	d.bottom.Store(b)
	t := d.top.Load()
	if t > b {
		d.bottom.Store(b + 1)
		return 0, false
	}
	task = d.slots[b%int64(len(d.slots))].Load()
	if t == b { // the last one: thieves may want it too
		ok = d.top.CompareAndSwap(t, t+1)
		d.bottom.Store(b + 1)
		return task, ok
	}
	return task, true
}

func (d *deque) steal() (task uint64, ok bool) {
	t := d.top.Load()
	if t >= d.bottom.Load() {
		return 0, false
	}
	task = d.slots[t%int64(len(d.slots))].Load()
	return task, d.top.CompareAndSwap(t, t+1)
}

// stack replaces the deque in a program without thieves.
type stack struct{ tasks []uint64 }

func (s *stack) push(task uint64) { s.tasks = append(s.tasks, task) }

func (s *stack) pop() (task uint64, ok bool) {
	n := len(s.tasks)
	if n == 0 {
		return 0, false
	}
	task = s.tasks[n-1]
	s.tasks = s.tasks[:n-1]
	return task, true
}

// onDeques runs a tree of tasks on workers that steal from deques: a task is the depth below it,
// and spawns two children. It ends when all leaves are done; each worker counts its own, and
// reports them when it finds no task.
func onDeques(workers, depth int, work func()) {
	deques := make([]deque, workers)
	deques[0].push(uint64(depth))
	var leaves atomic.Int64
	var all sync.WaitGroup
	for i := range deques {
		all.Go(func() {
			for own := &deques[i]; leaves.Load() < 1<<depth; {
				leaves.Add(descend(own, work))
				if task, ok := deques[(i+1)%workers].steal(); ok {
					own.push(task)
				} else {
					runtime.Gosched()
				}
			}
		})
	}
	all.Wait()
}

// descend runs the tasks of the deque.
func descend(d *deque, work func()) (leaves int64) {
	for task, ok := d.pop(); ok; task, ok = d.pop() {
		if work != nil {
			work()
		}
		if task == 0 {
			leaves++
			continue
		}
		d.push(task - 1)
		d.push(task - 1)
	}
	return leaves
}

// onStack is onDeques without stealing.
func onStack(depth int, work func()) {
	var s stack
	s.push(uint64(depth))
	for task, ok := s.pop(); ok; task, ok = s.pop() {
		if work != nil {
			work()
		}
		if task > 0 {
			s.push(task - 1)
			s.push(task - 1)
		}
	}
}
