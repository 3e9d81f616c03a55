package fibers

import (
	"context"
	"time"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// ioAccess does input and output for the fibers of a Host. In virtual time it does so in place.
type ioAccess struct {
	fibers  *stackful.Runtime
	virtual bool
	workers int
	made    *fiberio.World // made at the first use; see world
}

func newIOAccess(fibers *stackful.Runtime, clock scheduler.Clock, workers int) *ioAccess {
	_, virtual := clock.(*scheduler.VirtualClock)
	return &ioAccess{fibers: fibers, virtual: virtual || clock == nil, workers: workers}
}

func (a *ioAccess) world() (*fiberio.World, error) {
	if a.made != nil {
		return a.made, nil
	}
	made, err := fiberio.New(a.fibers, fiberio.Config{IOWorkers: a.workers, InPlace: a.virtual})
	a.made = made
	return made, err
}

// closeTimeout is how long closing a Host waits for files that are being written. An operation on a
// disk that does not respond might never end.
const closeTimeout = 5 * time.Second

// close ends the operations in progress.
func (a *ioAccess) close() {
	if a.made != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		_ = a.made.Close(ctx) // an operation that does not stop in time is abandoned
	}
}
