package starlark

import (
	"context"
	"io"
	"time"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// ioAccess reads files for the fibers of a Host. In virtual time it does so in place.
type ioAccess struct {
	fibers *stackful.Runtime
	cfg    fiberio.Config
	made   *fiberio.World // made at the first use; see world
}

func newIOAccess(fibers *stackful.Runtime, cfg *Config) *ioAccess {
	_, virtual := cfg.Runtime.Clock.(*scheduler.VirtualClock)
	virtual = virtual || cfg.Runtime.Clock == nil
	return &ioAccess{fibers: fibers, cfg: fiberio.Config{Access: cfg.Access, IOWorkers: cfg.IOWorkers, InPlace: virtual}}
}

func (a *ioAccess) world() (*fiberio.World, error) {
	if a.made != nil {
		return a.made, nil
	}
	made, err := fiberio.New(a.fibers, a.cfg)
	a.made = made
	return made, err
}

// closeTimeout is how long closing a Host waits for files that are being read. An operation on a disk that does not
// respond might never end.
const closeTimeout = 5 * time.Second

// close ends the operations in progress.
func (a *ioAccess) close() {
	if a.made != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		_ = a.made.Close(ctx) // an operation that does not stop in time is abandoned
	}
}

// bytesOfStep is how many bytes are a step.
const bytesOfStep = 256

// print writes a line to the standard output, in one piece. The engine gives no way to return an error: a fiber that
// passes a quota ends with the next step.
func (t *thread) print(_ *gostar.Thread, text string) {
	t.touch()
	line := text + "\n"
	n := int64(len(line))
	if err := t.charge(n / bytesOfStep); err != nil {
		return
	}
	if err := t.group.Take(quota.Output, n); err != nil {
		if killed := t.fiber.Checkpoint(); killed != nil {
			err = killed
		}
		t.stop(err)
		return
	}
	if out := t.host.cfg.Access.Stdout; out != nil {
		_, _ = io.WriteString(out, line) // as the engine's own print
	}
}
