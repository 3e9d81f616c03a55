package wait

import (
	"errors"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/selvage-dev/selvage/fiber"
)

// The operations on locks and semaphores; n is how many permits.
type (
	lockOp    struct{ id fiber.ID }
	tryLockOp struct{ id fiber.ID }
	unlockOp  struct{ id fiber.ID }
	repairOp  struct{}
	acquireOp struct {
		id fiber.ID
		n  int64
	}
	tryAcquireOp acquireOp
	releaseOp    acquireOp
)

// mutexContest is a Mutex; outputs are true, false or an error's sentinel.
type mutexContest struct {
	*trial
	m *Mutex
}

func (x *mutexContest) choose(_ *client, id fiber.ID) any {
	switch x.rng.IntN(10) {
	case 0:
		return tryLockOp{id}
	case 1:
		return repairOp{}
	case 2, 3, 4, 5:
		return unlockOp{id}
	}
	return lockOp{id}
}

func (x *mutexContest) begin(c *client, id fiber.ID) (any, fiber.Ticket) {
	switch c.op.Input.(type) {
	case repairOp:
		return x.m.Repair(), fiber.Ticket{}
	case unlockOp:
		w, err := x.m.Unlock(id)
		x.deliver(w)
		return sentinel(true, err), fiber.Ticket{}
	case tryLockOp:
		ok, err := x.m.TryLock(id)
		return sentinel(ok, err), fiber.Ticket{}
	}
	if ok, err := x.m.TryLock(id); ok || err != nil {
		return sentinel(ok, err), fiber.Ticket{}
	}
	tk := x.arm(id, x.m.Source())
	if err := x.m.ParkLock(tk, id); err != nil {
		x.tb.Fatalf("park: %v", err)
	}
	return nil, tk
}

func (x *mutexContest) end(c *client, _ fiber.ID, code fiber.Code) any {
	if code == fiber.Failed {
		return ErrPoisoned
	}
	return x.m.Collect(c.t)
}

func (x *mutexContest) forfeits(_ *client, code fiber.Code) any {
	if code == fiber.Failed {
		return ErrPoisoned
	}
	return true
}

func (x *mutexContest) died(id fiber.ID) []fiber.Wakeup { return x.m.OwnerHook().OwnerDied(id, nil) }

// sentinel is what an operation came to, as a model compares it.
func sentinel(v any, err error) any {
	var e *Error
	if errors.As(err, &e) {
		for _, s := range []error{ErrDoubleLock, ErrPoisoned, ErrNotOwner, ErrClosed, ErrNotOwner} {
			if errors.Is(err, s) {
				return s
			}
		}
	}
	return v
}

// lockState is the mutex of one client that does one thing at a time.
type lockState struct {
	owner    fiber.ID
	poisoned bool
}

func mutexModel(policy OwnerDeath) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return lockState{} },
		Step: func(state, input, output any) (bool, any) {
			s := state.(lockState)
			want, next := any(false), s
			switch in := input.(type) {
			case lockOp:
				want, next = s.lock(in.id)
				if want == false {
					return false, s // it would have waited
				}
			case tryLockOp:
				want, next = s.lock(in.id)
			case unlockOp:
				if want = any(ErrNotOwner); s.owner == in.id {
					want, next = true, lockState{}
				}
			case repairOp:
				want, next.poisoned = s.poisoned, false
			case death:
				if want = true; s.owner == in.id {
					next = lockState{poisoned: policy == Poison}
				}
			}
			return want == output, next
		},
	}
}

func (s lockState) lock(id fiber.ID) (any, lockState) {
	switch {
	case s.poisoned:
		return ErrPoisoned, s
	case s.owner == id:
		return ErrDoubleLock, s
	case s.owner != 0:
		return false, s
	}
	return true, lockState{owner: id}
}

func TestAMutexIsLinearizable(t *testing.T) {
	for name, policy := range map[string]OwnerDeath{"poison": Poison, "hand on": HandOver} {
		t.Run(name, func(t *testing.T) {
			linearizable(t, mutexModel(policy), func(r *trial) { r.on = &mutexContest{r, NewMutex(policy)} })
		})
	}
}

// semaphoreContest is a Semaphore; outputs as a mutex's.
type semaphoreContest struct {
	*trial
	s *Semaphore
}

// size is how many permits the semaphore of a history has.
const size = 4

// behind is the output of a try that failed because a fiber waits: how much is free
// says nothing then.
type behind struct{}

func (x *semaphoreContest) choose(_ *client, id fiber.ID) any {
	n := 1 + x.rng.Int64N(size)
	switch x.rng.IntN(10) {
	case 0, 1:
		return tryAcquireOp{id, n}
	case 2, 3, 4, 5:
		return releaseOp{id, min(n, 2)}
	}
	return acquireOp{id, n}
}

