package fiberio

import (
	"context"
	"errors"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/stackful"
)

// Pools are the goroutines that make blocking calls for fibers. Worlds of one Runtime may share them
// (Config.Pools): then a poll of the scheduler costs the same, however many Worlds there are. New and
// Close are for the owner.
type Pools struct {
	files       *blocking.Pool // bounded: system calls that end soon and cannot be interrupted
	waits       *blocking.Pool // unlimited: calls that may wait for hours and can be interrupted
	disconnects disconnects    // of the servers
}

// NewPools makes Pools. Of the calls on files, so many may block at once; 0 is 64. The error names a negative limit.
func NewPools(rt *stackful.Runtime, ioWorkers int) (p *Pools, err error) {
	p = &Pools{}
	s := rt.Scheduler()
	if p.files, err = blocking.New(&s.Core, blocking.Config{Workers: ioWorkers}); err != nil {
		return nil, err
	}
	if p.waits, err = blocking.New(&s.Core, blocking.Config{Workers: blocking.Unlimited}); err != nil {
		return nil, err
	}
	p.disconnects.inbox = s.Inbox()
	s.Ops().AddDevice(&p.disconnects)
	return p, nil
}

// Close ends all operations and joins their goroutines. Call it when no fiber runs any more, after
// Runtime.Close. It waits for calls on files until ctx ends, so that files being written are complete. The
// error is blocking.ErrStragglers if some calls did not end.
func (p *Pools) Close(ctx context.Context) error {
	// Waits may be endless, so the context for them has ended already.
	now, cancel := context.WithCancel(ctx)
	cancel()
	waits := p.waits.Close(now)
	return errors.Join(waits, p.files.Close(ctx))
}
