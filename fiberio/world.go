package fiberio

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/stackful"
)

// Config is what a World is made with; the zero Config is usable and reaches nothing outside.
type Config struct {
	// Access is what the fibers can reach. Refusals are *sandbox.AccessErrors.
	Access sandbox.Access
	// IOWorkers is how many calls on files may block at once, as blocking.Config.Workers; 0 is 64.
	IOWorkers int
	// Pools make the calls, if several Worlds share them; IOWorkers has no effect then. nil makes Pools for
	// this World, which closes them.
	Pools *Pools
	// MaxBytes is the largest result of one call: a file, the output of a process, the body of
	// a request or of a response. 0 is DefaultMaxBytes.
	MaxBytes int64
	// InPlace makes the owner do every call itself; no fiber runs meanwhile. It is for virtual
	// time, which stands still during a call, so that runs are reproducible if the results of
	// the calls are. A call that only another fiber can end, such as accepting a connection
	// from it, never returns.
	InPlace bool
	// ClientTLS is the configuration of https and DialTLS; nil trusts the system's roots. It is
	// not changed, and must not be changed by others.
	ClientTLS *tls.Config
	// Resolver looks up names; nil is Go's own with the configuration of the system. What it reaches
	// itself is not a matter of Access.
	Resolver *net.Resolver
	// Unobserved is called for each request whose handler has failed, when it fails; usually it
	// is UnobservedOf of the Config of the Runtime. If it is nil, the scheduler reports these
	// failures when Run ends, which a server may never do.
	Unobserved Unobserved
}

// DefaultMaxBytes keeps an endless source, such as /dev/zero, from using all memory.
const DefaultMaxBytes = 256 << 20

// World does input and output for the fibers of one Runtime. Each method is for the fiber that
// is passed to it; New and Close are for the owner.
type World struct {
	rt          *stackful.Runtime
	access      sandbox.Access
	tree        *sandbox.Tree
	network     *sandbox.Network
	pools       *Pools
	ownPools    bool
	resolver    *net.Resolver
	client      *http.Client
	clientConns clientConns // of the client
	tlsConfig   *tls.Config
	limit       int64
	inPlace     bool
	unobserved  Unobserved

	ctx    context.Context // ends at Close
	cancel context.CancelFunc
}

// New makes a World. The error names a negative limit, or is a *sandbox.EntryError.
func New(rt *stackful.Runtime, cfg Config) (*World, error) {
	if cfg.MaxBytes < 0 {
		return nil, errors.New("fiberio: Config.MaxBytes is negative: want 0 (the default) or more")
	}
	tree, err := cfg.Access.Tree()
	if err != nil {
		return nil, err
	}
	network, err := cfg.Access.Network()
	if err != nil {
		return nil, err
	}
	pools := cfg.Pools
	if pools == nil {
		if pools, err = NewPools(rt, cfg.IOWorkers); err != nil {
			return nil, err
		}
	}
	w := &World{rt: rt, pools: pools, ownPools: cfg.Pools == nil, limit: cfg.MaxBytes, inPlace: cfg.InPlace, tlsConfig: cfg.ClientTLS, unobserved: cfg.Unobserved}
	w.access, w.tree, w.network = cfg.Access, tree, network
	w.ctx, w.cancel = context.WithCancel(context.Background())
	if w.limit == 0 {
		w.limit = DefaultMaxBytes
	}
	if w.resolver = cfg.Resolver; w.resolver == nil {
		w.resolver = &net.Resolver{PreferGo: true} // the resolver of C cannot be interrupted
	}
	w.client = &http.Client{Transport: w.transport()}
	return w, nil
}

// Close ends all operations and joins their goroutines. Call it when no fiber runs any more,
// after Runtime.Close. It waits for calls on files until ctx ends, so that files being written
// are complete. The error is blocking.ErrStragglers if some calls did not end. With Config.Pools it waits for none,
// and any goroutine may call it.
func (w *World) Close(ctx context.Context) error {
	// Dials and requests of the HTTP client end first, so that its connections are not used any
	// more when clientConns closes them.
	w.cancel()
	w.client.CloseIdleConnections()
	var err error
	if w.ownPools {
		err = w.pools.Close(ctx)
	}
	w.clientConns.close()
	w.tree.Close()
	return err
}

