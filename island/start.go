package island

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// StartConfig is what Start makes an island of. Only Name and Machine are required.
type StartConfig[T any] struct {
	Config
	// Scheduler is the configuration of the scheduler. Number 0 becomes the registry's next number,
	// Clock nil a wallclock.Clock.
	Scheduler scheduler.Config
	// LockThread locks the goroutine to an operating system thread, for a Machine that calls
	// libraries with state per thread. Each wake-up of the island then costs a switch of threads.
	LockThread bool
	// Machine runs the fibers.
	Machine scheduler.Machine[T]
	// Begin, if not nil, is called by the owner before the first slice. It opens ports and
	// spawns the first fibers. Start returns its error.
	Begin func(h *Handle[T]) error
	// Spawn are programs that other islands may start by name. Each makes the payload of a
	// fiber from untrusted arguments.
	Spawn map[string]func(args []byte) (T, scheduler.Options, error)
}

// Handle is an island that Start has started. Its scheduler belongs to the goroutine of Start;
// Shutdown and Wait are for any goroutine.
type Handle[T any] struct {
	*Island
	Scheduler *scheduler.Scheduler[T]

	// end and the two fields above are written by the island's goroutine before Start returns.
	end  context.CancelCauseFunc
	done chan struct{}
	err  error // written before done is closed
}

// Start starts an island on a goroutine of its own, which runs the scheduler until the island
// is shut down, or until there are no fibers if other islands cannot spawn some. It returns
// when Begin has. The caller must Wait for the end, or the goroutine is leaked. Errors:
// ErrRequest, those of Registry.Join, and that of Begin.
func Start[T any](r *Registry, cfg StartConfig[T]) (*Handle[T], error) {
	if cfg.Machine == nil {
		return nil, fmt.Errorf("%w: StartConfig.Machine is nil", ErrRequest)
	}
	h := &Handle[T]{done: make(chan struct{})}
	begun := make(chan error)
	go h.main(r, &cfg, begun)
	if err := <-begun; err != nil {
		<-h.done
		return nil, err
	}
	return h, nil
}

// Shutdown ends the island for that cause: its fibers are killed and unwind. It returns at
// once.
func (h *Handle[T]) Shutdown(cause error) { h.end(cause) }

// Wait waits until the island has ended and its goroutine with it, and returns what ended it:
// nil if all its fibers have ended, the cause of the shutdown, a *scheduler.DeadlockError, a
// *DeadlockError, or another error of scheduler.Run; for a Go panic or a runtime.Goexit of the
// Machine or of Begin a *scheduler.PanicError. If ctx ends first, it returns ctx's cause.
func (h *Handle[T]) Wait(ctx context.Context) error {
	mustHaveContext("Wait", ctx)
	select {
	case <-h.done:
		return h.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// main is the body of the island's goroutine: it joins, begins, runs, leaves and closes the
// scheduler, in that order. It sends on begun once, so that Start can return before the first slice.
// The steps that other goroutines wait for are deferred, because the program's code may leave by
// runtime.Goexit. After a panic the scheduler may be in the middle of an operation. It leaves all the
// same, because Leave does not use the scheduler, only its inbox.
func (h *Handle[T]) main(r *Registry, cfg *StartConfig[T], begun chan<- error) {
	defer close(h.done)
	if cfg.LockThread {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	ctx, end := context.WithCancelCause(context.Background())
	defer end(nil)
	h.end = end
	if err := h.join(r, cfg); err != nil {
		begun <- err
		return
	}
	defer h.core.Close()
	defer func() { h.Leave(h.err) }()
	if h.begin(cfg.Begin, begun); h.err == nil {
		h.recoverPanic(func() error { return h.run(ctx, cfg.Machine) })
	}
}

// begin calls Begin, if there is one, and sends how it has ended.
func (h *Handle[T]) begin(begin func(*Handle[T]) error, begun chan<- error) {
	defer func() { begun <- h.err }()
	if begin != nil {
		h.recoverPanic(func() error { return begin(h) })
	}
}

// recoverPanic turns a panic of the program's code into an error: the other islands still have to
// learn that this one has ended. A Goexit is recorded in the same way, but only the deferred calls
// of main run after it.
func (h *Handle[T]) recoverPanic(do func() error) {
	returned := false
	defer func() {
		if !returned {
			h.err = &scheduler.PanicError{Value: recover(), Stack: debug.Stack()}
		}
	}()
	h.err = do()
	returned = true
}

// join makes the scheduler, which belongs to this goroutine from the beginning. A Shutdown command
// and Handle.Shutdown end the same context, so the first cause of either counts.
func (h *Handle[T]) join(r *Registry, cfg *StartConfig[T]) (err error) {
	sc := cfg.Scheduler
	if sc.Number == 0 {
		sc.Number = r.Number()
	}
	if sc.Clock == nil {
		sc.Clock = wallclock.New()
	}
	h.Scheduler = scheduler.New[T](sc)
	as := cfg.Config
	as.Stop = h.end
	as.Programs = h.programs(cfg)
	h.Island, err = r.Join(&h.Scheduler.Core, as)
	return err
}

// programs are Config.Programs and those of Spawn.
func (h *Handle[T]) programs(cfg *StartConfig[T]) map[string]func([]byte) (fiber.RegularID, error) {
	all := make(map[string]func([]byte) (fiber.RegularID, error), len(cfg.Programs)+len(cfg.Spawn))
	maps.Copy(all, cfg.Programs)
	for name, payload := range cfg.Spawn {
		all[name] = func(args []byte) (fiber.RegularID, error) {
			data, o, err := payload(args)
			if err != nil {
				return 0, err
			}
			return h.Scheduler.SpawnWith(data, o)
		}
	}
	return all
}

// run prefers the most specific cause: a deadlock across islands, then that of the shutdown. The
// scheduler knows neither: of a deadlock across islands it sees its own part, and of the shutdown
// that its context ended.
func (h *Handle[T]) run(ctx context.Context, m scheduler.Machine[T]) error {
	err := h.Scheduler.Run(ctx, m)
	if d := h.Deadlock(); d != nil {
		return d
	}
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
		err = cause
	}
	return err
}
