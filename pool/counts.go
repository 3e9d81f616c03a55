package pool

// Counts is how busy a pool is, as of one moment.
type Counts struct {
	Workers int
	Idle    int // workers that have nothing to run, and wait; all of them after the run
	Queued  int // payloads of Pool.Spawn that wait for a worker
}

// Counts counts the workers and what waits for one. Any goroutine may call it, before, during and after the run.
// It takes the lock that workers take to become idle, for three loads.
func (p *Pool[T]) Counts() Counts {
	c := &p.shared
	c.mu.Lock()
	defer c.mu.Unlock()
	n := Counts{Workers: len(c.workers), Idle: len(c.idle), Queued: c.queue.n}
	if c.closed {
		n.Idle = n.Workers // those that have left the list do not come back
	}
	return n
}
