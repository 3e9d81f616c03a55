package fibers

import (
	"errors"
	"io"
	"os"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// input is the standard input of all the instances of a program. A read blocks the fiber
// that reads and nobody else.
type input struct {
	from   io.Reader
	shell  *shell
	stream *fiberio.Reader // made at the first read
}

func (in *input) open() error {
	if in.stream != nil {
		return nil
	}
	world, err := in.shell.world()
	if err != nil {
		return err
	}
	if in.from == os.Stdin {
		in.stream = world.Stdin()
	} else {
		in.stream = world.NewReader(in.from, "the standard input")
	}
	return nil
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
