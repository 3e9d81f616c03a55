package fibers

import (
	"context"
	"sync"

	"github.com/selvage-dev/selvage/host/internal/control"
	"github.com/selvage-dev/selvage/scheduler"
)

// PoolConfig configures a Pool.
type PoolConfig struct {
	// Host configures each Host; with On, New waits for the goroutine that runs the Shared. A Clock, an Observer or another hook in it must be fit for several
	// Hosts at once.
	Host Config
	// Setup adds to a new Host what the embedder offers to programs; it may be nil. The goroutine
	// of the Pool calls it. It must not run the program of a tenant: what it runs is in each
	// guest. An error is that of a later Take.
	Setup func(*Host) error
	// Ready is how many Hosts are kept ready; 0 means 4. Each takes about 110 kB, on a Shared 80 kB.
	Ready int
}

// defaultReady is the default of PoolConfig.Ready.
const defaultReady = 4

// Pool makes Hosts in advance, so that a guest does not wait until the libraries are open. Each Host
// is given out once: what one guest has changed, no other guest finds. Its methods are safe for
// concurrent use.
type Pool struct {
	cfg    PoolConfig
	ready  chan prepared
	stop   context.CancelFunc
	joined sync.WaitGroup
}

// prepared is a Host, or the error of its Setup.
type prepared struct {
	host *Host
	err  error
}

// NewPool makes a Pool and starts to make Hosts, on a goroutine that Close ends.
func NewPool(cfg PoolConfig) *Pool {
	ctx, stop := context.WithCancel(context.Background())
	if cfg.Ready <= 0 {
		cfg.Ready = defaultReady
	}
	p := &Pool{cfg: cfg, ready: make(chan prepared, cfg.Ready-1), stop: stop}
	p.joined.Go(func() { p.run(ctx) })
	return p
}

// run makes Hosts until Close. One waits here for the buffer to have room.
func (p *Pool) run(ctx context.Context) {
	defer close(p.ready)
	for ctx.Err() == nil {
		next := p.make()
		select {
		case p.ready <- next:
		case <-ctx.Done():
			next.close()
		}
	}
}

func (p *Pool) make() prepared {
	h := New(p.cfg.Host)
	if p.cfg.Setup == nil {
		return prepared{host: h}
	}
	if err := p.cfg.Setup(h); err != nil {
		h.Close()
		return prepared{err: err}
	}
	return prepared{host: h}
}

func (p prepared) close() {
	if p.host != nil {
		p.host.Close()
	}
}

// Take returns a Host that has run no program, and waits for one if none is ready. The caller owns it,
// and closes it. Errors: that of PoolConfig.Setup, the cause of ctx, and scheduler.ErrStopped after
// Close.
func (p *Pool) Take(ctx context.Context) (*Host, error) {
	control.MustHaveContext(ctx, "fibers", "Take")
	select {
	case next, open := <-p.ready:
		if !open {
			return nil, scheduler.ErrStopped
		}
		return next.host, next.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Close ends the goroutine and closes the Hosts that were not taken. A second Close does nothing.
func (p *Pool) Close() {
	p.stop()
	p.joined.Wait()
	for next := range p.ready {
		next.close()
	}
}
