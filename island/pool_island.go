package island

import (
	"cmp"
	"fmt"
)

// join makes every worker an island, if the pool has a registry; or none, if one is refused.
func (p *Pool[T]) join() error {
	if p.cfg.Registry == nil {
		return nil
	}
	for i, w := range p.workers {
		if err := w.join(); err != nil {
			for _, joined := range p.workers[:i] {
				joined.isle.Leave(err)
			}
			return err
		}
	}
	return nil
}

func (w *worker[T]) join() (err error) {
	cfg, as := &w.pool.cfg, Config{Name: fmt.Sprint("worker ", w.index)}
	if cfg.Island != nil {
		as = cfg.Island(w.index)
	}
	as.Stop = func(cause error) { w.stop(cause) }
	as.Programs = programs(w.s, as.Programs, cfg.Spawn)
	if w.isle, err = cfg.Registry.Join(&w.s.Core, as); err == nil {
		w.isle.team = w.mates
	}
	return err
}

// leave is for all workers: what has ended the pool, or else each of them.
func (p *Pool[T]) leave(cause error, errs []error) {
	for i, w := range p.workers {
		if w.isle != nil {
			w.isle.Leave(cmp.Or(cause, errs[i]))
		}
	}
}

// mates are the other workers, any of which may send this one a fiber. False: so may others, or
// a fiber that somebody has taken out of the pool may end, and with it a wait of any of them.
func (w *worker[T]) mates() (all []*Island, known bool) {
	if w.pool.hall.expects(w.vacancy() > 0) || w.pool.hall.misses(w) {
		return nil, false
	}
	for _, other := range w.pool.workers {
		if other != w {
			all = append(all, other.isle)
		}
	}
	return all, true
}

// deadlock is that of islands in which the pool was found to be. All of its workers are, or
// none.
func (p *Pool[T]) deadlock() *DeadlockError {
	for _, w := range p.workers {
		if w.isle != nil && w.isle.Deadlock() != nil {
			return w.isle.Deadlock()
		}
	}
	return nil
}

// Island is the island of a worker; nil without a PoolConfig.Registry. While the pool runs
// it is the worker's; before, it is the caller's, who may open and dial ports there.
func (p *Pool[T]) Island(worker int) *Island { return p.workers[worker].isle }
