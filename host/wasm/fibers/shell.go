package fibers

import (
	"context"

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
	made, err := fiberio.New(s.fibers, fiberio.Config{Workers: s.workers, InPlace: s.virtual})
	s.made = made
	return made, err
}

// close ends what is under way.
func (s *shell) close() {
	if s.made != nil {
		_ = s.made.Close(context.Background()) // what would not stop is nobody's any more
	}
}
