package island

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// Plan is what Start makes an island of.
type Plan[T any] struct {
	Config
	// Scheduler is its scheduler's configuration. Number is filled in, and Clock, if it is
	// nil, with a wallclock.Clock.
	Scheduler scheduler.Config
	// Thread locks the goroutine to an operating system thread of its own.
	Thread bool
	// Machine runs the fibers.
	Machine scheduler.Machine[T]
	// Begin, if it is not nil, is called by the owner before the first slice: it opens
	// ports and spawns what is to run. Start returns its error.
	Begin func(h *Home[T]) error
	// Spawn are the programs that others may start by name: each makes the payload of the
	// fiber that runs it out of arguments that come from anywhere.
	Spawn map[string]func(args []byte) (T, scheduler.Options, error)
}

// Home is a running island with its scheduler, which belongs to the goroutine that Start
// has started.
type Home[T any] struct {
	*Island
	Scheduler *scheduler.Scheduler[T]

	end  context.CancelCauseFunc
	done chan struct{}
	err  error
}

// Start begins an island: one goroutine that owns a scheduler and runs it until it is shut
// down, or, if others cannot spawn fibers here, until there are none. It returns when
// Begin has. Whoever starts an island waits for its end (Wait), or a goroutine is left.
// Errors: as Registry.Join, and Begin's.
func Start[T any](r *Registry, plan Plan[T]) (*Home[T], error) {
	if plan.Machine == nil {
		return nil, fmt.Errorf("%w: Plan.Machine is nil; it runs the fibers", ErrRequest)
	}
	h := &Home[T]{done: make(chan struct{})}
	began := make(chan error)
	go h.own(r, &plan, began)
	if err := <-began; err != nil {
		<-h.done
		return nil, err
	}
	return h, nil
}

// Shutdown asks the island to end for that cause, from any goroutine; Wait says when it
// has. Its fibers are killed, and unwind.
func (h *Home[T]) Shutdown(cause error) { h.end(cause) }

// Wait waits until the island has ended and its goroutine is gone, and gives what ended
// it: nil if all its fibers have, the cause of the shutdown, a *scheduler.DeadlockError or
// a *DeadlockError, or what else scheduler.Run returns; a Go panic of the host's code is a
// *blocking.PanicError. If ctx ends first, its cause.
func (h *Home[T]) Wait(ctx context.Context) error {
	select {
	case <-h.done:
		return h.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// own is the life of the island's goroutine.
func (h *Home[T]) own(r *Registry, plan *Plan[T], began chan<- error) {
	defer close(h.done)
	if plan.Thread {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	ctx, end := context.WithCancelCause(context.Background())
	defer end(nil)
	h.end = end
	if err := h.join(r, plan); err != nil {
		began <- err
		return
	}
	h.guard(func() error {
		if plan.Begin == nil {
			return nil
		}
		return plan.Begin(h)
	})
	began <- h.err
	if h.err == nil {
		h.guard(func() error { return h.run(ctx, plan.Machine) })
	}
	h.Leave(h.err)
	h.core.Close()
}

// guard has whatever the host's code does to the goroutine end in an error: the others
// are still to be told that the island is gone.
func (h *Home[T]) guard(do func() error) {
	returned := false
	defer func() {
		if !returned {
			h.err = &blocking.PanicError{Value: recover(), Stack: debug.Stack()}
		}
	}()
	h.err = do()
	returned = true
}

// join makes the scheduler and enters the registry.
func (h *Home[T]) join(r *Registry, plan *Plan[T]) (err error) {
	cfg := plan.Scheduler
	if cfg.Number == 0 {
		cfg.Number = r.Number()
	}
	if cfg.Clock == nil {
		cfg.Clock = wallclock.New()
	}
	h.Scheduler = scheduler.New[T](cfg)
	as := plan.Config
	as.Stop = h.end
	as.Programs = programs(h.Scheduler, plan.Programs, plan.Spawn)
	h.Island, err = r.Join(&h.Scheduler.Core, as)
	return err
}

// programs adds to some programs those that make a payload.
func programs[T any](s *scheduler.Scheduler[T], some map[string]Program, spawn map[string]func([]byte) (T, scheduler.Options, error)) map[string]Program {
	all := make(map[string]Program, len(some)+len(spawn))
	maps.Copy(all, some)
	for name, make := range spawn {
		all[name] = func(args []byte) (fiber.RegularID, error) {
			data, o, err := make(args)
			if err != nil {
				return 0, err
			}
			return s.SpawnWith(data, o)
		}
	}
	return all
}

func (h *Home[T]) run(ctx context.Context, m scheduler.Machine[T]) error {
	err := h.Scheduler.Run(ctx, m)
	if d := h.Deadlock(); d != nil {
		return d
	}
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
		err = cause
	}
	return err
}