func (x *semaphoreContest) begin(c *client, id fiber.ID) (any, fiber.Ticket) {
	switch in := c.op.Input.(type) {
	case releaseOp:
		wakes, err := x.s.Release(id, in.n, nil)
		x.deliver(wakes...)
		return sentinel(true, err), fiber.Ticket{}
	case tryAcquireOp:
		ok, _ := x.s.TryAcquire(id, in.n)
		if !ok && x.s.Source().(interface{ Waiting() int }).Waiting() > 0 {
			return behind{}, fiber.Ticket{}
		}
		return ok, fiber.Ticket{}
	}
	n := c.op.Input.(acquireOp).n
	if ok, _ := x.s.TryAcquire(id, n); ok {
		return true, fiber.Ticket{}
	}
	tk := x.arm(id, x.s.Source())
	if err := x.s.ParkAcquire(tk, id, n); err != nil {
		x.tb.Fatalf("park: %v", err)
	}
	return nil, tk
}

func (x *semaphoreContest) end(c *client, _ fiber.ID, _ fiber.Code) any {
	n, ok := x.s.Collect(c.t)
	return ok && n == c.op.Input.(acquireOp).n
}

func (x *semaphoreContest) forfeits(*client, fiber.Code) any { return true }

func (x *semaphoreContest) died(id fiber.ID) []fiber.Wakeup {
	return x.s.OwnerHook().OwnerDied(id, nil)
}

// permits is who of the five clients, in whatever life, holds how many.
type permits struct {
	held [5]int64
	of   [5]fiber.ID
}

func (p permits) free() (n int64) {
	n = size
	for _, h := range p.held {
		n -= h
	}
	return n
}

func (p permits) has(id fiber.ID) int64 {
	if i := id.Index(); p.of[i] == id {
		return p.held[i]
	}
	return 0
}

func (p permits) with(id fiber.ID, n int64) permits {
	p.of[id.Index()], p.held[id.Index()] = id, n
	if n == 0 {
		p.of[id.Index()] = 0
	}
	return p
}

func semaphoreModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return permits{} },
		Step: func(state, input, output any) (bool, any) {
			p := state.(permits)
			switch in := input.(type) {
			case acquireOp:
				return output == true && in.n <= p.free(), p.with(in.id, p.has(in.id)+in.n)
			case tryAcquireOp:
				if output != true {
					return output == behind{} || in.n > p.free(), p
				}
				return in.n <= p.free(), p.with(in.id, p.has(in.id)+in.n)
			case releaseOp:
				if output == ErrNotOwner {
					return p.has(in.id) < in.n, p
				}
				return p.has(in.id) >= in.n, p.with(in.id, p.has(in.id)-in.n)
			case death:
				if p.has(in.id) > 0 {
					p = p.with(in.id, 0)
				}
			}
			return true, p
		},
	}
}

func TestASemaphoreIsLinearizable(t *testing.T) {
	linearizable(t, semaphoreModel(), func(r *trial) { r.on = &semaphoreContest{r, NewSemaphore(size)} })
}

// The models must be able to say no.
func TestTheModelsOfLocksRefuseWrongHistories(t *testing.T) {
	f1, f2 := fib(0), fib(1)
	for name, x := range map[string]struct {
		model porcupine.Model
		ops   []any // input and output in turn
		ok    bool
	}{
		"one after the other": {mutexModel(Poison), []any{lockOp{f1}, true, unlockOp{f1}, true, lockOp{f2}, true}, true},
		"two owners":          {mutexModel(Poison), []any{lockOp{f1}, true, lockOp{f2}, true}, false},
		"no owner":            {mutexModel(Poison), []any{tryLockOp{f1}, false}, false},
		"poison forgotten":    {mutexModel(Poison), []any{lockOp{f1}, true, death{f1}, true, lockOp{f2}, true}, false},
		"handed on":           {mutexModel(HandOver), []any{lockOp{f1}, true, death{f1}, true, lockOp{f2}, true}, true},
		"too many permits":    {semaphoreModel(), []any{acquireOp{f1, 3}, true, acquireOp{f2, 2}, true}, false},
		"permits back":        {semaphoreModel(), []any{acquireOp{f1, 3}, true, releaseOp{f1, 2}, true, acquireOp{f2, 2}, true}, true},
		"permits of the dead": {semaphoreModel(), []any{acquireOp{f1, 3}, true, death{f1}, true, releaseOp{f1, 1}, true}, false},
	} {
		is(t, name, porcupine.CheckOperations(x.model, sequential(x.ops)), x.ok)
	}
}

// sequential is a history of operations that do not overlap.
func sequential(pairs []any) (ops []porcupine.Operation) {
	for i := 0; i < len(pairs); i += 2 {
		ops = append(ops, porcupine.Operation{Input: pairs[i], Output: pairs[i+1], Call: int64(2 * i), Return: int64(2*i + 1)})
	}
	return ops
}