// Tree is the files that the fibers reach. Its calls may block: make them by Do.
func (w *World) Tree() *sandbox.Tree { return w.tree }

// wait runs a call that may take long on a goroutine of its own.
func (w *World) wait(f *stackful.Fiber, is doing, deadline fiber.Time, work blocking.Work, abort func()) (any, error) {
	return w.pooled(f, w.pools.waits, is, deadline, work, abort)
}

// doing is what a call does, and to what, for reports. The texts exist already: nothing is put together for
// a call that no report shows.
type doing struct{ what, of string }

// pooled runs a call on one of the pools.
func (w *World) pooled(f *stackful.Fiber, p *blocking.Pool, is doing, deadline fiber.Time, work blocking.Work, abort func()) (any, error) {
	return w.operate(f, deadline, work, func(tok fiber.Token) error {
		w.rt.Scheduler().Ops().Describe(tok, is.what, is.of)
		return p.SubmitAbortable(tok, work, abort)
	})
}

// operate starts an operation and waits for it, or makes the call itself (Config.InPlace). The
// context of an in-place call never ends, because no fiber can run to cancel it.
func (w *World) operate(f *stackful.Fiber, deadline fiber.Time, work blocking.Work, start func(fiber.Token) error) (any, error) {
	if w.inPlace {
		if err := f.Checkpoint(); err != nil {
			return nil, err
		}
		if choices := w.rt.Scheduler().Choices(); choices.On() {
			choices.Touch(nil) // in an explored run: others may have done something to the same file
		}
		return work(context.Background())
	}
	done, err := f.OperateUntil(start, deadline)
	if err != nil {
		return nil, err
	}
	return done.Value, done.Err
}

// Do runs any blocking call on one of Config.IOWorkers. If the fiber gives up, the call's context
// ends and its result is dropped. A panic in the call is a *scheduler.PanicError.
func Do[T any](w *World, f *stackful.Fiber, deadline fiber.Time, call func(context.Context) (T, error)) (T, error) {
	return do(w, f, doing{what: "call"}, deadline, call)
}

// do is Do for a call of this package.
func do[T any](w *World, f *stackful.Fiber, is doing, deadline fiber.Time, call func(context.Context) (T, error)) (T, error) {
	work := func(ctx context.Context) (any, error) { return call(ctx) }
	v, err := w.pooled(f, w.pools.files, is, deadline, work, nil)
	result, _ := v.(T)
	return result, err
}

// Make is Do for a call whose result must be closed: if the fiber gave up before the result was
// there, undo gets it, possibly on another goroutine.
func Make[T any](w *World, f *stackful.Fiber, deadline fiber.Time, call func(context.Context) (T, error), undo func(T)) (made T, err error) {
	// The worker delivers into p before the operation completes, so a value is never between the
	// two: take finds it, or decline discards it.
	p := &handover[T]{discard: undo}
	defer p.decline()
	_, err = w.pooled(f, w.pools.files, doing{what: "call"}, deadline, func(ctx context.Context) (any, error) {
		v, err := call(ctx)
		if err == nil {
			p.deliver(v)
		}
		return nil, err
	}, nil)
	if err != nil {
		return made, err
	}
	return p.take(), nil
}

// Wait is Do for a call that may take long and returns soon after its context ends: it runs on a
// goroutine of its own. The call itself must release a result that is dropped.
func Wait[T any](w *World, f *stackful.Fiber, deadline fiber.Time, call func(context.Context) (T, error)) (T, error) {
	v, err := w.wait(f, doing{what: "call"}, deadline, func(ctx context.Context) (any, error) { return call(ctx) }, nil)
	result, _ := v.(T)
	return result, err
}
