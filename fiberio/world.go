package fiberio

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/stackful"
)

// Config is what a World is made with; the zero Config is usable.
type Config struct {
	// Workers is how many files may be worked on at once; 0 means reactor.DefaultWorkers.
	Workers int
	// MaxBytes is the most that one call returns: a file, the output of a process, the
	// body of a request or of a response. 0 means DefaultMaxBytes.
	MaxBytes int64
	// InPlace has every call done by the owner, which does nothing else meanwhile: for
	// virtual time, which stands still then, so that runs repeat if the world does. Calls
	// that only another fiber can end (a connection between two of them) never return.
	InPlace bool
	// ClientTLS is how https and Conn.StartTLS know whom to trust; nil is the system's roots.
	// It is not changed, and must not be.
	ClientTLS *tls.Config
}

// DefaultMaxBytes keeps what never ends, /dev/zero or a server gone mad, from taking all
// memory.
const DefaultMaxBytes = 256 << 20

// World does input and output for the fibers of one Runtime. Its methods are for those
// fibers, each with its own; New and Close are for the owner.
type World struct {
	rt       *stackful.Runtime
	files    *reactor.Pool // bounded: system calls that end soon and cannot be stopped
	waits    *reactor.Pool // unlimited: what may wait for hours, and can be stopped
	resolver *net.Resolver
	client   *http.Client
	outlets  outlets // of the client
	leavers  leavers // of the servers
	trust    *tls.Config
	most     int64
	inPlace  bool

	open context.Context // until Close
	shut context.CancelFunc
}

// New makes a World. The error names a limit that is negative.
func New(rt *stackful.Runtime, cfg Config) (*World, error) {
	if cfg.MaxBytes < 0 {
		return nil, errors.New("fiberio: Config.MaxBytes is negative: want 0 (the default) or more")
	}
	files, err := reactor.NewPool(&rt.Scheduler().Core, reactor.PoolConfig{Workers: cfg.Workers})
	if err != nil {
		return nil, err
	}
	waits, err := reactor.NewPool(&rt.Scheduler().Core, reactor.PoolConfig{Workers: reactor.Unlimited})
	if err != nil {
		return nil, err
	}
	w := &World{rt: rt, files: files, waits: waits, most: cfg.MaxBytes, inPlace: cfg.InPlace, trust: cfg.ClientTLS}
	w.leavers.inbox = rt.Scheduler().Inbox()
	rt.Scheduler().Ops().AddDevice(&w.leavers)
	w.open, w.shut = context.WithCancel(context.Background())
	if w.most == 0 {
		w.most = DefaultMaxBytes
	}
	w.resolver = &net.Resolver{PreferGo: true} // C's cannot be stopped
	w.client = &http.Client{Transport: w.transport()}
	return w, nil
}

// Close ends what is under way and joins its goroutines. Call it when no fiber runs any
// more, after Runtime.Close. Files that are being written are finished, until ctx ends. The
// error is reactor.ErrStragglers if something would not stop.
func (w *World) Close(ctx context.Context) error {
	w.shut()
	w.client.CloseIdleConnections()
	now, cancel := context.WithCancel(ctx)
	cancel()
	_, waits := w.waits.Close(now)
	_, files := w.files.Close(ctx)
	w.outlets.close()
	return errors.Join(waits, files)
}

// wait does what may take as long as it likes on a goroutine of its own.
func (w *World) wait(f *stackful.Fiber, deadline fiber.Time, work reactor.Work, abort func()) (any, error) {
	return w.pooled(f, w.waits, deadline, work, abort)
}

// pooled has it done by one of the pools.
func (w *World) pooled(f *stackful.Fiber, p *reactor.Pool, deadline fiber.Time, work reactor.Work, abort func()) (any, error) {
	return w.operate(f, deadline, work, func(tok fiber.Token) error { return p.SubmitAbortable(tok, work, abort) })
}

func (w *World) operate(f *stackful.Fiber, deadline fiber.Time, work reactor.Work, start func(fiber.Token) error) (any, error) {
	if w.inPlace {
		if err := f.Checkpoint(); err != nil {
			return nil, err
		}
		return work(context.Background())
	}
	done, err := f.OperateUntil(start, deadline)
	if err != nil {
		return nil, err
	}
	return done.Value, done.Err
}

// Do has a blocking call done by one of the World's workers, for what this package has no
// name for. If the fiber gives up, the call goes on, and its result is dropped; a call that
// watches its context can stop then. A panic in it is a *reactor.PanicError.
func Do[T any](w *World, f *stackful.Fiber, deadline fiber.Time, call func(context.Context) (T, error)) (T, error) {
	work := func(ctx context.Context) (any, error) { return call(ctx) }
	v, err := w.pooled(f, w.files, deadline, work, nil)
	result, _ := v.(T)
	return result, err
}

// Make is Do for a call that makes what has to be closed: undo has it, perhaps on another goroutine,
// if the fiber has given up before it was there.
func Make[T any](w *World, f *stackful.Fiber, deadline fiber.Time, call func(context.Context) (T, error), undo func(T)) (made T, err error) {
	p := &parcel[T]{unclaim: undo}
	defer p.refuse()
	_, err = w.pooled(f, w.files, deadline, func(ctx context.Context) (any, error) {
		v, err := call(ctx)
		if err == nil {
			p.bring(v)
		}
		return nil, err
	}, nil)
	if err != nil {
		return made, err
	}
	return p.take(), nil
}

// Wait is Do for a call that may take as long as it likes, and returns soon when its context
// ends: it has a goroutine of its own. What it made and nobody takes is its own to undo.
func Wait[T any](w *World, f *stackful.Fiber, deadline fiber.Time, call func(context.Context) (T, error)) (T, error) {
	v, err := w.wait(f, deadline, func(ctx context.Context) (any, error) { return call(ctx) }, nil)
	result, _ := v.(T)
	return result, err
}
