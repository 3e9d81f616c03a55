package pool

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
)

// join makes every worker an island if the pool has a Registry. If one cannot join, those
// that have joined leave again. It runs on the goroutine of New, which owns all schedulers until
// Run starts the workers.
func (p *Pool[T]) join() error {
	if p.cfg.Registry == nil {
		return nil
	}
	for i, w := range p.workers {
		if err := w.join(); err != nil {
			for _, joined := range p.workers[:i] {
				joined.island.Leave(err)
			}
			return err
		}
	}
	return nil
}

// join makes the worker an island. Before the run, a shutdown of it kills the fibers here; during
// the run it ends the pool.
func (w *worker[T]) join() (err error) {
	cfg, as := &w.pool.cfg, island.Config{Name: fmt.Sprint("worker ", w.index)}
	if cfg.Island != nil {
		as = cfg.Island(w.index)
	}
	// Not w.stop itself, which changes when the run begins: main stores the pool's stop there.
	as.Stop = func(cause error) { w.stop(cause) }
	as.Peers = w.peers
	as.Programs = w.programs(as.Programs)
	w.island, err = cfg.Registry.Join(&w.s.Core, as)
	return err
}

// programs are the given ones and those of Config.Spawn. A program runs on the worker's goroutine
// between two slices, so it may use the scheduler. Its fiber moves only if the Options say Movable.
func (w *worker[T]) programs(given map[string]func([]byte) (fiber.RegularID, error)) map[string]func([]byte) (fiber.RegularID, error) {
	all := maps.Clone(given)
	if all == nil {
		all = map[string]func([]byte) (fiber.RegularID, error){}
	}
	for name, payload := range w.pool.cfg.Spawn {
		all[name] = func(args []byte) (fiber.RegularID, error) {
			data, o, err := payload(args)
			if err != nil {
				return 0, err
			}
			return w.s.SpawnWith(data, o)
		}
	}
	return all
}

// leave takes all workers out of the registry, each with what ended the pool or itself. All workers
// have ended, so each island belongs to the goroutine of Run. A crashed worker leaves too: Leave
// does not use the scheduler.
func (p *Pool[T]) leave(cause error, errs []error) {
	for i, w := range p.workers {
		if w.island != nil {
			w.island.Leave(cmp.Or(cause, errs[i]))
		}
	}
}

// peers are the other workers: each of them may move a fiber here. known is false while a
// fiber may also come from elsewhere, namely from Spawn, or while a fiber that was taken out
// of the pool may end and so wake a fiber that waits for that end. The islands come in the order of
// the workers, so that an unchanged state gives an equal statement.
func (w *worker[T]) peers() (all []*island.Island, known bool) {
	if w.pool.shared.expectsMore(w.freeSlots() > 0) || w.pool.shared.movedOutside(w) {
		return nil, false
	}
	for _, other := range w.pool.workers {
		if other != w {
			all = append(all, other.island)
		}
	}
	return all, true
}

// deadlock is the deadlock across islands that the pool is part of, or nil. A worker depends
// on all others, so that either all workers are part of it or none.
func (p *Pool[T]) deadlock() *island.DeadlockError {
	for _, w := range p.workers {
		if w.island != nil && w.island.Deadlock() != nil {
			return w.island.Deadlock()
		}
	}
	return nil
}

// Island is the island of a worker, or nil without a Config.Registry. While the pool runs it
// belongs to the worker. Before the run it belongs to the caller, which may open and dial ports.
// After the run it has left the registry.
func (p *Pool[T]) Island(worker int) *island.Island { return p.workers[worker].island }
