package fibers

import (
	"context"
	"time"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// shell is what does input and output for the fibers of a Host. In virtual time that is done
// in place.
type shell struct {
	fibers  *stackful.Runtime
	virtual bool
	workers int
	made    *fiberio.World // when it is first needed
}

func newShell(fibers *stackful.Runtime, clock scheduler.Clock, workers int) *shell {
	_, virtual := clock.(*scheduler.VirtualClock)
	return &shell{fibers: fibers, virtual: virtual || clock == nil, workers: workers}
}

func (s *shell) world() (*fiberio.World, error) {
	if s.made != nil {
		return s.made, nil
	}
	made, err := fiberio.New(s.fibers, fiberio.Config{IOWorkers: s.workers, InPlace: s.virtual})
	s.made = made
	return made, err
}

// goodbye is how long closing a Host waits for files that are being written. What waits for the
// other end of a named pipe, or for a disk that does not answer, could wait for ever.
const goodbye = 5 * time.Second

// close ends what is under way.
func (s *shell) close() {
	if s.made != nil {
		ctx, cancel := context.WithTimeout(context.Background(), goodbye)
		defer cancel()
		_ = s.made.Close(ctx) // what would not stop is nobody's any more
	}
}
