package fibers

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// input is the standard input of all the instances of a program. A read blocks the fiber
// that reads and nobody else; in virtual time it is done in place.
type input struct {
	from    io.Reader
	fibers  *stackful.Runtime
	virtual bool
	world   *fiberio.World // made at the first read
	stream  *fiberio.Reader
}

func newInput(from io.Reader, fibers *stackful.Runtime, clock scheduler.Clock) *input {
	_, virtual := clock.(*scheduler.VirtualClock)
	return &input{from: from, fibers: fibers, virtual: virtual || clock == nil}
}

func (in *input) open() error {
	if in.stream != nil {
		return nil
	}
	world, err := fiberio.New(in.fibers, fiberio.Config{InPlace: in.virtual})
	if err != nil {
		return err
	}
	in.world = world
	if in.from == os.Stdin {
		in.stream = world.Stdin()
	} else {
		in.stream = world.NewReader(in.from, "the standard input")
	}
	return nil
}

// close ends a read that is under way.
func (in *input) close() {
	if in != nil && in.world != nil {
		_ = in.world.Close(context.Background()) // what would not stop is nobody's any more
	}
}

// of is the input as one fiber reads it.
func (in *input) of(f *stackful.Fiber) io.Reader { return reads{in, f} }

type reads struct {
	*input
	fiber *stackful.Fiber
}

// Read is for the engine. A fiber that is cancelled or killed unwinds from here.
func (r reads) Read(p []byte) (int, error) {
	if err := r.open(); err != nil {
		return 0, err
	}
	n, err := r.stream.Read(r.fiber, p, fiber.Never)
	var stopped *stackful.Interrupt
	if errors.As(err, &stopped) {
		heed(err)
	}
	return n, err
}
