package minigo

import (
	"context"
	"errors"
	"time"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// away is the wait of a fiber for a Go function on another goroutine: first for room among the operations
// of the scheduler, if there is none.
type away struct {
	*bound
	native     string
	invocation *bind.Invocation
	ctx        context.Context // of the fiber
	core       *scheduler.Core
	token      fiber.Token
	operation  scheduler.Operation
	forRoom    bool
}

// submit submits the operation.
func (a *away) submit(c *lib.Call) {
	a.core = c.Core
	token, err := a.core.Ops().Submit()
	if errors.Is(err, ioqueue.ErrFull) {
		a.forRoom = true
		c.Await(a)
		return
	}
	a.start(c, token, err)
}

// start gives a submitted operation to a worker.
func (a *away) start(c *lib.Call, token fiber.Token, err error) {
	if err == nil {
		a.token = token
		a.operation, err = a.core.Ops().Begin(token, func(token fiber.Token) error {
			pool, err := a.host.workersOf(a.core)
			if err != nil {
				return err
			}
			return pool.Submit(token, func(context.Context) (any, error) { return a.invocation.Do(a.ctx), nil })
		})
	}
	if err != nil {
		c.Then, c.Err = lib.Panic, err
		return
	}
	c.Await(a)
}

// Reason is what the fiber waits for.
func (a *away) Reason() fiber.Reason {
	if a.forRoom {
		return fiber.OnQueue()
	}
	return fiber.OnIO(a.token)
}

// Source is where it waits for room.
func (a *away) Source() fiber.Source {
	if a.forRoom {
		return a.core.Ops().Room().Source()
	}
	return nil
}

// Park registers the ticket there.
func (a *away) Park(t fiber.Ticket) error {
	if a.forRoom {
		return a.core.Ops().Room().Park(t, 0)
	}
	return nil
}

// Done returns the results, or begins to wait for them.
func (a *away) Done(c *lib.Call, t fiber.Ticket, _ fiber.Result) {
	if a.forRoom {
		a.forRoom = false
		token, err := a.core.Ops().SubmitReserved(t)
		a.start(c, token, err)
		return
	}
	failed, err := a.operation.Result()
	if err == nil {
		err, _ = failed.(error)
	}
	a.finish(c, a.native, a.invocation, err)
}

// workersOf are the goroutines of blocking functions, made at the first use.
func (h *Host) workersOf(core *scheduler.Core) (pool *blocking.Pool, err error) {
	if h.pool == nil {
		h.pool, err = blocking.New(core, blocking.Config{Workers: h.workers})
	}
	return h.pool, err
}

// closeTimeout is how long closing a Host waits for functions that have not returned.
const closeTimeout = 5 * time.Second

func (h *Host) closePool() {
	if h.pool != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		_ = h.pool.Close(ctx) // a function that does not return in time is abandoned
	}
}
